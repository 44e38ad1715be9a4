// The tab "Filters": what shoppers can narrow results by, in their order, and the form of a filter.

import { productField } from "../change-values.js";
import { el, fill } from "../element.js";
import { PATHS, filterFields, readFilter } from "../filter-form.js";
import { messageOf } from "../form.js";
import { report } from "../frame.js";
import { draggable } from "./dragging.js";
import { changeAll, isDropped, withDraft } from "./draft.js";
import { addedRows, edit, part, savedRow } from "./records.js";
import { saved, savedOf } from "./saved.js";
import { id, on, state } from "./state.js";
import { say } from "./words.js";

function make(record, target) {
  const used = saved.filters.filter((one) => savedOf(`filters/${one.id}`)).map((one) => one.field);
  return filterFields(record, { store: id, saved: Boolean(target.resource), languages: state.store.languages, used });
}

const read = (values, record, form) => readFilter(values, record, form, state.store.languages);
const open = (target) =>
  edit("filters", target, {
    title: say("filterTitle"),
    make,
    read,
    paths: PATHS,
    initial: { field: "", config: {}, active: true },
  }).catch((error) => report(messageOf(error), true));

const about = (one) => productField(one.field);

// The filters that stay, in the order of the draft.
function ordered() {
  const all = saved.filters.map((one) => `filters/${one.id}`).filter((one) => savedOf(one));
  return all
    .map((resource) => ({ resource, record: isDropped(resource) ? savedOf(resource) : withDraft(resource) }))
    .sort((a, b) => a.record.position - b.record.position);
}

// Moves a filter to a place; all places are counted anew, so that equal ones cannot stay. The whole is one step.
function move(resource, to, way) {
  const list = ordered();
  const at = list.findIndex((one) => one.resource === resource);
  if (at < 0 || to < 0 || to >= list.length || to === at) return;
  list.splice(to, 0, ...list.splice(at, 1));
  changeAll(
    list
      .map((one, place) => ({ ...one, place }))
      .filter(({ resource: id, record, place }) => record.position !== place && !isDropped(id))
      .map(({ resource: id, place }) => [id, { position: place }]),
  );
  const row = document.querySelector(`[data-record="${CSS.escape(resource)}"]`);
  (row?.querySelector(`.${way}:enabled`) ?? row?.querySelector(".up:enabled, .down:enabled"))?.focus();
}

export function filters() {
  const list = el("div", { className: "stack" });
  const shown = el("div", { className: "stack" });
  const draw = () => {
    const all = ordered();
    const rows = all.map(({ resource, record }, at) => {
      const row = savedRow(
        "filters",
        { ...record, id: resource.split("/")[1] },
        {
          open,
          about,
          more: [
            { way: "up", to: at - 1 },
            { way: "down", to: at + 1 },
          ].map(({ way, to }) =>
            el(
              "button",
              {
                className: `link ${way}`,
                type: "button",
                disabled: to < 0 || to >= all.length,
                onclick: () => move(resource, to, way),
              },
              say(`move.${way}One`),
              el("span", { className: "unseen" }, ` ${about(record)}`),
            ),
          ),
        },
      );
      if (state.store.editor) draggable(row, "filter", resource, (other) => move(other, at, "up"));
      return row;
    });
    fill(list, part("", rows), part(say("inYourDraft"), addedRows("filters", { open, about })));
  };
  const drawShown = () =>
    fill(
      shown,
      el("h2", {}, say("facetsNow")),
      el(
        "ul",
        {},
        (state.last?.facets ?? []).map((facet) =>
          el(
            "li",
            {},
            facet.label,
            el(
              "span",
              { className: "quiet" },
              facet.values
                ? `: ${facet.values
                    .slice(0, 6)
                    .map((one) => one.label ?? one.id)
                    .join(", ")}`
                : "",
            ),
          ),
        ),
      ),
    );
  on("draft", draw);
  on("saved", draw);
  on("result", drawShown);
  draw();
  drawShown();
  const adding = state.store.editor
    ? el("button", { className: "button slim", type: "button", onclick: () => open({}) }, say("addFilter"))
    : null;
  return [el("p", { className: "hint" }, say("filtersAbout")), el("div", { className: "row" }, adding), list, shown];
}
