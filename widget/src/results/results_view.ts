//! What is drawn of results: filters, chips, cards, banners and messages, the newest response in portions.

import type { Filters, ProductHit, SearchResponse, SearchState, Suggestions } from "../contract";
import { banners } from "./banners";
import { CardList, inSight } from "./card_list";
import { chips, chosen, without } from "./chips";
import { heading, type Correction } from "./correction";
import { help, offered } from "./empty";
import { Facets } from "./facets";
import { failure } from "./failure";
import { links } from "./links";
import { Portions } from "./portions";
import type { Shared } from "./shared";
import type { SheetEntry } from "./sheet_entry";
import { Toolbar } from "./toolbar";

/** Cards that are drawn in the task of a response; the others in sight follow within a frame or two. */
const AT_ONCE = 4;

/** What a view needs from the layer or page that it stands in. */
export interface ViewOwner {
  /** The light element whose children are slotted. */
  host: HTMLElement;
  /** Called with every response that is drawn. */
  drawn(response: SearchResponse | undefined): void;
  /** Keeps where the page is scrolled to, before it is left. */
  leaving(): void;
}

/** What a view needs from the searches whose results it shows. */
export interface Searches {
  readonly state: SearchState;
  /** The query whose results are shown in place of the typed one. */
  readonly correction: Correction | undefined;
  /** The history of the sheet of filters. */
  readonly sheet: SheetEntry;
  asTyped(): void;
  change(next: Partial<SearchState>, gesture?: string): void;
  showMore(): Promise<void>;
}

/** Results with their filters. */
export class ResultsView {
  readonly element: HTMLElement;
  private hits: ProductHit[] = [];
  private queryId = "";
  /** What is left of drawing the newest response. */
  private portions = new Portions();
  private speaking = 0;
  private facets: Facets;
  private toolbar: Toolbar;
  private status: HTMLElement;
  private title: HTMLElement;
  private chips: HTMLElement;
  private links: HTMLElement;
  private cards: CardList;
  private top: HTMLElement;
  private bottom: HTMLElement;
  private more: HTMLButtonElement;
  private notice: HTMLElement;

  constructor(
    private shared: Shared,
    private owner: ViewOwner,
    private searches: Searches,
  ) {
    const { el, newId, context } = shared;
    const lost = () => this.title.focus({ preventScroll: true });
    this.facets = new Facets(shared, {
      filters: () => searches.state.filters,
      choose: (field, filter, gesture) => {
        const { [field]: _, ...others } = searches.state.filters;
        searches.change({ filters: filter ? { ...searches.state.filters, [field]: filter } : others }, gesture);
      },
      lost,
    });
    this.toolbar = new Toolbar(
      shared,
      this.facets.element,
      (sort) => searches.change({ sort }, "sort"),
      searches.sheet,
    );
    this.title = el("h2", { class: "fw-title", id: newId("title"), tabindex: -1 }, context.say("results.title"));
    this.status = el("div", { class: "fw-hidden", role: "status", "aria-live": "polite" });
    this.chips = el("ul", { hidden: true });
    this.links = el("ul", { class: "fw-links", hidden: true });
    this.cards = new CardList(shared, { host: owner.host, clicked: (event) => this.clicked(event), lost });
    this.top = el("div", { class: "fw-banners" });
    this.bottom = el("div", { class: "fw-banners" });
    this.notice = el("div", { class: "fw-notice" });
    this.more = el("button", {
      type: "button",
      class: "fw-button fw-more",
      hidden: true,
      on: { click: () => void searches.showMore() },
    });
    const section = el(
      "section",
      { class: "fw-results", "aria-labelledby": this.title.id },
      el("div", { class: "fw-head" }, this.title, this.toolbar.element),
      this.chips,
      this.links,
      this.top,
      this.notice,
      this.cards.element,
      this.more,
      this.bottom,
    );
    this.element = el("div", { class: "fw-view", "data-empty": true }, this.toolbar.side, section, this.status);
  }

  /** Shows that a response is waited for. */
  wait(): void {
    this.element.setAttribute("aria-busy", "true");
    this.element.dataset["waiting"] = "";
  }

