// Purges that are held back until the owner releases them, with the ways to decide.

import { post } from "./call.js";
import { el } from "./element.js";
import { ask, button } from "./form.js";
import { report, roleNotice } from "./frame.js";
import { scopeName } from "./scope-words.js";
import { say, time } from "./words.js";

function sentence(purge) {
  return say("heldPurge", {
    n: purge.wouldPurge,
    documents: purge.documents,
    scope: scopeName(purge.type, purge.language),
  });
}

function decisions(store, run, purges, redraw) {
  const path = `/stores/${store.id}/runs/${run}`;
  const decide = async (verb, text, done) => {
    const what = [
      el("p", {}, text),
      el(
        "ul",
        {},
        purges.map((purge) => el("li", {}, sentence(purge))),
      ),
    ];
    if (!(await ask(say(`${verb}Run`), what, say(`${verb}Run`)))) return;
    await post(`${path}/${verb}`);
    report(done);
    await redraw();
  };
  return el(
    "div",
    { className: "row" },
    button(say("releaseRun"), () => decide("release", say("releaseAsk"), say("runReleased")), report, "button slim"),
    button(say("abortRun"), () => decide("abort", say("abortAsk"), say("runAborted")), report, "button slim"),
  );
}

// Returns the notice; `redraw` runs after a decision. Whoever may not decide sees why.
export async function heldPurges(store, held, redraw) {
  if (held.length === 0) return null;
  const runs = [...new Set(held.map((purge) => purge.runId))];
  const notice = store.owner ? null : await roleNotice(store.account);
  return el(
    "section",
    { className: "card warning" },
    el("h2", {}, say("heldTitle")),
    el("p", {}, say("heldAbout")),
    runs.map((run) => {
      const purges = held.filter((purge) => purge.runId === run);
      return el(
        "div",
        { className: "stack" },
        purges.map((purge) =>
          el(
            "p",
            {},
            sentence(purge),
            " ",
            el("span", { className: "quiet" }, say("heldUntil", { time: time(purge.expiresAt) })),
          ),
        ),
        store.owner ? decisions(store, run, purges, redraw) : null,
      );
    }),
    notice,
  );
}
