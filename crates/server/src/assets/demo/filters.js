// The facets that filter the results, and the chips that remove a filter.

import { el } from "./element.js";
import { money, number, say } from "./words.js";

const SHOWN = 8;
// These facets are open above the attributes and features, which are collapsed.
const ORDER = ["categories", "manufacturer", "price", "inStock", "rating", "discount"];
const opened = new Set();
const unfolded = new Set();
// Labels of values seen so far, for the chips of filters without results.
const labels = new Map();
const keyOf = (field, id) => `${document.documentElement.lang} ${field} ${id}`;

const bounds = (facet) => (Array.isArray(facet.values) || !facet.values ? facet : facet.values);

const isGroup = (field) => !ORDER.includes(field);

function label(field, value) {
  if (field === "inStock") return say(value.id === "true" ? "inStockTrue" : "inStockFalse");
  return value.label ?? value.id;
}

// In this shop, the id of a category starts with the digit of its department.
const department = (id) => (id.length > 1 ? id[0] : null);

function chosen(state, field, id, on) {
  let values = (state.filters[field] ?? []).filter((value) => value !== id);
  if (on) {
    // A department and one of its categories match the same products as the department alone.
    if (field === "categories") values = values.filter((v) => v !== department(id) && department(v) !== id);
    values.push(id);
  }
  const filters = { ...state.filters, [field]: values };
  if (!values.length) delete filters[field];
  return filters;
}

function arranged(field, values) {
  if (field !== "categories") return values;
  const tops = values.filter((value) => !department(value.id));
  const rest = values.filter((value) => department(value.id));
  const sorted = tops.flatMap((top) => [top, ...rest.filter((value) => department(value.id) === top.id)]);
  return [...sorted, ...rest.filter((value) => !sorted.includes(value))];
}

function choices(facet, state, change, redraw) {
  const field = facet.field;
  const picked = state.filters[field] ?? [];
  const values = arranged(field, facet.values);
  const all = opened.has(field) || field === "categories" || values.length <= SHOWN + 1;
  const shown = all ? values : values.filter((value, at) => at < SHOWN || picked.includes(value.id));
  const rows = shown.map((value) => {
    const box = el("input", {
      type: "checkbox",
      id: `f-${field}-${value.id}`,
      checked: picked.includes(value.id),
      onchange: (event) => change(chosen(state, field, value.id, event.target.checked)),
    });
    const inner = field === "categories" && department(value.id);
    return el(
      "label",
      { className: inner ? "choice inner" : "choice" },
      box,
      el("span", {}, label(field, value)),
      el("span", { className: "quiet number" }, String(value.count ?? "")),
    );
  });
  const toggle = (open) => () => {
    if (open) opened.add(field);
    else opened.delete(field);
    redraw();
  };
  if (!all)
    rows.push(
      el(
        "button",
        { type: "button", className: "link", id: `f-${field}-all`, onclick: toggle(true) },
        say("showAll", values.length),
      ),
    );
  else if (opened.has(field))
    rows.push(
      el(
        "button",
        { type: "button", className: "link", id: `f-${field}-all`, onclick: toggle(false) },
        say("showFewer"),
      ),
    );
  return rows;
}

function range(facet, state, change) {
  const field = facet.field;
  const { min, max } = bounds(facet);
  const whole = field === "price";
  const now = state.filters[field] ?? {};
  const shown = (end, bound) => (whole ? String(end === "min" ? Math.floor(bound) : Math.ceil(bound)) : String(bound));
  const input = (end, bound) =>
    el(
      "label",
      {},
      say(end === "min" ? "from" : "to"),
      el("input", {
        type: "number",
        id: `f-${field}-${end}`,
        name: end,
        min: "0",
        step: "any",
        inputmode: "decimal",
        placeholder: bound === undefined ? "" : shown(end, bound),
        value: now[end] === undefined ? "" : String(now[end]),
      }),
    );
  const wrong = el("p", { className: "wrong", role: "alert" });
  const submit = (event) => {
    event.preventDefault();
    const given = {};
    for (const end of ["min", "max"]) {
      const text = form.elements[end].value.trim();
      if (text !== "" && Number(text) >= 0) given[end] = Number(text);
    }
    wrong.textContent = given.min > given.max ? say("wrongRange") : "";
    if (wrong.textContent) return;
    const filters = { ...state.filters, [field]: given };
    if (!Object.keys(given).length) delete filters[field];
    change(filters);
  };
  const form = el(
    "form",
    { className: "range", novalidate: true, onsubmit: submit },
    input("min", min),
    input("max", max),
    el("button", { type: "submit", className: "button slim", id: `f-${field}-apply` }, say("apply")),
  );
  return [form, wrong];
}

