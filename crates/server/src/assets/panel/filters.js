// The filters of a store in the order in which shoppers see them: take over automatic ones, edit, order, add.

import { CallError, call, get, post } from "./call.js";
import { productField } from "./change-values.js";
import { el, fill } from "./element.js";
import { PATHS, filterFields, readFilter } from "./filter-form.js";
import { button, table } from "./form.js";
import { page, parts, report, roleNotice } from "./frame.js";
import { actions, edit } from "./records.js";
import { storeOf } from "./store-access.js";
import { say } from "./words.js";
import { languageTitle } from "./language-names.js";

const id = parts[1];
const list = `/stores/${id}/filters`;

// Returns a filter as it is saved now, with its entity tag; null if it is gone or no longer where the list has it.
async function unmoved(filter) {
  try {
    const { data, etag } = await call("GET", `${list}/${filter.id}`);
    return data.position === filter.position && data.field === filter.field ? [`filters/${filter.id}`, etag] : null;
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 404) throw error;
    return null;
  }
}

// Moves a filter before or behind its neighbour: all places are counted anew and saved as one revision. Writes nothing
// if somebody else has moved one of them.
async function move(filters, at, by) {
  const order = [...filters];
  [order[at], order[at + by]] = [order[at + by], order[at]];
  const moved = order
    .map((filter, position) => [filter, position])
    .filter(([filter, position]) => filter.position !== position);
  const tags = await Promise.all(moved.map(([filter]) => unmoved(filter)));
  if (tags.includes(null)) return report(say("filtersMoved"), true);
  const update = Object.fromEntries(moved.map(([filter, position]) => [filter.id, { position }]));
  await post(`/stores/${id}/changes`, { draft: { filters: { update } }, ifMatch: Object.fromEntries(tags) });
  return report(say("saved"));
}

function ordering(filters, at, redraw) {
  const step = (by, word, sign) => {
    const name = `${say(word)}: ${productField(filters[at].field)}`;
    const control = button(
      sign,
      async () => {
        await move(filters, at, by);
        await redraw();
        document.querySelector(`[aria-label="${CSS.escape(name)}"]`)?.focus();
      },
      report,
      "button slim",
    );
    control.setAttribute("aria-label", name);
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
    const { languages } = store;
    const read = (values, filter, form) => readFilter(values, filter, form, languages);
    const fields = (filter, saved) => filterFields(filter, { store: id, saved, languages, used });
    const open = (path, title) =>
      edit({
        title,
        list,
        path,
        initial: { field: "", config: {}, active: true },
        fields,
        read,
        paths: PATHS,
        saved: redraw,
      });
    const rows = filters.map((filter, at) => {
      const path = `${list}/${filter.id}`;
      const field = productField(filter.field);
      const item = {
        path,
        name: field,
        active: filter.active,
        open: () => open(path, say("editFilter", { field })),
        redraw,
      };
      const labels = Object.entries(filter.label ?? {})
        .map(([code, label]) => `${languageTitle(code)}: ${label}`)
        .join(", ");
      return [
        el("span", { title: filter.field }, field),
        labels || say("automatic"),
        say(`filterType.${filter.type}`),
        say(filter.active ? "stateOn" : "stateOff"),
        store.editor ? ordering(filters, at, redraw) : "",
        store.editor ? actions(item) : "",
      ];
    });
    const heads = [
      say("filterField"),
      say("filterLabels"),
      say("filterType"),
      say("state"),
      say("order"),
      say("actions"),
    ];
    const sync = button(
      say("syncFilters"),
      async () => {
        const { created } = await post(`${list}/sync`);
        report(say("filtersSynced", { n: created }));
        await redraw();
      },
      report,
      "button strong",
    );
    fill(
      main,
      el("h1", {}, say("filtersOf", { name: store.name })),
      store.editor
        ? el(
            "div",
            { className: "row" },
            sync,
            button(say("newFilter"), () => open(null, say("newFilter")), report),
          )
        : await roleNotice(store.account),
      rows.length > 0 ? table(say("filters"), heads, rows) : el("p", {}, say("noFilters")),
    );
  };
  await redraw();
});