  /** Ends waiting. */
  settle(): void {
    delete this.element.dataset["waiting"];
    this.rest();
  }

  /** Ends waiting and drawing; what is drawn stays. */
  halt(): void {
    this.portions.stop();
    this.settle();
  }

  /** Says nothing that a screen reader has not been given yet. */
  silence(): void {
    clearTimeout(this.speaking);
  }

  /** Closes the drawer of filters. */
  close(): void {
    this.toolbar.close();
  }

  /** Shows no results. */
  clear(): void {
    this.blank();
    this.owner.drawn(undefined);
  }

  private blank(): void {
    this.hits = [];
    this.halt();
    this.element.dataset["empty"] = "";
    this.title.hidden = false;
    for (const part of [this.top, this.bottom, this.notice]) this.redraw(part, () => part.replaceChildren());
    this.cards.clear();
    this.facets.clear();
    this.more.hidden = this.chips.hidden = this.links.hidden = true;
    this.toolbar.draw(this.searches.state, undefined, true, 0);
  }

  /** Shows what is offered before anything is typed. */
  async offer(found: Suggestions, current: () => boolean): Promise<void> {
    const parts = this.shared.present(await offered(this.shared, found));
    if (!current() || !parts.length) return;
    this.title.hidden = true;
    this.notice.replaceChildren(...parts);
    delete this.element.dataset["empty"];
  }

  /**
   * Draws what can be in sight at once, the rest in portions: filters first, then the cards below. `current` is false
   * once a newer search has begun.
   */
  draw(response: SearchResponse, themed: Map<string, HTMLElement>, current: () => boolean): void {
    const { config } = this.shared.context;
    const { hits, total } = response.products;
    this.hits = hits;
    this.queryId = response.queryId;
    delete this.element.dataset["waiting"];
    delete this.element.dataset["empty"];
    this.title.hidden = false;
    this.facets.currency = hits[0]?.currency ?? config.currency?.base;
    const filters = this.facets.steps(response.facets);
    const cards = this.cards.steps({ hits, from: 0, themed, queryId: response.queryId });
    const seen = cards.splice(0, Math.min(inSight(config.layout), hits.length));
    for (const step of seen.splice(0, AT_ONCE)) step();
    this.drawAround(response, filters.length === 0, current);
    this.announce(total);
    this.owner.drawn(response);
    const { q } = this.searches.state;
    this.portions.start([...seen, ...filters, ...cards, () => this.drawn(response, q)]);
  }

  /** Draws what is left at once. */
  finish(): void {
    this.portions.finish();
  }

  /** Shows that the next page is waited for; returns the number of hits before it, none if it cannot be shown now. */
  startMore(): number | undefined {
    if (this.element.dataset["waiting"] !== undefined || this.more.hasAttribute("aria-busy")) return undefined;
    this.finish();
    this.more.setAttribute("aria-busy", "true");
    return this.hits.length;
  }

  /** Those of `hits` that are not shown. */
  unseen(hits: ProductHit[]): ProductHit[] {
    const shown = new Set(this.hits.map(({ id }) => id));
    return hits.filter(({ id }) => !shown.has(id));
  }

  /** Draws hits behind those that are there, the first of them at once; the focus goes to the first. */
  add(hits: ProductHit[], themed: Map<string, HTMLElement>, total: number): void {
    const from = this.hits.length;
    const steps = this.cards.steps({ hits, from, themed, queryId: this.queryId });
    for (const step of steps.splice(0, AT_ONCE)) step();
    this.portions.start([...steps, () => this.rest()]);
    this.hits = [...this.hits, ...hits];
    this.drawMore(hits.length ? total : 0);
    this.cards.focus(from);
    this.announce(total);
  }

  /** Says that the next page did not come. What is there stays; the button is the way to try again. */
  failMore(): void {
    const { say } = this.shared.context;
    this.more.textContent = this.status.textContent = `${say("error.title")} ${say("error.retry")}`;
  }

  /** The next page is waited for no longer. */
  endMore(): void {
    this.more.removeAttribute("aria-busy");
  }

