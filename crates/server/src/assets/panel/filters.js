// The filters of a store in the order in which shoppers see them: take over automatic ones, edit, order, add.

import { call, get, post } from "./call.js";
import { el, fill } from "./element.js";
import { button, field, input, select, table, textarea } from "./form.js";
import { page, parts, report, roleNotice } from "./frame.js";
import { jsonText, jsonValue } from "./json.js";
import { actions, edit } from "./records.js";
import { storeOf } from "./store-access.js";
import { say } from "./words.js";

const id = parts[1];
const list = `/stores/${id}/filters`;
const FIELDS = ["price", "manufacturer", "supplier", "categories", "tags", "inStock", "discount", "rating"];
const SORTS = ["count", "alpha", "position"];
const TYPES = ["list", "range", "boolean", "tree"];


function fields(languages, used) {
  return (filter) => {
    const known = FIELDS.filter((name) => !used.includes(name));
    const suggestions = el("datalist", { id: "known-fields" }, known.map((value) => el("option", { value })));
    return [
      filter ? null : [field("field", say("filterField"), input({ list: "known-fields", required: true }), say("filterFieldHint")), suggestions],
      languages.map((code) => field(`label.${code}`, say("filterLabel", { language: code }), input({ value: filter?.label?.[code] ?? "" }))),
      filter ? field("type", say("filterType"), select(TYPES.map((type) => [type, say(`filterType.${type}`)]), filter.type)) : null,
      field("config.sort", say("filterSort"), select([["", say("automatic")], ...SORTS.map((sort) => [sort, say(`filterSort.${sort}`)])], filter?.config.sort ?? "")),
      field("config.limit", say("filterLimit"), input({ type: "number", min: 1, max: 1000, value: filter?.config.limit ?? "" })),
      el("label", { className: "check" }, el("input", { type: "checkbox", name: "hideEmpty", value: "on", checked: filter?.config.hideEmpty ?? true }), say("filterHideEmpty")),
      field("config.valueGroups", say("filterGroups"), textarea({ rows: 5, spellcheck: "false", className: "code" }, filter?.config.valueGroups ? jsonText(filter.config.valueGroups) : ""), say("filterGroupsHint")),
    ];
  };
}

// What is empty is unset; for a new filter it is left out.
const body = (languages, created) => (values) => {
  const labels = Object.fromEntries(languages.map((code) => [code, values[`label.${code}`]]).filter(([, label]) => label));
  const unset = created ? undefined : null;
  const config = {
    sort: values["config.sort"] || unset,
    limit: values["config.limit"] ? Number(values["config.limit"]) : unset,
    hideEmpty: values.hideEmpty === "on",
    valueGroups: values["config.valueGroups"] ? jsonValue(values["config.valueGroups"]) : unset,
  };
  return { ...(created ? { field: values.field } : { type: values.type }), label: Object.keys(labels).length > 0 ? labels : unset, config };
};

// Moves a filter before or behind its neighbour: both exchange their places.
async function move(filters, at, by) {
  const order = filters.map((filter) => filter.id);
  [order[at], order[at + by]] = [order[at + by], order[at]];
  for (const [position, own] of order.entries()) {
    if (filters.find((filter) => filter.id === own).position !== position) await call("PUT", `${list}/${own}`, { position });
  }
  report(say("saved"));
}

function ordering(filters, at, redraw) {
  const step = (by, word, sign) => {
    const control = button(sign, async () => { await move(filters, at, by); await redraw(); }, report, "button slim");
    control.setAttribute("aria-label", `${say(word)}: ${filters[at].field}`);
    control.disabled = at + by < 0 || at + by >= filters.length;
    return control;
  };
  return el("div", { className: "row" }, step(-1, "moveUp", "↑"), step(1, "moveDown", "↓"));
}

page(async (main, me) => {
  const store = await storeOf(me, id);
  const redraw = async () => {
    const filters = await get(list);
    const used = filters.map((filter) => filter.field);
    const open = (path, title) => edit({ title, list, path, fields: fields(store.languages, used), body: body(store.languages, !path), saved: redraw });
    const rows = filters.map((filter, at) => {
      const path = `${list}/${filter.id}`;
      const own = { path, name: filter.field, active: filter.active, open: () => open(path, say("editFilter", { field: filter.field })), redraw };
      const labels = Object.entries(filter.label ?? {}).map(([code, label]) => `${code}: ${label}`).join(", ");
      return [filter.field, labels || say("automatic"), say(`filterType.${filter.type}`), say(filter.active ? "stateOn" : "stateOff"), store.editor ? ordering(filters, at, redraw) : "", store.editor ? actions(own) : ""];
    });
    const heads = [say("filterField"), say("filterLabels"), say("filterType"), say("state"), say("order"), say("actions")];
    const sync = button(say("syncFilters"), async () => {
      const { created } = await post(`${list}/sync`);
      report(say("filtersSynced", { n: created }));
      await redraw();
    }, report, "button strong");
    fill(main,
      el("h1", {}, say("filtersOf", { name: store.name })),
      store.editor ? el("div", { className: "row" }, sync, button(say("newFilter"), () => open(null, say("newFilter")), report)) : await roleNotice(store.account),
      rows.length > 0 ? table(say("filters"), heads, rows) : el("p", {}, say("noFilters")));
  };
  await redraw();
});
