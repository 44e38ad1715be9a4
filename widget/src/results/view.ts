//! One view of results: asks for what is chosen, draws the newest response, and tells its owner what changed.

import type { SearchState, Filters, ProductHit, SearchResponse } from "../contract";
import { banners } from "./banners";
import { CardList, inSight } from "./card_list";
import { chips, chosen, without } from "./chips";
import { help } from "./empty";
import { Facets } from "./facets";
import { failure } from "./failure";
import { links } from "./links";
import { Portions } from "./portions";
import type { Shared } from "./shared";
import { themeCards } from "./theme_cards";
import { Toolbar } from "./toolbar";

/** Hits of a page; at most four pages are asked in one request. */
const PAGE = 24;
const PAGES_AT_ONCE = 4;
const THEMED_PATIENCE = 3000;
/** Cards that are drawn in the task of a response; the others in sight follow within a frame or two. */
const AT_ONCE = 4;

/** Why results are asked. */
export type Why = "typed" | "submitted" | "changed" | "restored" | "repeated";

/** What a view needs from the layer or page that it stands in. */
export interface Owner {
  types: NonNullable<import("../contract").SearchRequest["types"]>;
  /** The light element whose children are slotted. */
  host: HTMLElement;
  /** Writes what is asked into the address, as an entry of its own or in the place of the present one. */
  write(state: SearchState, push: boolean): void;
  /** The shopper chose another query in the view. */
  query(q: string): void;
  /** Called with every response that is drawn. */
  drawn(response: SearchResponse | undefined): void;
  /** The service did not respond to a query; returns whether the shopper gets the shop's own results instead. */
  away(q: string, submitted: boolean): boolean;
  /** Whether there is a search of the shop's own. */
  canLeave(): boolean;
  /** Keeps where the page is scrolled to, before it is left. */
  leaving(): void;
  /** Leaves for the address of a redirect. */
  redirect(address: string): void;
}

