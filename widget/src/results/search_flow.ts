//! The flow of searches behind one view of results: the state of the search, one request at a time whose response is
//! drawn unless a newer one has begun, and what happens when none arrives.

import type { ProductHit, SearchRequest, SearchResponse, SearchState, Suggestions } from "../contract";
import { proposal, requested, type Correction } from "./correction";
import { redirectOf } from "./redirect";
import { ResultsView, type ViewOwner } from "./results_view";
import type { Shared } from "./shared";
import { SheetEntry } from "./sheet_entry";
import { themeCards } from "./theme_cards";

/** Hits of a page; at most four pages are requested at once. */
const PAGE = 24;
const PAGES_AT_ONCE = 4;
const THEMED_PATIENCE = 3000;

/** Why results are searched. */
export type Why = "typed" | "submitted" | "changed" | "restored" | "repeated";

/** What a flow needs from the layer or page that it stands in. */
export interface Owner extends ViewOwner {
  types: NonNullable<SearchRequest["types"]>;
  /** Writes the state into the address, as an entry of its own or in the place of the present one. */
  write(state: SearchState, push: boolean): void;
  /** The shopper chose another query in the view. */
  query(q: string): void;
  /** The service did not respond to a query; returns whether the shopper gets the shop's own results instead. */
  away(q: string, submitted: boolean): boolean;
  /** Whether there is a search of the shop's own. */
  canLeave(): boolean;
  /** Leaves for the address of a redirect. */
  redirect(address: string): void;
}

/** Searches and shows their results. */
export class SearchFlow {
  state: SearchState = { q: "", sort: "relevance", filters: {}, pages: 1 };
  correction: Correction | undefined;
  /** The query that the shopper wants as it was typed. */
  private literal: string | undefined;
  readonly sheet = new SheetEntry();
  private view: ResultsView;
  /** The control whose last change may go on, as a slider that is moved key by key. */
  private gesture: string | undefined;
  private turn = 0;
  /** Whether results are wanted at all, and the submitted query that has no response yet. */
  private wanted = false;
  private submitted: string | undefined;
  private flight: AbortController | undefined;
  /** What repeats a query once the browser is online again. */
  private online = () => {};

  constructor(
    private shared: Shared,
    private owner: Owner,
  ) {
    this.view = new ResultsView(shared, owner, this);
    // A pointer begins anew; only keys go on with what they did before.
    const ended = () => (this.gesture = undefined);
    this.element.addEventListener("pointerdown", ended, { capture: true, passive: true });
    shared.context.onRepeat.add(() => this.wanted && void this.show(this.state, "repeated"));
  }

  /** The view of the results. */
  get element(): HTMLElement {
    return this.view.element;
  }

  /** What the configuration shows before anything is typed. */
  home(): SearchState {
    const { filters = {}, sort = "relevance" } = this.shared.context.config.defaultSearch ?? {};
    return { q: "", sort, filters: { ...filters }, pages: 1 };
  }

  /** Searches and draws the results; a newer call makes this one void. */
  async show(state: SearchState, why: Why): Promise<void> {
    const turn = this.cancel();
    const flight = (this.flight = new AbortController());
    this.state = state;
    this.correction = undefined;
    this.wanted = true;
    if (why !== "changed") this.gesture = undefined;
    this.submitted = why === "submitted" ? state.q : undefined;
    if (this.isBlank()) return this.clear();
    this.view.wait();
    try {
      const pages = Math.min(state.pages, PAGES_AT_ONCE);
      const home = pages === 1 ? this.homeLimit() : undefined;
      const limit = home ?? PAGE * pages;
      const typed = await this.search(1, limit, flight.signal, why !== "restored");
      if (turn !== this.turn) return;
      const response = await this.corrected(typed, limit, flight.signal);
      if (turn !== this.turn) return;
      this.state = { ...state, pages };
      const redirect = why === "submitted" ? redirectOf(this.shared, response) : undefined;
      if (redirect) {
        this.owner.redirect(redirect);
        // A page that comes back from the browser's cache is one that waits for nothing.
        return this.view.settle();
      }
      const themed = await this.themed(response.products.hits);
      if (turn !== this.turn) return;
      this.submitted = undefined;
      this.view.draw(response, themed, () => turn === this.turn);
      // What is scrolled back to has to be there at once.
      if (why === "restored") this.view.finish();
    } catch (error) {
      if (turn === this.turn) this.failed(error, why);
    }
  }

