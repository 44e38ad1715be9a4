// The tab "Filters": what shoppers can narrow results by, in their order, and the form of a filter.

import { el, fill } from "../element.js";
import { field, input, messageOf, select } from "../form.js";
import { report } from "../frame.js";
import { change, isDropped, withDraft } from "./draft.js";
import { addedRows, edit, part, savedRow } from "./records.js";
import { saved, savedOf } from "./saved.js";
import { on, state } from "./state.js";
import { say } from "./words.js";

const PATHS = ["label", "active", "config.sort", "config.limit", "config.hideEmpty"];
const SORTS = ["count", "alpha", "position"];

function make(record, target) {
  const config = record.config ?? {};
  return [
    target.resource ? el("p", {}, el("b", {}, record.field)) : field("field", say("part.field"), input({ value: record.field, maxLength: 255 }), say("fieldHint")),
    state.store.languages.map((code) => field(`label.${code}`, say("labelIn", { lang: code }), input({ value: record.label?.[code] ?? "", maxLength: 255 }), say("labelHint"))),
    field("config.sort", say("part.sort"), select([["", say("automatic")], ...SORTS.map((one) => [one, say(`optionSort.${one}`)])], config.sort ?? "")),
    field("config.limit", say("part.limit"), input({ type: "number", min: 1, max: 1000, value: config.limit ?? "" }), say("limitHint")),
    field("config.hideEmpty", say("part.hideEmpty"), select([["", say("automatic")], ["true", say("yes")], ["false", say("no")]], String(config.hideEmpty ?? ""))),
    el("label", { className: "check" }, el("input", { type: "checkbox", name: "active", checked: record.active !== false }), say("part.active")),
  ];
}

function read(values, record, form) {
  const label = { ...record.label };
  for (const code of state.store.languages) {
    const text = values[`label.${code}`].trim();
    if (text) label[code] = text;
    else delete label[code];
  }
  const config = { ...record.config };
  const set = (key, text, value) => { if (text) config[key] = value; else delete config[key]; };
  set("sort", values["config.sort"], values["config.sort"]);
  set("limit", values["config.limit"], Number(values["config.limit"]));
  set("hideEmpty", values["config.hideEmpty"], values["config.hideEmpty"] === "true");
  return { field: values.field ?? record.field, ...(Object.keys(label).length > 0 ? { label } : {}), active: form.querySelector("[name=active]").checked, config };
}

const open = (target) => edit("filters", target, { title: say("filterTitle"), make, read, paths: PATHS, initial: { field: "", config: {}, active: true } }).catch((error) => report(messageOf(error), true));

// The filters that stay, in the order of the draft.
function ordered() {
  const all = saved.filters.map((one) => `filters/${one.id}`).filter((one) => savedOf(one));
  return all.map((resource) => ({ resource, record: isDropped(resource) ? savedOf(resource) : withDraft(resource) })).sort((a, b) => a.record.position - b.record.position);
}

// Moves a filter by one place; all places are counted anew, so that equal ones cannot stay.
function move(resource, by) {
  const list = ordered();
  const at = list.findIndex((one) => one.resource === resource);
  const to = at + by;
  if (to < 0 || to >= list.length) return;
  [list[at], list[to]] = [list[to], list[at]];
  list.forEach((one, place) => { if (one.record.position !== place && !isDropped(one.resource)) change(one.resource, { position: place }); });
  document.querySelector(`[data-record="${CSS.escape(resource)}"] .up, [data-record="${CSS.escape(resource)}"] .down`)?.focus();
}

export function filters() {
  const list = el("div", { className: "stack" });
  const shown = el("div", { className: "stack" });
  const draw = () => {
    const rows = ordered().map(({ resource, record }) => savedRow("filters", { ...record, id: resource.split("/")[1] }, {
      open,
      about: (one) => one.field,
      more: ["up", "down"].map((way) => el("button", { className: `link ${way}`, type: "button", onclick: () => move(resource, way === "up" ? -1 : 1) }, say(`move.${way}One`), el("span", { className: "unseen" }, ` ${record.field}`))),
    }));
    fill(list, part("", rows), part(say("inYourDraft"), addedRows("filters", { open, about: (one) => one.field })));
  };
  const drawShown = () => fill(shown, el("h3", {}, say("facetsNow")), el("ul", {}, (state.last?.facets ?? []).map((facet) => el("li", {}, facet.label, el("span", { className: "quiet" }, facet.values ? `: ${facet.values.slice(0, 6).map((one) => one.label ?? one.id).join(", ")}` : "")))));
  on("draft", draw);
  on("saved", draw);
  on("result", drawShown);
  draw();
  drawShown();
  const adding = state.store.editor ? el("button", { className: "button slim", type: "button", onclick: () => open({}) }, say("addFilter")) : null;
  return [el("p", { className: "hint" }, say("filtersAbout")), el("div", { className: "row" }, adding), list, shown];
}