/** Results with their filters. */
export class View {
  readonly element: HTMLElement;
  state: SearchState = { q: "", sort: "relevance", filters: {}, pages: 1 };
  private response: SearchResponse | undefined;
  private hits: ProductHit[] = [];
  private turn = 0;
  /** Whether results are wanted at all, and the submitted query that has no response yet. */
  private wanted = false;
  private submitted: string | undefined;
  /** What is left of drawing the newest response. */
  private portions = new Portions();
  private flight: AbortController | undefined;
  private speaking = 0;
  private facets: Facets;
  private toolbar: Toolbar;
  /** What repeats a query once the browser is online again. */
  private online = () => {};
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
    private owner: Owner,
  ) {
    const { el, newId, context } = shared;
    const lost = () => this.title.focus({ preventScroll: true });
    this.facets = new Facets(shared, {
      filters: () => this.state.filters,
      choose: (field, filter) => {
        const { [field]: _, ...others } = this.state.filters;
        this.choose(filter ? { ...this.state.filters, [field]: filter } : others);
      },
      lost,
    });
    this.toolbar = new Toolbar(shared, this.facets.element, (sort) => this.change({ sort }));
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
      on: { click: () => void this.showMore() },
    });
    const section = el(
      "section",
      { class: "fw-results", "aria-labelledby": this.title.id },
      this.title,
      this.toolbar.element,
      this.chips,
      this.links,
      this.top,
      this.notice,
      this.cards.element,
      this.more,
      this.bottom,
    );
    this.element = el("div", { class: "fw-view", "data-empty": true }, this.toolbar.side, section, this.status);
    context.onRepeat.add(() => this.wanted && void this.show(this.state, "repeated"));
  }

  /** What the configuration shows before anything is typed. */
  home(): SearchState {
    const { filters = {}, sort = "relevance" } = this.shared.context.config.defaultSearch ?? {};
    return { q: "", sort, filters: { ...filters }, pages: 1 };
  }

  /** Asks for results and draws them; a newer call makes this one void. */
  async show(state: SearchState, why: Why): Promise<void> {
    const turn = (this.turn += 1);
    this.flight?.abort();
    const flight = (this.flight = new AbortController());
    removeEventListener("online", this.online);
    clearTimeout(this.speaking);
    this.state = state;
    this.wanted = true;
    this.submitted = why === "submitted" ? state.q : undefined;
    if (this.isBlank()) return this.clear();
    this.element.setAttribute("aria-busy", "true");
    this.element.dataset["waiting"] = "";
    try {
      const pages = Math.min(state.pages, PAGES_AT_ONCE);
      const home = pages === 1 ? this.homeLimit() : undefined;
      const response = await this.ask(1, home ?? PAGE * pages, flight.signal, why !== "restored");
      if (turn !== this.turn) return;
      this.state = { ...state, pages };
      // A page that comes back from the browser's cache is one that waits for nothing.
      if (why === "submitted" && this.follow(response)) return this.settle();
      const themed = await this.themed(response.products.hits);
      if (turn === this.turn) this.draw(response, themed, why);
    } catch (error) {
      if (turn === this.turn) this.failed(error, why);
    }
  }

  /** Drops what is on its way; returns a submitted query that has no response yet. */
  stop(): string | undefined {
    const { submitted } = this;
    this.turn += 1;
    this.flight?.abort();
    this.wanted = false;
    this.submitted = undefined;
    removeEventListener("online", this.online);
    clearTimeout(this.speaking);
    this.toolbar.close();
    return submitted;
  }

  private change(next: Partial<SearchState>): void {
    const state = { ...this.state, pages: 1, ...next };
    if (next.q !== undefined) this.owner.query(next.q);
    this.state = state;
    this.owner.write(state, true);
    void this.show(state, "changed");
  }

  private choose(filters: Filters): void {
    this.change({ filters });
  }

  private isBlank(): boolean {
    const { q, filters } = this.state;
    return !q.trim() && !Object.keys(filters).length && !this.shared.context.config.defaultSearch;
  }

  /** Ends waiting. */
  private settle(): void {
    delete this.element.dataset["waiting"];
    this.rest();
  }

  /** The results are busy as long as a response is waited for or has portions left. */
  private rest(): void {
    if (this.portions.done && this.element.dataset["waiting"] === undefined) this.element.removeAttribute("aria-busy");
  }

  /** Shows no results. */
  clear(): void {
    this.submitted = undefined;
    this.response = undefined;
    this.hits = [];
    this.portions.stop();
    this.settle();
    this.element.dataset["empty"] = "";
    for (const part of [this.top, this.bottom, this.notice]) part.replaceChildren();
    this.cards.clear();
    this.facets.clear();
    this.more.hidden = this.chips.hidden = this.links.hidden = true;
    this.toolbar.draw(this.state, undefined, true, 0);
    this.owner.drawn(undefined);
  }

  private async ask(page: number, limit: number, signal: AbortSignal, counted: boolean): Promise<SearchResponse> {
    const { context } = this.shared;
    const { q, sort, filters } = this.state;
    const { defaultSearch, features } = context.config;
    const home = !q.trim() && defaultSearch;
    const body = await context.body(
      {
        q: home ? (home.q ?? "") : q,
        sort: sort as "relevance",
        filters,
        page,
        types: this.owner.types,
        facets: features.filters,
        limit,
      },
      counted,
    );
    return context.api.search(body, signal);
  }

  /** How many hits are shown first before anything is typed, if the configuration says so. */
  private homeLimit(): number | undefined {
    return this.state.q.trim() ? undefined : this.shared.context.config.defaultSearch?.limit;
  }

  /** Leaves for the address of a redirect, unless it is this page. */
  private follow({ redirect }: SearchResponse): boolean {
    const address = this.shared.safeAddress(redirect?.url);
    const here = new URL(location.href);
    if (
      !address ||
      new URL(address).pathname + new URL(address).search === here.pathname + here.search ||
      sameWithoutState(address, here)
    )
      return false;
    this.owner.redirect(address);
    return true;
  }

  private async themed(hits: ProductHit[]): Promise<Map<string, HTMLElement>> {
    const { config, settings } = this.shared.context;
    if (!config.features.themeCards || !settings.cards || !hits.length) return new Map();
    const late = new Promise<Map<string, HTMLElement>>((done) => setTimeout(() => done(new Map()), THEMED_PATIENCE));
    return Promise.race([
      themeCards(
        settings.cards,
        hits.map(({ id }) => id),
      ),
      late,
    ]);
  }

  /** Draws what can be in sight at once, the rest in portions: filters first, then the cards below. */
  private draw(response: SearchResponse, themed: Map<string, HTMLElement>, why: Why): void {
    const { config } = this.shared.context;
    const { hits, total } = response.products;
    this.response = response;
    this.hits = hits;
    this.submitted = undefined;
    delete this.element.dataset["waiting"];
    delete this.element.dataset["empty"];
    this.facets.currency = hits[0]?.currency ?? config.currency?.base;
    const filters = this.facets.steps(response.facets);
    const cards = this.cards.steps({ hits, from: 0, themed, queryId: response.queryId });
    const seen = cards.splice(0, Math.min(inSight(config.layout), hits.length));
    for (const step of seen.splice(0, AT_ONCE)) step();
    this.drawAround(response, filters.length === 0);
    this.announce(total);
    this.owner.drawn(response);
    const { q } = this.state;
    this.portions.start([...seen, ...filters, ...cards, () => this.drawn(response, q)]);
    // What is scrolled back to has to be there at once.
    if (why === "restored") this.portions.finish();
  }

  /** All portions of a response are on the page. */
  private drawn(response: SearchResponse, q: string): void {
    this.drawMore(response.products.total);
    this.drawBanners(response, "bottom");
    this.rest();
    this.shared.context.emit("results", { query: q, queryId: response.queryId, ids: this.hits.map(({ id }) => id) });
  }

  private drawAround(response: SearchResponse, noFilters: boolean): void {
    const { total } = response.products;
    const all = chosen(this.shared, this.state, this.facets);
    const row = chips(this.shared, all, (one) => {
      this.choose(one ? without(this.state.filters, one) : {});
      // The chip that was clicked goes away; the heading keeps the focus in the results.
      this.title.focus({ preventScroll: true });
    });
    this.redraw(this.chips, () => {
      this.chips.replaceWith(row);
      this.chips = row;
    });
    this.redraw(this.links, () => this.drawLinks(response));
    this.toolbar.draw(this.state, total, noFilters, all.length);
    if (!total) this.more.hidden = true;
    this.drawBanners(response, "top");
    this.redraw(this.notice, () => this.notice.replaceChildren());
    if (total > 0) return;
    const turn = this.turn;
    void help(
      this.shared,
      this.notice,
      this.state,
      response,
      all,
      (next) => this.change(next),
      () => turn === this.turn,
    );
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
    this.links.replaceChildren(...(this.state.q.trim() ? links(this.shared, response) : []));
    this.links.hidden = !this.links.childElementCount;
  }

  private drawMore(total: number): void {
    const shown = this.hits.length;
    this.more.hidden = shown >= total || !shown;
    this.more.textContent = this.shared.context.say("results.more", { shown, total });
  }

  /** Adds the next page; the focus goes to its first card. */
  private async showMore(): Promise<void> {
    if (this.element.dataset["waiting"] !== undefined || this.more.hasAttribute("aria-busy")) return;
    this.portions.finish();
    const turn = this.turn;
    const from = this.hits.length;
    const page = Math.floor(from / PAGE) + 1;
    this.more.setAttribute("aria-busy", "true");
    try {
      const response = await this.ask(page, PAGE, this.flight?.signal ?? new AbortController().signal, true);
      const shown = new Set(this.hits.map(({ id }) => id));
      const fresh = response.products.hits.filter(({ id }) => !shown.has(id));
      const themed = await this.themed(fresh);
      if (turn !== this.turn) return;
      this.add(fresh, from, themed);
      this.hits = [...this.hits, ...fresh];
      this.state = { ...this.state, pages: page };
      this.owner.write(this.state, false);
      this.drawMore(fresh.length ? response.products.total : 0);
      this.cards.focus(from);
      this.announce(response.products.total);
    } catch {
      // What is there stays; the button is the way to try again.
      if (turn === this.turn)
        this.more.textContent =
          this.status.textContent = `${this.shared.context.say("error.title")} ${this.shared.context.say("error.retry")}`;
    } finally {
      this.more.removeAttribute("aria-busy");
    }
  }

  /** Draws hits behind those that are there, the first of them at once. */
  private add(hits: ProductHit[], from: number, themed: Map<string, HTMLElement>): void {
    const steps = this.cards.steps({ hits, from, themed, queryId: this.response!.queryId });
    for (const step of steps.splice(0, AT_ONCE)) step();
    this.portions.start([...steps, () => this.rest()]);
  }

  private announce(n: number): void {
    const { say } = this.shared.context;
    const q = this.state.q.trim();
    clearTimeout(this.speaking);
    const text =
      n === 0 && q ? say("none.title", { q }) : q ? say("results.countFor", { n, q }) : say("results.count", { n });
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

  private failed(error: unknown, why: Why): void {
    const { api } = this.shared.context;
    const { status } = error as { status?: number };
    this.submitted = undefined;
    this.settle();
    // Too many requests: what is shown stays shown.
    if (status === 429 && why !== "submitted") return;
    this.portions.stop();
    this.settle();
    const changed = Object.keys(this.state.filters).length > 0 || this.state.sort !== "relevance";
    if (status === 400 && changed) {
      // An old address can name a filter that the shop no longer has.
      this.state = { ...this.state, filters: {}, sort: "relevance" };
      this.owner.write(this.state, false);
      return void this.show(this.state, why);
    }
    const offline = navigator.onLine === false;
    const retry = () => {
      api.wakeUp();
      void this.show(this.state, why);
    };
    if (offline) addEventListener("online", (this.online = retry), { once: true });
    else if (this.owner.away(this.state.q, why === "submitted")) return;
    delete this.element.dataset["empty"];
    this.cards.clear();
    this.more.hidden = true;
    this.redraw(this.notice, () =>
      this.notice.replaceChildren(
        ...failure(this.shared, offline, retry, this.owner.canLeave() && (() => this.leave())),
      ),
    );
  }

  private leave(): void {
    this.stop();
    this.owner.away(this.state.q, true);
  }
}

/** Whether an address is this page but for the widget's own parameters. */
function sameWithoutState(address: string, here: URL): boolean {
  const [one, other] = [new URL(address), new URL(here)];
  for (const url of [one, other])
    for (const key of [...url.searchParams.keys()]) if (key.startsWith("fw_")) url.searchParams.delete(key);
  return one.origin + one.pathname + one.search === other.origin + other.pathname + other.search;
}