// Returns one facet; a group is collapsed until it is opened or one of its values is chosen.
function drawn(facet, state, change, redraw) {
  const { field } = facet;
  const inner = Array.isArray(facet.values) ? choices(facet, state, change, redraw) : range(facet, state, change);
  if (!isGroup(field)) return el("fieldset", {}, el("legend", {}, say(`facet.${field}`)), inner);
  const fold = el(
    "details",
    {
      open: unfolded.has(field) || field in state.filters,
      ontoggle: (event) => {
        if (event.target.open) unfolded.add(field);
        else unfolded.delete(field);
      },
    },
    el("summary", { id: `f-${field}` }, facet.label),
    el("div", { role: "group", "aria-label": facet.label }, inner),
  );
  return fold;
}

// Stores the labels of the values of `facets`.
export function learn(facets) {
  for (const facet of facets.filter((one) => Array.isArray(one.values))) {
    for (const value of facet.values) labels.set(keyOf(facet.field, value.id), { ...value, group: facet.label });
  }
}

// Returns whether the label of a chosen value is unknown yet.
export const strange = (state) =>
  Object.entries(state.filters).some(
    ([field, ids]) =>
      Array.isArray(ids) && !["inStock", "discount"].includes(field) && ids.some((id) => !labels.has(keyOf(field, id))),
  );

// Returns whether a facet is useful: a range has two distinct bounds, a value of a group has more than one product.
function narrows(facet) {
  if (!Array.isArray(facet.values)) return facet.min < facet.max;
  const counted = facet.values.reduce((sum, value) => sum + value.count, 0);
  return !isGroup(facet.field) || (facet.values.length > 1 && counted >= 2 * facet.values.length);
}

// Renders the facets of a response; `change` receives the filters after a choice.
export function draw(place, facets, state, change) {
  const redraw = () => draw(place, facets, state, change);
  const focused = document.activeElement?.id;
  const shown = facets.filter((facet) => facet.field in state.filters || narrows(facet));
  const placeOf = (facet) => (isGroup(facet.field) ? ORDER.length : ORDER.indexOf(facet.field));
  shown.sort((a, b) => placeOf(a) - placeOf(b));
  learn(shown);
  place.replaceChildren(...shown.map((facet) => drawn(facet, state, change, redraw)));
  if (focused?.startsWith("f-")) document.getElementById(focused)?.focus({ preventScroll: true });
}

// Renders a chip for each active filter.
export function chips(place, state, change) {
  const items = [];
  const chip = (text, filters) =>
    items.push(
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", className: "chip", "aria-label": say("remove", text), onclick: () => change(filters) },
          text,
          el("span", { "aria-hidden": "true" }, " ×"),
        ),
      ),
    );
  const fields = Object.keys(state.filters).sort(
    (a, b) => isGroup(a) - isGroup(b) || ORDER.indexOf(a) - ORDER.indexOf(b),
  );
  for (const field of fields) {
    const value = state.filters[field];
    if (Array.isArray(value)) {
      for (const id of value) {
        const entry = labels.get(keyOf(field, id)) ?? { id };
        const text = isGroup(field) && entry.group ? `${entry.group}: ${label(field, entry)}` : label(field, entry);
        chip(text, chosen(state, field, id, false));
      }
    } else {
      const { [field]: chosenRange, ...rest } = state.filters;
      const show = (bound) => (field === "price" ? money(bound) : number(bound, 1));
      const name = field === "price" ? "" : `${say(`facet.${field}`)} `;
      const ends = [chosenRange.min, chosenRange.max].map((end) => (end === undefined ? "" : show(end)));
      const text =
        chosenRange.max === undefined
          ? `≥ ${ends[0]}`
          : chosenRange.min === undefined
            ? `≤ ${ends[1]}`
            : ends.join(" – ");
      chip(name + text, rest);
    }
  }
  if (items.length > 1)
    items.push(
      el("li", {}, el("button", { type: "button", className: "link", onclick: () => change({}) }, say("clear"))),
    );
  place.replaceChildren(...items);
}