  /** Drops what is on its way; returns a submitted query that has no response yet. */
  stop(): string | undefined {
    const { submitted } = this;
    this.cancel();
    this.wanted = false;
    this.submitted = undefined;
    this.sheet.forget();
    this.view.close();
    return submitted;
  }

  /** Shows no results. */
  clear(): void {
    this.submitted = undefined;
    this.view.clear();
  }

  /** The browser has gone to another entry of its history; returns whether that only closed the sheet of filters. */
  arrived(): boolean {
    const keep = () => this.owner.write(this.state, false);
    return this.sheet.arrived(() => this.view.close(), keep);
  }

  /** Shows what is offered before anything is typed, unless something else is wanted. */
  offer(found: Suggestions): void {
    const { turn } = this;
    if (this.wanted && this.isBlank()) void this.view.offer(found, () => turn === this.turn);
  }

  /** Searches what the shopper chose in the view; changes of one `gesture` in a row are one entry of the history. */
  change(next: Partial<SearchState>, gesture?: string): void {
    const state = { ...this.state, pages: 1, ...next };
    if (next.q !== undefined) this.owner.query(next.q);
    this.state = state;
    this.owner.write(state, !gesture || gesture !== this.gesture);
    this.gesture = gesture;
    void this.show(state, "changed");
  }

  /** Searches the words as typed, without a correction. */
  asTyped(): void {
    this.literal = this.state.q;
    this.change({});
  }

  /** Adds the next page. */
  async showMore(): Promise<void> {
    const { view } = this;
    const from = view.startMore();
    if (from === undefined) return;
    const { turn } = this;
    const page = Math.floor(from / PAGE) + 1;
    try {
      const response = await this.search(page, PAGE, this.flight?.signal ?? new AbortController().signal, true);
      const fresh = view.unseen(response.products.hits);
      const themed = await this.themed(fresh);
      if (turn !== this.turn) return;
      this.state = { ...this.state, pages: page };
      this.owner.write(this.state, false);
      view.add(fresh, themed, response.products.total);
    } catch {
      if (turn === this.turn) view.failMore();
    } finally {
      view.endMore();
    }
  }

  /** Makes what is on its way void; returns the number of the turn that begins. */
  private cancel(): number {
    this.flight?.abort();
    removeEventListener("online", this.online);
    this.view.silence();
    return (this.turn += 1);
  }

  private isBlank(): boolean {
    const { q, filters } = this.state;
    return !q.trim() && !Object.keys(filters).length && !this.shared.context.config.defaultSearch;
  }

  /** The response to the query that a response without products proposes, or else that response. */
  private async corrected(typed: SearchResponse, limit: number, signal: AbortSignal): Promise<SearchResponse> {
    const correction = (this.correction = proposal(typed, this.literal === this.state.q));
    if (!correction) return typed;
    const response = await this.search(1, limit, signal, true);
    if (response.products.total) return response;
    if (this.correction === correction) this.correction = undefined;
    return typed;
  }

  private async search(page: number, limit: number, signal: AbortSignal, counted: boolean): Promise<SearchResponse> {
    const { context } = this.shared;
    const { q, sort, filters } = this.state;
    const { defaultSearch, features } = context.config;
    const home = !q.trim() && defaultSearch;
    const body = await context.body(
      {
        ...requested(home ? (home.q ?? "") : q, this.correction),
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

  private failed(error: unknown, why: Why): void {
    const { status } = error as { status?: number };
    this.submitted = undefined;
    this.view.settle();
    // Too many requests: what is shown stays shown.
    if (status === 429 && why !== "submitted") return;
    this.view.halt();
    const changed = Object.keys(this.state.filters).length > 0 || this.state.sort !== "relevance";
    if (status === 400 && changed) {
      // An old address can name a filter that the shop no longer has.
      this.state = { ...this.state, filters: {}, sort: "relevance" };
      this.owner.write(this.state, false);
      return void this.show(this.state, why);
    }
    const offline = navigator.onLine === false;
    const retry = () => {
      this.shared.context.api.wakeUp();
      void this.show(this.state, why);
    };
    if (offline) addEventListener("online", (this.online = retry), { once: true });
    else if (this.owner.away(this.state.q, why === "submitted")) return;
    this.view.fail(offline, retry, this.owner.canLeave() && (() => this.leave()));
  }

  private leave(): void {
    this.stop();
    this.owner.away(this.state.q, true);
  }
}