  /** Shows in the place of results that none came, with the ways on. */
  fail(offline: boolean, retry: () => void, leave: (() => void) | false): void {
    this.blank();
    delete this.element.dataset["empty"];
    this.title.textContent = this.shared.context.say("results.title");
    this.redraw(this.notice, () => this.notice.replaceChildren(...failure(this.shared, offline, retry, leave)));
  }

  private choose(filters: Filters): void {
    this.searches.change({ filters });
  }

  /** The results are busy as long as a response is waited for or has portions left. */
  private rest(): void {
    if (this.portions.done && this.element.dataset["waiting"] === undefined) this.element.removeAttribute("aria-busy");
  }

  /** All portions of a response are on the page. */
  private drawn(response: SearchResponse, q: string): void {
    this.drawMore(response.products.total);
    this.drawBanners(response, "bottom");
    this.rest();
    this.shared.context.emit("results", { query: q, queryId: response.queryId, ids: this.hits.map(({ id }) => id) });
  }

  private drawAround(response: SearchResponse, noFilters: boolean, current: () => boolean): void {
    const { shared, searches } = this;
    const { state } = searches;
    const { total } = response.products;
    const all = chosen(shared, state, this.facets);
    const row = chips(shared, all, (one) => {
      this.choose(one ? without(searches.state.filters, one) : {});
      // The chip that was clicked goes away; the heading keeps the focus in the results.
      this.title.focus({ preventScroll: true });
    });
    this.redraw(this.chips, () => {
      this.chips.replaceWith(row);
      this.chips = row;
    });
    this.redraw(this.links, () => this.drawLinks(response));
    this.toolbar.draw(state, total, noFilters, all.length);
    if (!total) this.more.hidden = true;
    this.drawBanners(response, "top");
    this.redraw(this.notice, () => this.notice.replaceChildren(...this.wayBack()));
    if (total > 0) return;
    void help(shared, this.notice, state, response, all, (next) => searches.change(next), current);
  }

  /** The way back from a corrected query to the words as typed. */
  private wayBack(): HTMLElement[] {
    const { shared, searches } = this;
    if (!searches.correction) return [];
    const text = shared.context.say("none.typed", { q: searches.state.q.trim() });
    const click = () => searches.asTyped();
    return [shared.el("p", {}, shared.el("button", { type: "button", class: "fw-chip", on: { click } }, text))];
  }

  /** Replaces a part of the view; a focus that stood in it goes to the heading. */
  private redraw(part: HTMLElement, replace: () => void): void {
    const { activeElement } = this.element.getRootNode() as Document | ShadowRoot;
    const focused = part.contains(activeElement);
    replace();
    if (focused && !activeElement!.isConnected) this.title.focus({ preventScroll: true });
  }

  private drawBanners({ queryId, banners: all }: SearchResponse, position: "top" | "bottom"): void {
    const click = (id: string) => this.shared.context.events.click(queryId, id, undefined, "banners");
    this.redraw(this[position], () => this[position].replaceChildren(...banners(this.shared, all, position, click)));
  }

  private drawLinks(response: SearchResponse): void {
    this.links.replaceChildren(...(this.searches.state.q.trim() ? links(this.shared, response) : []));
    this.links.hidden = !this.links.childElementCount;
  }

  private drawMore(total: number): void {
    const shown = this.hits.length;
    this.more.hidden = shown >= total || !shown;
    this.more.textContent = this.shared.context.say("results.more", { shown, total });
  }

  private announce(n: number): void {
    const { say } = this.shared.context;
    const q = this.searches.state.q.trim();
    this.silence();
    const text = heading(say, q, n, this.searches.correction);
    this.title.textContent = text;
    this.speaking = window.setTimeout(() => {
      this.status.textContent = text;
    }, 500);
  }

  private clicked(event: MouseEvent): void {
    const shown = this.cards.at(event);
    if (!shown || !event.composedPath().some((one) => one instanceof HTMLAnchorElement && one.href)) return;
    const { hit, position, queryId } = shown;
    this.shared.context.events.click(queryId, hit.id, position);
    this.shared.context.emit("select", { kind: "products", text: hit.name, ids: [hit.id], queryId });
    this.owner.leaving();
  }
}
