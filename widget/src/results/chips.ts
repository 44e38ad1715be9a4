//! What is chosen, as buttons that remove it.

import type { SearchState, Filters } from "../contract";
import type { Facets } from "./facets";
import type { Shared } from "./shared";

/** One chosen value. */
export interface Chosen {
  field: string;
  /** The value; undefined for a range. */
  id?: string;
  label: string;
}

/** Filters without one that is chosen. */
export function without(filters: Filters, { field, id }: Chosen): Filters {
  const { [field]: filter, ...others } = filters;
  const left = id !== undefined && Array.isArray(filter) ? filter.filter((one) => one !== id) : [];
  return left.length ? { ...filters, [field]: left } : others;
}

/** Everything that is chosen, in its order. */
export function chosen({ context, number }: Shared, { filters }: SearchState, facets: Facets): Chosen[] {
  return Object.entries(filters).flatMap(([field, filter]): Chosen[] => {
    if (Array.isArray(filter)) {
      return filter.map((id) => {
        const label = facets.labels.get(`${field} ${id}`) ?? (context.say(`value.${field}.${id}`) || id);
        return { field, id, label };
      });
    }
    const write = (value: number) =>
      field === "price" ? context.money(value, facets.currency) : number(value, context.language);
    if (field === "rating") return [{ field, label: context.say("value.rating", { n: filter.min ?? 0 }) }];
    const { min, max } = filter;
    const kind = min === undefined ? "max" : max === undefined ? "min" : "range";
    const [from, to] = [min, max].map((value) => write(value ?? 0)) as [string, string];
    return [{ field, label: context.say(`filters.${kind}`, { label: facets.labels.get(field) ?? field, from, to }) }];
  });
}

/** The row of chips; `remove` is called without one to remove all. */
export function chips(
  { el, icon, ICONS, context }: Shared,
  all: Chosen[],
  remove: (one?: Chosen) => void,
): HTMLElement {
  const row = el("ul", { class: "fw-chips", hidden: all.length === 0 });
  for (const one of all) {
    const { label } = one;
    const button = el(
      "button",
      {
        type: "button",
        class: "fw-chip",
        "aria-label": context.say("filters.remove", { label }),
        on: { click: () => remove(one) },
      },
      el("bdi", {}, label),
      icon(ICONS.cross),
    );
    row.append(el("li", {}, button));
  }
  if (all.length > 1) {
    row.append(
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", class: "fw-chip fw-chip-all", on: { click: () => remove() } },
          context.say("filters.clear"),
        ),
      ),
    );
  }
  return row;
}
