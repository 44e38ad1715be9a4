// A former revision in the workbench: what it would change back, and the way to restore it in whole or by part.

import { post } from "../call.js";
import { learnNames } from "../change-words.js";
import { changeList } from "../changes.js";
import { confirmed } from "../confirm.js";
import { el, fill, freshId } from "../element.js";
import { button, messageOf } from "../form.js";
import { report } from "../frame.js";
import { addTexts } from "../words.js";
import { en } from "./en-restoring.js";
import { es } from "./es-restoring.js";
import { loadSaved, saved } from "./saved.js";
import { base, id, on, state } from "./state.js";
import { say } from "./words.js";

addTexts({ en, es });

const PARTS = ["relevance", "synonyms", "rules", "filters", "widget", "store"];
// For owners, who give their password before they see what it would change.
const CODE = "custom";
const SHOWN = 50;

// Parts that the user does not want, which stay so when the changes are drawn anew.
const unwanted = new Set();

// Restores, or tries to, if `revision` is still the latest.
function request(parts, revision, dryRun) {
  return post(`${base}/revisions/${state.restore}/restore`, { parts, ifRevision: revision, dryRun });
}

function shown(changes) {
  const rest = changes.length - SHOWN;
  return el(
    "details",
    {},
    el("summary", {}, say("restoreChanges", { n: changes.length })),
    changeList(changes.slice(0, SHOWN)),
    rest > 0 ? el("p", { className: "quiet" }, say("restoreMore", { n: rest })) : null,
  );
}

// A part with its box; `ticked` runs when that changes.
function row(part, checked, ticked, ...content) {
  const box = freshId("part");
  const control = el("input", { type: "checkbox", id: box, checked, onchange: () => ticked(control) });
  return el(
    "li",
    { className: "change", "data-part": part },
    el("span", { className: "check" }, control, el("label", { for: box }, say(`restorePart.${part}`))),
    content,
  );
}

// The part of custom code: its changes are asked for when it is ticked, and it stays unticked if there are none or it
// cannot be restored.
function codeRow(revision, chosen, redraw) {
  const place = el("div", { role: "status" });
  return row(
    CODE,
    false,
    async (control) => {
      chosen.delete(CODE);
      fill(place);
      redraw();
      if (!control.checked) return;
      control.disabled = true;
      try {
        const { changes } = await confirmed(() => request([CODE], revision, true));
        control.checked = changes.length > 0;
        fill(place, changes.length > 0 ? shown(changes) : el("p", { className: "quiet" }, say("restoreSameCode")));
      } catch (error) {
        control.checked = false;
        fill(place, el("p", { className: "wrong" }, messageOf(error)));
      }
      control.disabled = false;
      if (control.checked) chosen.add(CODE);
      redraw();
    },
    place,
  );
}

// Returns the changes of each part, and the way to restore those that are ticked; `restored` gets the new revision.
async function choices(restored) {
  const revision = saved.revision;
  const { changes } = await request(PARTS, revision, true);
  await learnNames(id, [{ resource: "configuration", changes: changes.slice(0, 10 * SHOWN) }]);
  const found = PARTS.map((part) => [part, changes.filter((one) => one.path.split(/[./]/)[0] === part)]).filter(
    ([, changes]) => changes.length > 0,
  );
  if (found.length === 0 && !state.store.owner) return [el("p", {}, say("restoreNothing"))];
  const chosen = new Set(found.map(([part]) => part).filter((part) => !unwanted.has(part)));
  const send = button(
    "",
    async () => restored(await confirmed(() => request([...chosen], revision, false))),
    report,
    "button strong",
  );
  const redraw = () => {
    send.textContent = say("restoreParts", { n: chosen.size });
    send.disabled = chosen.size === 0;
  };
  redraw();
  const rows = found.map(([part, changes]) =>
    row(
      part,
      chosen.has(part),
      ({ checked }) => {
        chosen[checked ? "add" : "delete"](part);
        unwanted[checked ? "delete" : "add"](part);
        redraw();
      },
      shown(changes),
    ),
  );
  return [
    el("h2", {}, say("restoreTitle")),
    found.length === 0 ? el("p", {}, say("restoreNothingElse")) : null,
    el("ul", { className: "plain" }, rows, state.store.owner ? codeRow(revision, chosen, redraw) : null),
    el("p", { className: "hint" }, say("restoreAbout")),
    el("div", { className: "row" }, send),
  ];
}

// Draws the changes now and whenever somebody saves, until something is restored here.
function offers(place) {
  let latest = 0;
  const draw = async () => {
    latest += 1;
    const turn = latest;
    const current = (...content) => {
      if (turn === latest) fill(place, content);
    };
    try {
      current(
        await choices(async (done) => {
          latest = Infinity;
          await loadSaved().finally(() =>
            fill(
              place,
              el(
                "p",
                { className: "done", role: "status" },
                say("restored", { n: state.restore, revision: done.revision }),
              ),
            ),
          );
        }),
      );
    } catch (error) {
      current(el("p", { className: "wrong" }, messageOf(error)));
    }
  };
  on("saved", () => {
    if (latest < Infinity) draw();
  });
  draw();
}

// What stands in the place of the levers while a revision is tried.
export function restoring() {
  const place = el("div", { className: "stack" }, el("p", { className: "quiet" }, say("loading")));
  if (state.store.editor) offers(place);
  else fill(place);
  return el(
    "div",
    { className: "stack" },
    el("p", { className: "note" }, say("triesRevision", { n: state.restore })),
    el(
      "div",
      { className: "row" },
      el(
        "a",
        {
          className: "button slim",
          href: `/panel/stores/${id}/workbench?${new URLSearchParams({ q: state.query.q, lang: state.query.lang })}`,
        },
        say("backToDraft"),
      ),
      el("a", { href: `/panel/stores/${id}/history` }, say("wholeHistory")),
    ),
    place,
  );
}
