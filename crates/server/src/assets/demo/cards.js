// The list of products: one card each, reused by id so that what stays keeps its focus.

import { el, highlighted } from "./element.js";
import { local } from "./address.js";
import { money, number, say } from "./words.js";

const list = document.getElementById("cards");

function rating(hit) {
  if (!hit.rating) return null;
  const value = number(hit.rating, 1);
  return el(
    "p",
    { className: "rating" },
    el("span", { className: "hidden" }, say("ratingOf", value, hit.ratingCount ?? 0)),
    el(
      "span",
      { "aria-hidden": "true" },
      el("span", { className: "star" }, "★ "),
      `${value} `,
      el("span", { className: "quiet" }, `(${hit.ratingCount ?? 0})`),
    ),
  );
}

function price(hit) {
  if (hit.price === undefined) return el("p", { className: "price" }, "–");
  const former = hit.originalPrice > hit.price;
  return el(
    "p",
    { className: "price" },
    former && el("span", { className: "hidden" }, `${say("now")} `),
    el("span", { className: former ? "lower" : "" }, money(hit.price, hit.currency)),
    former &&
      el("s", {}, el("span", { className: "hidden" }, ` ${say("before")} `), money(hit.originalPrice, hit.currency)),
  );
}

function card(hit, why) {
  const off = hit.originalPrice > hit.price ? Math.round(100 * (1 - hit.price / hit.originalPrice)) : 0;
  const name = hit.highlight?.name ? highlighted(hit.highlight.name, hit.name) : [hit.name];
  const href = hit.url ? local(hit.url) : `/?q=${encodeURIComponent(hit.reference ?? hit.name)}`;
  return [
    el(
      "div",
      { className: "picture" },
      el("img", {
        src: hit.image ? local(hit.image) : "/demo/assets/icon.svg",
        alt: "",
        width: "240",
        height: "240",
        decoding: "async",
      }),
      off > 0 && el("span", { className: "off" }, `−${off} %`),
    ),
    el(
      "div",
      { className: "text" },
      el("p", { className: "maker" }, hit.manufacturer ?? ""),
      el("h2", {}, el("a", { href }, name)),
      rating(hit),
      price(hit),
      el("p", { className: hit.inStock ? "stock" : "stock out" }, say(hit.inStock ? "inStockTrue" : "inStockFalse")),
    ),
    el(
      "button",
      { type: "button", className: "why-button", "aria-haspopup": "dialog", onclick: () => why(hit) },
      say("why"),
      el("span", { className: "hidden" }, ` ${hit.name}`),
    ),
  ];
}

// Shows `hits`; `why` is called for an explanation.
export function show(hits, why) {
  const drawn = new Map([...list.children].map((item) => [item.dataset.id, item]));
  const focused = document.activeElement?.closest?.(".card")?.dataset.id;
  const control = document.activeElement?.className;
  const items = hits.map((hit) => {
    const item = drawn.get(hit.id) ?? el("li", { className: "card", "data-id": hit.id });
    const face = JSON.stringify([hit, document.documentElement.lang]);
    if (item.face !== face) {
      item.replaceChildren(...card(hit, why));
      item.face = face;
    }
    return item;
  });
  list.replaceChildren(...items);
  if (focused) {
    const again = items.find((item) => item.dataset.id === focused);
    again?.querySelector(control === "why-button" ? ".why-button" : "a")?.focus({ preventScroll: true });
  }
}
