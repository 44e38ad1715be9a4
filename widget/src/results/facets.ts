//! Filters beside the results: groups of check boxes, choices of a rating, ranges.

import type { Facet, Filters, Range } from "../contract";
import type { Step } from "./portions";
import { range } from "./range";
import type { Shared } from "./shared";

const SHOWN = 8;
const FIND_FROM = 20;
const STARS = [4, 3, 2, 1];

/** Fields of which only the value `true` is a choice. */
const FLAGS = ["inStock", "discount"];

/** What filters need from the view that they stand in. */
export interface FacetUses {
  /** What is chosen now, which a response that is still on its way need not show yet. */
  filters(): Filters;
  /** Asks for another choice of a field; `gesture` names a control that keys change step by step. */
  choose(field: string, filter: string[] | Range | undefined, gesture?: string): void;
  /** The filter that had the focus is gone. */
  lost(): void;
}

/** All filters of one view; what is folded out and what is looked for stays over responses. */
export class Facets {
  readonly element: HTMLElement;
  /** Labels of values by field and id, also of former responses: chips need them. */
  readonly labels = new Map<string, string>();
  private groups = new Map<string, HTMLElement>();
  private unfolded = new Set<string>();
  private finds = new Map<string, string>();
  private bounds = new Map<string, Required<Range>>();
  /** Ranges that the shopper is changing. */
  private edited = new Set<string>();
  private scope: string;

  constructor(
    private shared: Shared,
    private uses: FacetUses,
  ) {
    this.element = shared.el("div", { class: "fw-facets" });
    this.scope = shared.newId("facet");
  }

  /** The steps that show the facets of a response that the configuration names, one each; what is no longer there goes at
   * once, the rest keeps its element, and with it the height that the browser knows of it out of sight. */
  steps(facets: Facet[]): Step[] {
    const shown = this.configured(facets).filter((facet) => this.prepare(facet));
    const focused = this.focused();
    for (const [field, group] of this.groups) {
      if (shown.some((facet) => facet.field === field)) continue;
      group.remove();
      this.groups.delete(field);
    }
    if (focused && !this.element.contains(focused)) this.uses.lost();
    return shown.map((facet, at) => () => this.put(facet, at));
  }

  clear(): void {
    this.steps([]);
  }

  private put(facet: Facet, at: number): void {
    const { el } = this.shared;
    const { field, label } = facet;
    let group = this.groups.get(field);
    if (!group) this.groups.set(field, (group = el("fieldset", { class: "fw-facet" })));
    // A response to what was let go before must not take a handle out of the shopper's hand.
    if (this.edited.has(field) && group.contains(this.focused())) return;
    this.edited.delete(field);
    const refocus = this.rememberFocus(group);
    const rows =
      field === "rating" || facet.type === "range" ? STARS.length : Math.min(this.choices(facet).length, SHOWN + 2);
    group.style.setProperty("--fw-rows", String(rows));
    const children = this.content(facet);
    group.replaceChildren(el("legend", {}, label), ...this.shared.present(children));
    if (this.element.children[at] !== group) this.element.insertBefore(group, this.element.children[at] ?? null);
    refocus();
  }

  private focused(): Element | null {
    const { activeElement } = this.element.getRootNode() as Document | ShadowRoot;
    return this.element.contains(activeElement) ? activeElement : null;
  }

