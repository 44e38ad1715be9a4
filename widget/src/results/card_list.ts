//! The cards on the page: each place in the list keeps its element, so that its height stays known and nothing is blank
//! while other hits are drawn into it, portion by portion.

import type { ProductHit } from "../contract";
import { card, type Card } from "./cards";
import type { Step } from "./portions";
import type { Shared } from "./shared";

/** What stands in a place of the list. */
export interface Shown {
  hit: ProductHit;
  /** Place among all hits, from 1. */
  position: number;
  queryId: string;
}

/** Hits to be drawn. */
export interface Drawing {
  hits: ProductHit[];
  /** How many hits stand before them. */
  from: number;
  /** The theme's cards by product. */
  themed: Map<string, HTMLElement>;
  queryId: string;
}

/** What the list needs from its view. */
export interface CardUses {
  /** The light element whose children are slotted. */
  host: HTMLElement;
  clicked(event: MouseEvent): void;
  /** The card that had the focus is gone. */
  lost(): void;
}

/** The list of cards of one view. */
export class CardList {
  readonly element: HTMLOListElement;
  private shown = new WeakMap<Element, Shown>();

  constructor(
    private shared: Shared,
    private uses: CardUses,
  ) {
    const { clicked } = uses;
    this.element = shared.el("ol", {
      class: "fw-cards",
      on: { click: clicked, auxclick: (event) => event.button === 1 && clicked(event) },
    });
  }

  /** What the event happened on. */
  at(event: Event): Shown | undefined {
    const place = event.composedPath().find((one) => one instanceof Element && one.parentElement === this.element);
    return place && this.shown.get(place as Element);
  }

  clear(): void {
    this.cut(0);
  }

  /** The steps that draw hits, one card each; what stands behind their places is removed at once. */
  steps(drawing: Drawing): Step[] {
    const { hits, from, themed } = drawing;
    const { context, live, fillLive } = this.shared;
    const waiting = live(context);
    const added: Card[] = [];
    const steps = hits.map((hit, at) => () => {
      const made = this.put(drawing, hit, from + at, waiting);
      if (made) added.push(made);
    });
    let drawn = () => {};
    const all = new Promise<void>((done) => {
      drawn = done;
    });
    const priced = waiting ? hits.filter(({ id }) => !themed.has(id)).map(({ id }) => id) : [];
    if (priced.length)
      void fillLive(
        context,
        priced,
        all.then(() => added),
      );
    this.cut(from + hits.length);
    return [...steps, drawn];
  }

  /** Draws a hit into its place; returns the widget's own card. */
  private put({ themed, queryId }: Drawing, hit: ProductHit, at: number, waiting: boolean): Card | undefined {
    const { el } = this.shared;
    const theirs = themed.get(hit.id);
    const name = `fw-card-${at}`;
    let place = this.element.children[at];
    if (!place) this.element.append((place = el("li", { class: "fw-card" })));
    this.shown.set(place, { hit, position: at + 1, queryId });
    place.classList.toggle("fw-themed", !!theirs);
    this.slotted(name)?.remove();
    if (theirs) {
      this.uses.host.append(el("div", { slot: name }, theirs));
      place.replaceChildren(el("slot", { name }));
      return undefined;
    }
    const made = card(this.shared, hit, at, waiting);
    const focused = this.focused(place);
    place.replaceChildren(made.node);
    if (focused) this.focus(at);
    return made;
  }

  private cut(length: number): void {
    for (let place; (place = this.element.children[length]);) {
      const slot = place.querySelector("slot");
      if (slot) this.slotted(slot.name)?.remove();
      const focused = this.focused(place);
      place.remove();
      if (focused) this.uses.lost();
    }
  }

  private focused(place: Element): boolean {
    return place.contains((this.element.getRootNode() as Document | ShadowRoot).activeElement);
  }

  private slotted(name: string): Element | null {
    return this.uses.host.querySelector(`:scope > [slot="${name}"]`);
  }

  /** Moves the focus to the link of a card. */
  focus(at: number): void {
    const place = this.element.children[at];
    const slot = place?.querySelector("slot")?.assignedElements()[0];
    (slot ?? place)?.querySelector<HTMLElement>("a")?.focus();
  }
}

/** At least how many cards can be in sight at the top of the list: these are drawn at once. */
export function inSight(layout: string): number {
  if (layout === "list") return Math.ceil(innerHeight / 100);
  const columns = 2 + [640, 1000, 1400, 1800, 2200].filter((width) => innerWidth >= width).length;
  const height = Math.min((innerWidth - (innerWidth < 860 ? 0 : 320)) / columns, 600) + 90;
  return columns * Math.ceil((innerHeight - 150) / height);
}
