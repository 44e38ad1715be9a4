//! Results in a place of the page, for the query of its own address.

import type { Asked } from "../contract";
import { read } from "./address";
import { keepScroll, put, scrolled } from "./history";
import { Root } from "./root";
import type { Shared } from "./shared";
import { View, type Why } from "./view";

/** The results of a results page. */
export class Page {
  private root: Root;
  private view: View;
  private name: string;

  constructor(private shared: Shared, place: HTMLElement) {
    const { context } = shared;
    const input = document.querySelector<HTMLInputElement>(context.start.selector());
    this.name = input?.name || "q";
    this.root = new Root(shared, place);
    const replaced = place.dataset["replaces"];
    this.view = new View(shared, {
      types: ["products", "categories", "brands", "pages"], host: this.root.host,
      write: (asked, push) => put(this.name, asked, push),
      query: (q) => this.setInput(q),
      drawn: () => {
        // What the shop itself found gives way once there is something else.
        if (replaced) for (const one of document.querySelectorAll<HTMLElement>(replaced)) one.hidden = true;
      },
      leaving: () => keepScroll(scrollY),
      // Going back from the target must not lead to this page, which would lead there again.
      redirect: (address) => location.replace(address),
    });
    this.root.element.append(this.view.element);
    void this.root.ready.then(() => this.root.dress(input));
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    this.show(entry?.type === "navigate" ? "submitted" : "restored", true);
  }

  /** Shows what the address says. */
  restore(): void {
    this.show("restored");
  }

  /** A query from the shop's input. */
  submit(q: string): void {
    const asked: Asked = { q, sort: "relevance", filters: {}, pages: 1 };
    put(this.name, asked, true);
    void this.view.show(asked, "submitted");
  }

  destroy(): void {
    this.view.stop();
    this.root.host.remove();
  }

  private show(why: Why, first = false): void {
    const asked = read(location.search, this.name);
    const known = asked && (asked.q.trim() || Object.keys(asked.filters).length) ? asked : this.view.home();
    this.setInput(known.q, first);
    const top = scrolled();
    void this.view.show(known, why).then(() => { if (top && why === "restored") scrollTo({ top }); });
  }

  /** Writes the query into the shop's inputs; `gently` leaves what the shopper began to type before this code was there. */
  private setInput(q: string, gently = false): void {
    for (const input of document.querySelectorAll<HTMLInputElement>(this.shared.context.start.selector())) {
      const typing = gently && input === document.activeElement && input.value !== input.defaultValue;
      if (input.name === this.name && !typing) input.value = q;
    }
  }
}