  /** Returns what moves the focus to the element of a group with the id of the one that has it now. */
  private rememberFocus(group: HTMLElement): () => void {
    const had = this.focused() as HTMLInputElement | null;
    if (!had || !group.contains(had)) return () => {};
    const { id: focused, selectionStart: caret } = had;
    return () => {
      const next = [...group.querySelectorAll<HTMLInputElement>("[id]")].find(({ id }) => id === focused);
      if (!next) return this.uses.lost();
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

  /** Notes labels and bounds of a facet; returns whether there is anything to choose. */
  private prepare(facet: Facet): boolean {
    const { field, label, type, min, max } = facet;
    if (field === "rating") return true;
    if (type !== "range") {
      const values = this.choices(facet);
      for (const { id, label } of values) this.labels.set(`${field} ${id}`, this.labelOf(field, id, label));
      return values.length > 0;
    }
    this.labels.set(field, label);
    if (typeof min !== "number" || typeof max !== "number") return false;
    const chosen = this.uses.filters()[field];
    const former = chosen && this.bounds.get(field);
    // A chosen range does not narrow its own bounds.
    const bounds = { min: Math.min(min, former?.min ?? min), max: Math.max(max, former?.max ?? max) };
    this.bounds.set(field, bounds);
    return bounds.min !== bounds.max || !!chosen;
  }

  private content(facet: Facet): (Node | false)[] {
    const { field, type } = facet;
    if (field === "rating") return this.ratings();
    return type === "range" ? this.range(facet) : this.values(facet, this.choices(facet));
  }

  private choices({ field, values }: Facet): NonNullable<Facet["values"]> {
    return (values ?? []).filter(({ id }) => !FLAGS.includes(field) || id === "true");
  }

  /** The chosen values of a field. */
  private chosen(field: string): string[] {
    const filter = this.uses.filters()[field];
    return Array.isArray(filter) ? filter : [];
  }

  private labelOf(field: string, id: string, label: string): string {
    return (FLAGS.includes(field) && this.shared.context.say(`value.${field}.${id}`)) || label;
  }

  private values(facet: Facet, values: NonNullable<Facet["values"]>): (Node | false)[] {
    const place = this.shared.el("div");
    const fill = () => place.replaceChildren(...this.shared.present(this.rows(facet, values, fill)));
    fill();
    return [values.length >= FIND_FROM && this.finder(facet, fill), place];
  }

  private rows({ field, label }: Facet, values: NonNullable<Facet["values"]>, fill: () => void): (Node | false)[] {
    const { el, context } = this.shared;
    const chosen = this.chosen(field);
    const find = this.finds.get(field) ?? "";
    const open = this.unfolded.has(field);
    const matching = values.filter(
      (value) => !find || value.label.toLowerCase().includes(find.toLowerCase()) || chosen.includes(value.id),
    );
    const shown = open || find ? matching : matching.filter(({ id }, at) => at < SHOWN || chosen.includes(id));
    const rows = shown.map((value, at) => {
      const text = this.labels.get(`${field} ${value.id}`)!;
      const change = () => {
        const rest = this.chosen(field).filter((id) => id !== value.id);
        const next = input.checked ? [...rest, value.id] : rest;
        this.uses.choose(field, next.length ? next : undefined);
      };
      const input = el("input", { type: "checkbox", id: `${this.scope}-${field}-${value.id}`, on: { change } });
      input.checked = chosen.includes(value.id);
      return el(
        "li",
        { "data-at": at },
        el(
          "label",
          { class: "fw-choice" },
          input,
          el("span", {}, text),
          el("span", { class: "fw-count" }, this.shared.number(value.count, context.language)),
        ),
      );
    });
    const toggle = () => {
      if (!this.unfolded.delete(field)) this.unfolded.add(field);
      const refocus = this.rememberFocus(this.element);
      fill();
      refocus();
    };
    const more =
      matching.length > SHOWN &&
      !find &&
      el(
        "button",
        {
          type: "button",
          class: "fw-more-values",
          id: `${this.scope}-${field}-all`,
          "aria-expanded": String(open),
          on: { click: toggle },
        },
        context.say(open ? "filters.less" : "filters.more", { n: matching.length, label }),
      );
    return [el("ul", { class: "fw-values" }, rows), more];
  }

  /**
   * A field that shows only the values that contain its text; it stays itself, for the sake of caret and composition.
   */
  private finder({ field, label }: Facet, fill: () => void): HTMLElement {
    const { el, context } = this.shared;
    const name = context.say("filters.find", { label });
    const input = el("input", {
      type: "search",
      class: "fw-find",
      id: `${this.scope}-${field}-find`,
      "aria-label": name,
      placeholder: name,
      value: this.finds.get(field),
      autocomplete: "off",
      on: {
        input: () => {
          this.finds.set(field, input.value);
          fill();
        },
      },
    });
    return input;
  }

  private ratings(): Node[] {
    const { el, context } = this.shared;
    const chosen = this.uses.filters()["rating"] as Range | undefined;
    const rows = STARS.map((n) => {
      const label = context.say("value.rating", { n });
      const input = el("input", {
        type: "radio",
        name: `${this.scope}-rating`,
        id: `${this.scope}-rating-${n}`,
        on: { change: () => this.uses.choose("rating", { min: n }, "rating") },
      });
      input.checked = chosen?.min === n;
      return el("li", {}, el("label", { class: "fw-choice" }, input, el("span", {}, label)));
    });
    return [el("ul", { class: "fw-values" }, rows)];
  }

  private range({ field, label }: Facet): Node[] {
    const { context, number } = this.shared;
    const write = (value: number) =>
      field === "price" ? context.money(value, this.currency) : number(value, context.language);
    const chosen = this.uses.filters()[field] as Range | undefined;
    return range(this.shared, {
      id: `${this.scope}-${field}`,
      label,
      bounds: this.bounds.get(field)!,
      chosen,
      write,
      edits: (on) => void (on ? this.edited.add(field) : this.edited.delete(field)),
      choose: (next, control) => this.uses.choose(field, next, control),
    });
  }

  /** Currency of the prices that are shown. */
  currency: string | undefined;
}
