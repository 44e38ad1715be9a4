//! Prices of this shopper, asked from the shop for the products that are shown.

import { fillPrice, writePrice, type Card } from "./cards";
import type { Shared } from "./shared";

const IDS = 48;
const PATIENCE = 1500;

interface Price {
  formatted?: string;
  originalFormatted?: string;
  showPrice?: boolean;
}

/** Fills the prices of cards in; those that the shop does not know, or not in time, are the index's. */
export async function fillLive(shared: Shared, cards: Card[], current: () => boolean): Promise<void> {
  const blocks = [];
  for (let at = 0; at < cards.length; at += IDS) blocks.push(cards.slice(at, at + IDS));
  await Promise.all(blocks.map(async (block) => {
    const prices = await ask(shared.context.settings.prices!, block.map(({ hit }) => hit.id));
    if (!current()) return;
    for (const { hit, price } of block) {
      const live = prices[hit.id];
      if (live?.showPrice === false) writePrice(shared, price, undefined, undefined);
      else if (live?.formatted) writePrice(shared, price, String(live.formatted), live.originalFormatted && String(live.originalFormatted));
      else fillPrice(shared, price, hit);
    }
  }));
}

async function ask(address: string, ids: string[]): Promise<Record<string, Price | undefined>> {
  try {
    const url = new URL(address);
    url.searchParams.set("ids", ids.join(","));
    const response = await fetch(url, { credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    return (response.ok && (await response.json()).prices) || {};
  } catch {
    return {};
  }
}
