// The list of products: one card each, reused by id so that a new order is animated.

import { calm, el, highlighted } from "./element.js";
import { local } from "./address.js";
import { money, number, say } from "./words.js";

const list = document.getElementById("cards");

function rating(hit) {
  if (!hit.rating) return null;
  const value = number(hit.rating, 1);
  return el("p", { className: "rating" },
    el("span", { className: "hidden" }, say("ratingOf", value, hit.ratingCount ?? 0)),
    el("span", { "aria-hidden": "true" }, el("span", { className: "star" }, "★ "), `${value} `, el("span", { className: "quiet" }, `(${hit.ratingCount ?? 0})`)));
}

function price(hit) {
  if (hit.price === undefined) return el("p", { className: "price" }, "–");
  const former = hit.originalPrice > hit.price;
  return el("p", { className: "price" },
    former && el("span", { className: "hidden" }, `${say("now")} `),
    el("span", { className: former ? "lower" : "" }, money(hit.price, hit.currency)),
    former && el("s", {}, el("span", { className: "hidden" }, ` ${say("before")} `), money(hit.originalPrice, hit.currency)));
}

function movement(move) {
  if (!move) return null;
  const { position, savedPosition } = move;
  const by = savedPosition ? savedPosition - position : null;
  if (by === 0) return el("span", { className: "move" }, String(position));
  const [mark, kind, text] = by === null ? [say("fresh").toUpperCase(), "new", say("freshLong")]
    : by > 0 ? [`▲${by}`, "up", say("up", by)] : [`▼${-by}`, "down", say("down", -by)];
  return el("span", { className: `move ${kind}` },
    `${position} `, el("b", { "aria-hidden": "true" }, mark), el("span", { className: "hidden" }, text));
}

function card(hit, move, why) {
  const off = hit.originalPrice > hit.price ? Math.round(100 * (1 - hit.price / hit.originalPrice)) : 0;
  const name = hit.highlight?.name ? highlighted(hit.highlight.name, hit.name) : [hit.name];
  const href = hit.url ? local(hit.url) : `/?q=${encodeURIComponent(hit.reference ?? hit.name)}`;
  return [
    el("div", { className: "picture" },
      el("img", { src: hit.image ? local(hit.image) : "/demo/assets/icon.svg", alt: "", width: "240", height: "240", decoding: "async" }),
      movement(move), off > 0 && el("span", { className: "off" }, `−${off} %`)),
    el("div", { className: "text" },
      el("p", { className: "maker" }, hit.manufacturer ?? ""),
      el("h2", {}, el("a", { href }, name)),
      rating(hit), price(hit),
      el("p", { className: hit.inStock ? "stock" : "stock out" }, say(hit.inStock ? "inStockTrue" : "inStockFalse"))),
    el("button", { type: "button", className: "why-button", "aria-haspopup": "dialog", onclick: () => why(hit) }, say("why"),
      el("span", { className: "hidden" }, ` ${hit.name}`)),
  ];
}

// Shows `hits`; `moves` maps ids to previous positions, `why` is called for an explanation.
export function show(hits, moves, why) {
  const known = new Map([...list.children].map((item) => [item.dataset.id, item]));
  const before = moves && !calm() ? places() : null;
  const focused = document.activeElement?.closest?.(".card")?.dataset.id;
  const control = document.activeElement?.className;
  const items = hits.map((hit) => {
    const item = known.get(hit.id) ?? el("li", { className: "card", "data-id": hit.id });
    const face = JSON.stringify([hit, moves?.get(hit.id), document.documentElement.lang]);
    if (item.face !== face) {
      item.replaceChildren(...card(hit, moves?.get(hit.id), why));
      item.face = face;
    }
    return item;
  });
  list.replaceChildren(...items);
  if (focused) {
    const again = items.find((item) => item.dataset.id === focused);
    again?.querySelector(control === "why-button" ? ".why-button" : "a")?.focus({ preventScroll: true });
  }
  if (before) glide(before);
}

function places() {
  return new Map([...list.children].map((item) => [item.dataset.id, item.getBoundingClientRect()]));
}

function glide(before) {
  for (const [id, now] of places()) {
    const then = before.get(id);
    if (!then) continue;
    const [x, y] = [then.left - now.left, then.top - now.top];
    if (x === 0 && y === 0) continue;
    const item = [...list.children].find((child) => child.dataset.id === id);
    item.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 260, easing: "ease-out" });
  }
}
