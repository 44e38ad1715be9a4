// What became of an import: counts, rejected rows with their file, and the way to a search.

import { csv, save } from "./download.js";
import { el } from "./element.js";
import { button, table } from "./form.js";
import { report } from "./frame.js";
import { problems, rejection } from "./import-words.js";
import { number, say } from "./catalogue-words.js";

const SHOWN = 10;
const COUNTS = ["new", "changed", "unchanged", "removed", "kept", "clipped", "stale"];

function counts(result, rejected) {
  const skipped = Object.values(result.skipped).reduce((sum, n) => sum + n, 0);
  const facts = [...COUNTS.map((name) => [name, result[name]]), ["rejected", rejected], ["skipped", skipped]];
  return el(
    "dl",
    { className: "facts" },
    facts
      .filter(([name, n]) => n > 0 || name === "new")
      .map(([name, n]) => el("div", {}, el("dt", {}, say(`count.${name}`)), el("dd", {}, number(n)))),
  );
}

const rejectedCount = (result) => result.rejected.length + (result.rejectedMore ?? 0);

// Returns the rejected rows, with a file of them.
export function rejectedRows(result, name) {
  const rows = result.rejected;
  if (rows.length === 0) return null;
  const heads = [say("fileLine"), say("documentId"), say("rejectionReason")];
  const all = rejectedCount(result);
  const saved = () => {
    const cells = rows.map((row) => [row.line, row.row, row.id ?? "", row.code, row.field ?? "", rejection(row)]);
    const lines = csv([["line", "row", "id", "code", "field", "message"], ...cells]);
    save(`${name.replace(/\.\w+$/, "")}-rejected.csv`, lines, "text/csv;charset=utf-8");
  };
  return el(
    "div",
    { className: "stack" },
    el("h3", {}, say("rejectedRows", { n: all })),
    table(
      say("rejectedRows", { n: all }),
      heads,
      rows.slice(0, SHOWN).map((row) => [`${say("fileLine")} ${number(row.line)}`, row.id ?? "–", rejection(row)]),
    ),
    el("div", { className: "row" }, button(say("rejectedFile"), saved, report, "button slim")),
  );
}

// Returns a long word of the first product's name, as a first query.
export function firstQuery(result) {
  const name = result.preview?.[0]?.name ?? "";
  return name.split(/[^\p{L}\p{N}]+/u).find((word) => word.length >= 4) ?? name;
}

// Returns the result; `query` is what is tried first, `again` begins another import.
export function resultView(store, one, query, again) {
  const { result } = one;
  const rejected = rejectedCount(result);
  const held = result.held;
  const path = `/panel/stores/${store.id}/workbench${query ? `?q=${encodeURIComponent(query)}` : ""}`;
  return el(
    "div",
    { className: "stack" },
    el("p", { role: "status" }, el("strong", {}, say("importDone", { n: result.accepted, name: one.name }))),
    held
      ? el(
          "p",
          { className: "wrong" },
          say("importHeld", { n: held.wouldPurge }),
          " ",
          el("a", { href: `/panel/stores/${store.id}/runs` }, say("runs")),
        )
      : null,
    counts(result, rejected),
    el(
      "div",
      { className: "row" },
      el("a", { className: "button strong", href: path }, say("trySearch")),
      el("button", { className: "button", type: "button", onclick: again }, say("addOthers")),
    ),
    rejectedRows(result, one.name),
    problems(result),
  );
}
