// What others have saved while the page is open: who, what and when, and the changes on demand.

import { get } from "../call.js";
import { learnNames } from "../change-words.js";
import { author, changeList, headline, noteOf } from "../changes.js";
import { el, fill } from "../element.js";
import { ago, clock } from "../words.js";
import { openDrawer } from "./drawer.js";
import { base, id } from "./state.js";
import { say } from "./words.js";

const READ = 5;
const COUNTED = ["synonyms", "rules", "filters"];
const CODE = "widget/custom";
const WHOLE = ["relevance", "widget", CODE, "store"];

// Returns the resources that a revision changed.
function resources(one) {
  if (one.resource !== "configuration") return [one.resource];
  return one.changes.map(({ path }) =>
    path.startsWith(CODE) ? CODE : COUNTED.includes(path.split("/")[0]) ? path.split(".")[0] : path.split(/[./]/)[0],
  );
}

// Returns what was changed in words, such as 2 rules; null if there are no words for it.
function what(revisions) {
  const all = [...new Set(revisions.flatMap(resources))];
  const counts = COUNTED.map((kind) => ({ kind, n: all.filter((one) => one.startsWith(`${kind}/`)).length })).filter(
    ({ n }) => n > 0,
  );
  const parts = [
    ...WHOLE.filter((one) => all.includes(one)).map((one) => say(`changed.${one === CODE ? "code" : one}`)),
    ...counts.map(({ kind, n }) => say(`changed.${kind}`, { n })),
  ];
  return parts.length > 0 ? parts.join(", ") : null;
}

function show(revisions) {
  const content = openDrawer(say("newsTitle"));
  fill(
    content,
    revisions.map((one) =>
      el(
        "section",
        { className: "stack" },
        el("h3", {}, headline(one, one.changes)),
        el(
          "p",
          { className: "quiet" },
          say("revisionNumber", { n: one.revision }),
          " · ",
          clock(one.at),
          " · ",
          author(one.by),
        ),
        noteOf(one),
        changeList(one.changes, one.resource),
      ),
    ),
    el("a", { href: `/panel/stores/${id}/history` }, say("wholeHistory")),
  );
}

// Returns the notice on what was saved after a revision.
export async function newsSince(revision) {
  const latest = (await get(`${base}/revisions?limit=${READ + 1}`)).filter((one) => one.revision > revision);
  const read = await Promise.all(latest.slice(0, READ).map((one) => get(`${base}/revisions/${one.revision}`)));
  if (read.length === 0) return [];
  await Promise.all([import("../widget-words.js").catch(() => null), learnNames(id, read)]);
  const names = [...new Set(read.map((one) => one.by.name))].join(", ");
  const changed = what(read);
  const text =
    changed === null
      ? [say("othersSaved", { name: names }), " ", headline(read[0], read[0].changes)]
      : [say("othersChanged", { name: names, what: changed, when: ago(read[0].at) })];
  return [
    ...text,
    latest.length > READ ? ` ${say("othersMore")}` : "",
    " ",
    el("button", { className: "link", type: "button", onclick: () => show(read) }, say("show")),
  ];
}
