//! Prices of this shopper, asked from the shop for the products that are shown.

import type { Context } from "../context";
import { fillPrice, writePrice, type Priced } from "../show/price";

const IDS = 48;
const PATIENCE = 1500;

interface Price {
  formatted?: string;
  originalFormatted?: string;
  showPrice?: boolean;
}

/** Whether prices are asked from the shop. */
export const live = ({ config, settings }: Context) => config.features.livePricing && !!settings.prices;

/** Asks for the prices of products and fills them in once their cards are drawn, in the same order; those that the shop
 * does not know, or not in time, are the index's. */
export async function fillLive(context: Context, ids: string[], drawn: Promise<Priced[]>): Promise<void> {
  const blocks = [];
  for (let at = 0; at < ids.length; at += IDS) blocks.push(at);
  await Promise.all(
    blocks.map(async (from) => {
      const prices = await ask(context.settings.prices!, ids.slice(from, from + IDS));
      const cards = (await drawn).slice(from, from + IDS);
      for (const { hit, price } of cards) {
        const live = prices[hit.id];
        if (live?.showPrice === false) writePrice(context, price, undefined, undefined);
        else if (live?.formatted)
          writePrice(context, price, String(live.formatted), live.originalFormatted && String(live.originalFormatted));
        else fillPrice(context, price, hit);
      }
    }),
  );
}

async function ask(address: string, ids: string[]): Promise<Record<string, Price | undefined>> {
  try {
    const url = new URL(address);
    url.searchParams.set("ids", ids.join(","));
    const response = await fetch(url, {
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    });
    return (response.ok && (await response.json()).prices) || {};
  } catch {
    return {};
  }
}
