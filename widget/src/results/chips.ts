//! What is chosen, as buttons that remove it.

import type { Asked, Filters } from "../contract";
import type { Facets } from "./facets";
import type { Shared } from "./shared";

/** One chosen value. */
export interface Chosen {
  field: string;
  /** The value; undefined for a range. */
  id?: string;
  label: string;
  /** The filters without it. */
  rest: Filters;
}

/** Everything that is chosen, in its order. */
export function chosen({ context, number }: Shared, { filters }: Asked, facets: Facets): Chosen[] {
  return Object.entries(filters).flatMap(([field, filter]): Chosen[] => {
    const { [field]: _, ...others } = filters;
    if (Array.isArray(filter)) {
      return filter.map((id) => {
        const left = filter.filter((one) => one !== id);
        const label = facets.labels.get(`${field} ${id}`) ?? (context.say(`value.${field}.${id}`) || id);
        return { field, id, label, rest: left.length ? { ...filters, [field]: left } : others };
      });
    }
    const write = (value: number) => (field === "price" ? context.money(value, facets.currency) : number(value, context.language));
    const ends = [filter.min, filter.max].map((value) => (value === undefined ? "" : write(value)));
    const label = field === "rating" ? context.say("value.rating", { n: filter.min ?? 0 }) : `${facets.labels.get(field) ?? ""} ${ends.join(" – ")}`.trim();
    return [{ field, label, rest: others }];
  });
}

/** The row of chips. */
export function chips({ el, icon, ICONS, context }: Shared, all: Chosen[], choose: (rest: Filters) => void): HTMLElement {
  const row = el("ul", { class: "fw-chips", hidden: all.length === 0 });
  for (const { label, rest } of all) {
    const button = el("button", { type: "button", class: "fw-chip", "aria-label": context.say("filters.remove", { label }), on: { click: () => choose(rest) } }, label, icon(ICONS.cross));
    row.append(el("li", {}, button));
  }
  if (all.length > 1) {
    row.append(el("li", {}, el("button", { type: "button", class: "fw-chip fw-chip-all", on: { click: () => choose({}) } }, context.say("filters.clear"))));
  }
  return row;
}
