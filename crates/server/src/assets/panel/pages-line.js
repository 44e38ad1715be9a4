// The line for the pages of a shop: the line itself with its button, and whether pages were seen with it.

import { post } from "./call.js";
import { confirmed } from "./confirm.js";
import { el } from "./element.js";
import { button, copyable } from "./form.js";
import { report } from "./frame.js";
import { ago, say } from "./catalogue-words.js";

// Says whether pages of the shop were seen.
export const pagesSeen = ({ done, at }) => say(done ? "pagesSeen" : "pagesNotSeen", { ago: at ? ago(at) : "" });

// Returns the line of `about`, the response about the store's key for pages; without a key, the way to one.
export function pagesLine(store, { line }, redraw) {
  if (line)
    return el(
      "div",
      { className: "stack" },
      copyable(say("pagesLine"), line),
      el("p", { className: "hint" }, say("pagesLineHint")),
    );
  const make = button(
    say("makePagesKey"),
    async () => {
      await confirmed(() => post(`/stores/${store.id}/keys`, { kind: "search-only", name: say("pagesKeyName") }));
      await redraw();
    },
    report,
  );
  return el(
    "div",
    { className: "stack" },
    el("p", {}, say(store.owner ? "noPagesKey" : "noPagesKeyOwner")),
    store.owner ? make : null,
  );
}
