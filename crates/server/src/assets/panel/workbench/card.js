// A product among the results: place, movement in words, sign and colour, price, badges, and what can be done with it.

import { el } from "../element.js";
import { unfolding } from "../menu.js";
import { emit, state } from "./state.js";
import { money, number, say } from "./words.js";

// The places that a product can be pinned to.
export const PLACES = 20;

// Where the policy of the pages takes pictures without TLS.
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

// Pictures come from https addresses, those of the demo from this server.
function picture(hit) {
  let address = null;
  try {
    const url = new URL(hit.image, location.href);
    if (state.me.user.email.endsWith(".invalid")) address = url.pathname;
    else if (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.includes(location.hostname)))
      address = url.href;
  } catch {
    address = null;
  }
  const image =
    address && hit.image
      ? el("img", {
          src: address,
          alt: "",
          width: "40",
          height: "40",
          loading: "lazy",
          decoding: "async",
          onerror: () => image.remove(),
        })
      : null;
  return el("span", { className: "picture" }, image);
}

// Where a product stood: the sign, a class for its colour, and words.
export function movement({ position, savedPosition }) {
  const by = savedPosition ? savedPosition - position : null;
  if (by === 0) return el("span", { className: "move" });
  const [mark, kind, text] =
    by === null
      ? [say("move.newShort"), "new", say("move.new")]
      : by > 0
        ? [`▲${by}`, "up", say("move.up", { n: by })]
        : [`▼${-by}`, "down", say("move.down", { n: -by })];
  return el(
    "span",
    { className: `move ${kind}` },
    el("b", { "aria-hidden": "true" }, mark),
    el("span", { className: "unseen" }, text),
  );
}

function badgeText(one) {
  if (one.badge === "boosted") return say("badge.boosted", { by: number(one.multiplier) });
  if (one.badge === "synonym" || one.badge === "typo") return say(`badge.${one.badge}`, { from: one.from, to: one.to });
  return say(`badge.${one.badge}`);
}

function act(name, text, hit, action) {
  return el(
    "button",
    { className: "link", type: "button", "data-act": name, onclick: action },
    text,
    el("span", { className: "unseen" }, ` ${hit.name}`),
  );
}

// What can be done with a product besides asking why it is there.
function further(hit, actions) {
  const sign = [
    el("span", { "aria-hidden": "true" }, "⋯"),
    el("span", { className: "unseen" }, say("moreFor", { name: hit.name })),
  ];
  return unfolding(
    sign,
    el(
      "ul",
      {},
      actions.filter(Boolean).map((one) => el("li", {}, one)),
    ),
    "further",
  );
}

// What is said of a product, the most important first: beside an open drawer there is no room for all.
const facts = (hit) =>
  [
    money(hit.price, hit.currency ?? state.currency),
    say(hit.inStock ? "inStock" : "outOfStock"),
    hit.manufacturer,
    hit.reference,
  ]
    .filter(Boolean)
    .join(" · ");

export function card(hit) {
  const editor = state.store.editor && state.restore === null;
  const movable = (to) => editor && to >= 1 && to <= Math.min(PLACES, state.last.order.length);
  const more = [
    act("compare", say("compareThis"), hit, () => emit("compare", hit.id)),
    movable(hit.position - 1) ? act("up", say("move.upOne"), hit, () => emit("place", hit, hit.position - 1)) : null,
    movable(hit.position + 1)
      ? act("down", say("move.downOne"), hit, () => emit("place", hit, hit.position + 1))
      : null,
    editor ? act("pin", say("pinHere"), hit, () => emit("pin", hit)) : null,
    editor ? act("hide", say("hideHere"), hit, () => emit("hide", hit)) : null,
    editor && hit.manufacturer ? act("boost", say("boostBrand"), hit, () => emit("boost", hit)) : null,
  ];
  return [
    el("span", { className: "place" }, el("b", {}, String(hit.position)), movement(hit)),
    picture(hit),
    el(
      "div",
      { className: "about" },
      el("p", { className: "hit-name", title: hit.name }, hit.name),
      el(
        "div",
        { className: "hit-facts" },
        el("p", { className: "quiet", title: facts(hit) }, facts(hit)),
        hit.badges.length > 0
          ? el(
              "ul",
              { className: "badges" },
              hit.badges.map((one) => el("li", {}, badgeText(one))),
            )
          : null,
      ),
    ),
    el(
      "div",
      { className: "hit-acts" },
      act("why", say("whyHere"), hit, () => emit("explain", hit.id)),
      further(hit, more),
    ),
  ];
}

// The same in short, for lists side by side; `explained` says whether it leads to its explanation.
export function shortCard(hit, moved, explained) {
  return [
    el("span", { className: "place" }, el("b", {}, String(hit.position)), moved),
    picture(hit),
    el(
      "div",
      { className: "about" },
      el("p", { className: "hit-name", title: hit.name }, hit.name),
      el(
        "p",
        { className: "quiet" },
        [money(hit.price, hit.currency ?? state.currency), hit.manufacturer].filter(Boolean).join(" · "),
      ),
      explained
        ? el(
            "div",
            { className: "row acts" },
            act("why", say("whyHere"), hit, () => emit("explain", hit.id)),
          )
        : null,
    ),
  ];
}
