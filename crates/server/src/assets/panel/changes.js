// Who changed what: names, and the values of fields before and after.

import { el } from "./element.js";
import { say } from "./words.js";

const SHOWN_CHARACTERS = 600;

// Returns who wrote, and what they are.
export function author(actor) {
  const kind = actor.userId ? "user" : actor.keyId ? "key" : "server";
  return el("span", {}, actor.name, el("span", { className: "quiet" }, ` (${say(`author.${kind}`)})`));
}

function value(any) {
  if (any === undefined) return el("span", { className: "quiet" }, say("noValue"));
  const text = typeof any === "string" ? any : JSON.stringify(any, null, 1);
  return el(
    "span",
    { className: "value" },
    text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text,
  );
}

// Returns the changed fields as a list, each with its values.
export function changeList(changes) {
  if (changes.length === 0) return el("p", { className: "quiet" }, say("noChanges"));
  return el(
    "dl",
    { className: "changes" },
    changes.map(({ path, before, after }) =>
      el(
        "div",
        {},
        el("dt", {}, path),
        el(
          "dd",
          {},
          before === undefined ? value(before) : el("del", {}, value(before)),
          el("span", { className: "quiet", "aria-label": say("becomes") }, " → "),
          after === undefined ? value(after) : el("ins", {}, value(after)),
        ),
      ),
    ),
  );
}
