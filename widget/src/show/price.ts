//! A product's price in its place: what it was, what it is, and how assistive technology says both.

import type { Context } from "../context";
import type { ProductHit } from "../contract";
import { el } from "./element";

/** A product and the place of its price. */
export interface Priced {
  hit: ProductHit;
  price: HTMLElement;
}

/** Whole percent by which the price is reduced; 0 if it is not. */
export function reduction({ price, originalPrice }: ProductHit): number {
  if (typeof price !== "number" || typeof originalPrice !== "number" || originalPrice <= price) return 0;
  return Math.round((100 * (originalPrice - price)) / originalPrice);
}

/** Writes the index's price. */
export function fillPrice(context: Context, place: HTMLElement, hit: ProductHit): void {
  const { money } = context;
  if (typeof hit.price !== "number") return writePrice(context, place, undefined, undefined);
  const former = reduction(hit) > 0 ? money(hit.originalPrice!, hit.currency) : undefined;
  writePrice(context, place, money(hit.price, hit.currency), former);
}

/** Writes a price and the one before it, as they are shown. */
export function writePrice(
  context: Context,
  place: HTMLElement,
  price: string | undefined,
  former: string | undefined,
): void {
  delete place.dataset["waiting"];
  place.replaceChildren();
  if (!price) return;
  const spoken = el("span", { class: "fw-hidden" }, context.say("card.now", { price }));
  place.append(spoken, el("span", { class: former ? "fw-price fw-sale" : "fw-price", "aria-hidden": "true" }, price));
  if (former) {
    place.append(
      " ",
      el("span", { class: "fw-hidden" }, context.say("card.before", { price: former })),
      el("s", { "aria-hidden": "true" }, former),
    );
  }
}
