//! Results in a place of the page, for the query of its own address.

import type { SearchState } from "../contract";
import { read } from "./address";
import { keepScroll, put, scrolled } from "./history";
import { Root } from "./root";
import type { Shared } from "./shared";
import { SearchFlow, type Why } from "./search_flow";

/** The results of a results page. */
export class Page {
  private root: Root;
  private flow: SearchFlow;
  private name: string;
  /** The query that the shop itself responded to with this page. */
  private shops: string;
  private replaced = false;

  constructor(
    private shared: Shared,
    private place: HTMLElement,
  ) {
    const { context } = shared;
    const input = document.querySelector<HTMLInputElement>(context.start.selector());
    this.name = input?.name || "q";
    this.root = new Root(shared, place);
    this.flow = new SearchFlow(shared, {
      types: ["products", "categories", "brands", "pages"],
      host: this.root.host,
      write: (state, push) => put(this.name, state, push),
      query: (q) => this.setInput(q),
      // What the shop itself found gives way once there is something else, and has its style.
      drawn: (response) => void this.ready().then((styled) => this.replace(styled && response !== undefined)),
      canLeave: () => true,
      away: (q, submitted) => this.away(q, submitted),
      leaving: () => keepScroll(scrollY),
      // Going back from the target must not lead to this page, which would lead there again.
      redirect: (address) => location.replace(address),
    });
    this.root.element.append(this.flow.element);
    void this.ready().then(() => this.root.dress(input));
    this.shops = read(location.search, this.name)?.q.trim() ?? "";
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    this.show(entry?.type === "navigate" ? "submitted" : "restored", true);
  }

  /** Whether the style has come. */
  ready(): Promise<boolean> {
    return this.root.ready();
  }

  /** Whether the browser has only closed the sheet of filters. */
  arrived(): boolean {
    return this.flow.arrived();
  }

  /** Shows what the address says. */
  restore(): void {
    this.show("restored");
  }

  /** A query from the shop's input. */
  submit(q: string): void {
    const state: SearchState = { q, sort: "relevance", filters: {}, pages: 1 };
    put(this.name, state, true);
    void this.flow.show(state, "submitted");
  }

  destroy(): string | undefined {
    const q = this.flow.stop();
    this.replace(false);
    this.root.host.remove();
    return q;
  }

  /** The service does not respond: what the shop itself found stands in the page already, or is a submit away. */
  private away(q: string, submitted: boolean): boolean {
    if (this.replaced && !submitted) return false;
    if (q.trim() !== this.shops) return submitted && this.shared.leave(q);
    this.flow.clear();
    return true;
  }

  /** Hides what the shop itself found, or shows it again. */
  private replace(by: boolean): void {
    this.replaced = by;
    const { replaces } = this.place.dataset;
    // What stands below was a screen away before, and stays there.
    if (replaces) this.place.style.setProperty("min-height", by ? "100vh" : "");
    if (replaces) for (const one of document.querySelectorAll<HTMLElement>(replaces)) one.hidden = by;
  }

  private show(why: Why, first = false): void {
    const state = read(location.search, this.name);
    const shown = state && (state.q.trim() || Object.keys(state.filters).length) ? state : this.home(state);
    this.setInput(shown.q, first);
    const top = scrolled();
    void this.flow.show(shown, why).then(() => {
      if (top && why === "restored") scrollTo({ top });
    });
  }

  /** What the configuration shows first, in the order and as far as the address says. */
  private home(state: SearchState | undefined): SearchState {
    const { pages = 1, sort = "relevance" } = state ?? {};
    const home = this.flow.home();
    return { ...home, pages, sort: sort === "relevance" ? home.sort : sort };
  }

  /**
   * Writes the query into the shop's inputs; `gently` leaves what the shopper began to type before this code was there.
   */
  private setInput(q: string, gently = false): void {
    for (const input of document.querySelectorAll<HTMLInputElement>(this.shared.context.start.selector())) {
      const typing = gently && input === document.activeElement && input.value !== input.defaultValue;
      if (input.name === this.name && !typing) input.value = q;
    }
  }
}
