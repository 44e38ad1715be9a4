//! Filters beside the results: groups of check boxes, choices of a rating, ranges.

import type { Facet, Filters, Range } from "../contract";
import { range } from "./range";
import type { Shared } from "./shared";

const SHOWN = 8;
const FIND_FROM = 20;
const STARS = [4, 3, 2, 1];

/** Fields of which only the value `true` is a choice. */
const FLAGS = ["inStock", "discount"];

/** What a change of a filter asks for. */
export type Choose = (field: string, filter: string[] | Range | undefined) => void;

/** All filters of one view; what is folded out and what is looked for stays over responses. */
export class Facets {
  readonly element: HTMLElement;
  /** Labels of values by field and id, also of former responses: chips need them. */
  readonly labels = new Map<string, string>();
  private unfolded = new Set<string>();
  private finds = new Map<string, string>();
  private bounds = new Map<string, Required<Range>>();
  private scope: string;

  constructor(private shared: Shared, private choose: Choose) {
    this.element = shared.el("div", { class: "fw-facets" });
    this.scope = shared.newId("facet");
  }

  /** Whether there is anything to choose. */
  get empty(): boolean {
    return this.element.childElementCount === 0;
  }

  /** Shows the facets of a response that the configuration names; what is returned gives the focus back to the control
   * that had it, which has a cost, so that it is called once everything is drawn. */
  draw(facets: Facet[], filters: Filters): () => void {
    const shown = this.configured(facets).map((facet) => this.facet(facet, filters));
    const refocus = this.rememberFocus();
    this.element.replaceChildren(...this.shared.present(shown));
    return refocus;
  }

  /** Returns what moves the focus to the element with the id of the one that has it now. */
  private rememberFocus(): () => void {
    const root = this.element.getRootNode() as Document | ShadowRoot;
    const { id: focused = "", selectionStart: caret } = (this.element.contains(root.activeElement) ? root.activeElement : {}) as Partial<HTMLInputElement>;
    return () => {
      const next = focused && [...this.element.querySelectorAll<HTMLInputElement>("[id]")].find(({ id }) => id === focused);
      if (!next) return;
      next.focus({ preventScroll: true });
      if (typeof caret === "number") next.setSelectionRange(caret, caret);
    };
  }

  private configured(facets: Facet[]): Facet[] {
    const { filters } = this.shared.context.config;
    if (!Array.isArray(filters)) return filters ? facets : [];
    return filters.flatMap(({ field, label }) => {
      const facet = facets.find((one) => one.field === field);
      return facet ? [label ? { ...facet, label } : facet] : [];
    });
  }

  private facet(facet: Facet, filters: Filters): HTMLElement | null {
    const { field, label } = facet;
    const chosen = filters[field];
    if (field === "rating") return this.group(label, this.ratings(chosen as Range | undefined));
    if (facet.type === "range") return this.range(facet, chosen as Range | undefined);
    const values = (facet.values ?? []).filter(({ id }) => !FLAGS.includes(field) || id === "true");
    for (const value of values) this.labels.set(`${field} ${value.id}`, this.labelOf(field, value.id, value.label));
    if (!values.length) return null;
    return this.group(label, this.values(facet, values, Array.isArray(chosen) ? chosen : []));
  }

  private labelOf(field: string, id: string, label: string): string {
    return (FLAGS.includes(field) && this.shared.context.say(`value.${field}.${id}`)) || label;
  }

  private group(label: string, children: (Node | false)[]): HTMLElement {
    const { el } = this.shared;
    return el("fieldset", { class: "fw-facet" }, el("legend", {}, label), children);
  }

  private values(facet: Facet, values: NonNullable<Facet["values"]>, chosen: string[]): (Node | false)[] {
    const place = this.shared.el("div");
    const fill = () => place.replaceChildren(...this.shared.present(this.rows(facet, values, chosen, fill)));
    fill();
    return [values.length >= FIND_FROM && this.finder(facet, fill), place];
  }

  private rows({ field, label }: Facet, values: NonNullable<Facet["values"]>, chosen: string[], fill: () => void): (Node | false)[] {
    const { el, context } = this.shared;
    const find = this.finds.get(field) ?? "";
    const open = this.unfolded.has(field);
    const matching = values.filter((value) => !find || value.label.toLowerCase().includes(find.toLowerCase()) || chosen.includes(value.id));
    const shown = open || find ? matching : matching.filter(({ id }, at) => at < SHOWN || chosen.includes(id));
    const rows = shown.map((value, at) => {
      const text = this.labels.get(`${field} ${value.id}`)!;
      const change = () => {
        const rest = chosen.filter((id) => id !== value.id);
        const next = input.checked ? [...rest, value.id] : rest;
        this.choose(field, next.length ? next : undefined);
      };
      const input = el("input", { type: "checkbox", id: `${this.scope}-${field}-${value.id}`, on: { change } });
      input.checked = chosen.includes(value.id);
      return el("li", { "data-at": at }, el("label", { class: "fw-choice" }, input, el("span", {}, text), el("span", { class: "fw-count" }, this.shared.number(value.count, context.language))));
    });
    const toggle = () => {
      if (!this.unfolded.delete(field)) this.unfolded.add(field);
      const refocus = this.rememberFocus();
      fill();
      refocus();
    };
    const more = matching.length > SHOWN && !find && el("button", { type: "button", class: "fw-more-values", id: `${this.scope}-${field}-all`, "aria-expanded": String(open), on: { click: toggle } },
      context.say(open ? "filters.less" : "filters.more", { n: matching.length, label }));
    return [el("ul", { class: "fw-values" }, rows), more];
  }

  /** A field that shows only the values that contain its text; it stays itself, for the sake of caret and composition. */
  private finder({ field, label }: Facet, fill: () => void): HTMLElement {
    const { el, context } = this.shared;
    const name = context.say("filters.find", { label });
    const input = el("input", {
      type: "search", class: "fw-find", id: `${this.scope}-${field}-find`, "aria-label": name, placeholder: name, value: this.finds.get(field), autocomplete: "off",
      on: { input: () => { this.finds.set(field, input.value); fill(); } },
    });
    return input;
  }

  private ratings(chosen: Range | undefined): Node[] {
    const { el, context } = this.shared;
    const rows = STARS.map((n) => {
      const label = context.say("value.rating", { n });
      const input = el("input", { type: "radio", name: `${this.scope}-rating`, id: `${this.scope}-rating-${n}`, on: { change: () => this.choose("rating", { min: n }) } });
      input.checked = chosen?.min === n;
      return el("li", {}, el("label", { class: "fw-choice" }, input, el("span", {}, label)));
    });
    return [el("ul", { class: "fw-values" }, rows)];
  }

  private range(facet: Facet, chosen: Range | undefined): HTMLElement | null {
    const { field, label } = facet;
    this.labels.set(field, label);
    if (typeof facet.min !== "number" || typeof facet.max !== "number") return null;
    const former = chosen && this.bounds.get(field);
    // A chosen range does not narrow its own bounds.
    const bounds = { min: Math.min(facet.min, former?.min ?? facet.min), max: Math.max(facet.max, former?.max ?? facet.max) };
    this.bounds.set(field, bounds);
    if (bounds.min === bounds.max && !chosen) return null;
    const money = field === "price";
    const write = (value: number) => (money ? this.shared.context.money(value, this.currency) : this.shared.number(value, this.shared.context.language));
    return this.group(label, range(this.shared, { id: `${this.scope}-${field}`, label, bounds, chosen, write, choose: (next) => this.choose(field, next) }));
  }

  /** Currency of the prices that are shown. */
  currency: string | undefined;
}
