//! Clicks, carts and purchases, sent so that they survive the page.

import type { Start } from "../contract";
import type { Session } from "./session";

export type ObjectType = "products" | "categories" | "brands" | "pages" | "banners";

/** Sends events of one page. */
export class Events {
  private sent = new Set<string>();

  constructor(
    private start: Start,
    private session: Session,
  ) {}

  click(queryId: string | undefined, id: string, position?: number, objectType: ObjectType = "products"): void {
    if (!queryId) return;
    if (objectType === "products") this.session.addClick(id, queryId);
    this.send({ queryId, type: "click", id, position, objectType });
  }

  /** An event of the shop's own pages, attributed to the search on which the product was clicked. */
  attributed(type: "click" | "cart" | "purchase", id: string): void {
    const queryId = this.session.queryOf(id);
    if (queryId) this.send({ queryId, type, id });
  }

  private send(event: { queryId: string; type: string; id: string; position?: number; objectType?: string }): void {
    const name = JSON.stringify(event);
    if (!this.session.measured || this.sent.has(name)) return;
    this.sent.add(name);
    const address = `${this.start.base}/events`;
    const body = JSON.stringify({ ...event, key: this.start.settings.key });
    // A text needs no preflight, for which a page that is being left has no time.
    if (!navigator.sendBeacon?.(address, body)) {
      fetch(address, { method: "POST", body, keepalive: true, credentials: "omit" }).catch(() => {});
    }
  }
}
