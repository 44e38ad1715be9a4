//! The list of products: one card each, with picture, name, price, marks.

import type { ProductHit } from "../contract";
import type { Priced } from "../show/price";
import type { Shared } from "./shared";

/** Cards whose pictures are loaded at once. */
const FIRST_ROW = 4;

/** A card and the places in it that are filled in later. */
export interface Card extends Priced {
  node: HTMLElement;
}

/** Creates the widget's own card; `waiting` leaves the price to come. */
export function card(shared: Shared, hit: ProductHit, at: number, waiting: boolean): Card {
  const { el, marks, safeAddress, context } = shared;
  const href = safeAddress(hit.url);
  const price = el("p", { class: "fw-price-line", "data-waiting": waiting });
  if (!waiting) shared.fillPrice(context, price, hit);
  const name = el(href ? "a" : "span", { class: "fw-link", href }, marks(hit.name, hit.highlight.name));
  const brand = context.config.features.showBrand && hit.manufacturer;
  const id = shared.newId("card");
  const article = el(
    "article",
    { class: "fw-article", "aria-labelledby": id },
    picture(shared, hit, at),
    el(
      "div",
      { class: "fw-about" },
      brand && el("p", { class: "fw-brand" }, brand),
      el("h3", { class: "fw-name", id }, name),
      hit.reference && el("p", { class: "fw-reference" }, hit.reference),
      rating(shared, hit),
      price,
      hit.inStock === false && el("p", { class: "fw-out" }, context.say("card.out")),
    ),
  );
  return { hit, price, node: article };
}

function picture({ el, safeAddress, context, percent, reduction }: Shared, hit: ProductHit, at: number): HTMLElement {
  const place = el("div", { class: "fw-picture" });
  const source = safeAddress(hit.image);
  if (source) {
    const image = el("img", {
      alt: "",
      decoding: "async",
      loading: at < FIRST_ROW ? "eager" : "lazy",
      width: 300,
      height: 300,
      referrerpolicy: "no-referrer-when-downgrade",
      src: source,
      on: { error: () => image.remove() },
    });
    place.append(image);
  }
  const off = reduction(hit);
  if (off)
    place.append(
      el("span", { class: "fw-badge" }, context.say("card.off", { percent: percent(off, context.language) })),
    );
  return place;
}

function rating({ el, context, number }: Shared, hit: ProductHit): HTMLElement | false {
  if (!hit.rating) return false;
  const value = Math.round(hit.rating * 10) / 10;
  const count = hit.ratingCount ? ` (${number(hit.ratingCount, context.language)})` : "";
  return el(
    "p",
    { class: "fw-rating" },
    el("span", { class: "fw-hidden" }, context.say("card.rating", { n: value })),
    el(
      "span",
      { "aria-hidden": "true" },
      el("span", { class: "fw-star" }, "★ "),
      number(value, context.language),
      count,
    ),
  );
}
