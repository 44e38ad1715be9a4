// "Why here?", the comparison of two products, and "Where is my product?".

import { el, fill } from "../element.js";
import { field, form, input, messageOf, table } from "../form.js";
import { report } from "../frame.js";
import { reason } from "../words.js";
import { ask, loop } from "./ask.js";
import { movement } from "./card.js";
import { openDrawer } from "./drawer.js";
import { tried } from "./draft-parts.js";
import { breakdown, factorParts, textParts } from "./parts.js";
import { emit, on, productName, remember, state } from "./state.js";
import { number, say } from "./words.js";

const CANDIDATES = 8;

// The products that the drawer is about; null if it is about something else.
let ids = null;
let place = null;
let first = null;

function sent() {
  const { q, lang, visitor, at } = state.query;
  return {
    q,
    lang,
    visitor,
    at,
    ids: ids ?? [state.last?.cards[0]?.id ?? "0"],
    ...(state.view === "saved" ? {} : tried()),
  };
}

function one(hit) {
  if (hit.found === false)
    return [el("p", { className: "note" }, say("isMissing", { reason: reason(hit.reason, hit.translatable) }))];
  remember([hit]);
  return [el("p", { className: "row" }, say("standsAt", { n: hit.position }), movement(hit)), breakdown(hit)];
}

function compared(a, b) {
  const missing = [a, b].find((hit) => hit.found === false);
  if (missing)
    return [
      el(
        "p",
        { className: "note" },
        `${productName(missing.id)}: ${say("isMissing", { reason: reason(missing.reason, missing.translatable) })}`,
      ),
    ];
  const parts = (hit) => [
    ...textParts(hit.breakdown),
    ...factorParts(hit.breakdown).map((part) => ({ ...part, note: say("factor") })),
  ];
  const [mine, other] = [parts(a), parts(b)];
  const keys = new Map([...mine, ...other].map((part) => [part.key, part]));
  const value = (list, key) => list.find((part) => part.key === key)?.value ?? 0;
  const rows = [...keys]
    .map(([key, part]) => [part, value(mine, key), value(other, key)])
    .filter(([, x, y]) => x !== y)
    .sort((x, y) => Math.abs(y[1] - y[2]) - Math.abs(x[1] - x[2]));
  const lead = (part) =>
    el(
      "span",
      {},
      state.restore === null
        ? el("button", { className: "link", type: "button", onclick: () => emit("lead", part.path) }, part.title)
        : part.title,
      part.note ? el("small", { className: "quiet" }, part.note) : null,
    );
  const heads = [say("part"), productName(a.id), productName(b.id)];
  return [
    el("p", {}, say("comparison", { a: a.name, x: a.position, b: b.name, y: b.position })),
    el("p", { className: "quiet" }, say("scores", { x: a.score, y: b.score })),
    rows.length > 0
      ? table(
          say("differences"),
          heads,
          rows.map(([part, x, y]) => [lead(part), number(x), number(y)]),
        )
      : el("p", {}, say("noDifference")),
  ];
}

function draw(found) {
  if (ids === null || !place || found.some((hit, at) => hit.id !== ids[at])) return;
  const focused = place.contains(document.activeElement)
    ? document.activeElement.closest("[data-leads]")?.dataset.leads
    : null;
  fill(place, found.length === 2 ? compared(...found) : one(found[0]));
  if (focused) place.querySelector(`[data-leads="${CSS.escape(focused)}"] button`)?.focus();
}

const again = loop("preview/explain", sent, draw, (error) => {
  if (place) fill(place, el("p", { className: "wrong" }, messageOf(error)));
});

function open(title, products) {
  place = openDrawer(title, () => {
    ids = null;
  });
  ids = products;
  fill(place, el("p", { className: "quiet" }, say("loading")));
  again();
}

function compare(product) {
  if (first === null || first === product) {
    first = product;
    report(say("chooseOther", { name: productName(product) }));
    return;
  }
  const pair = [first, product];
  first = null;
  report("");
  open(say("compareTitle"), pair);
}

// Looks for products by name or code, whatever the draft, and explains the chosen one under it.
function locate() {
  const content = openDrawer(say("whereIs"), () => {
    ids = null;
  });
  ids = null;
  const list = el("div", { className: "stack" });
  const explained = el("div", { className: "stack", "aria-live": "polite" });
  const choose = (id) => {
    ids = [id];
    place = explained;
    fill(explained, el("p", { className: "quiet" }, say("loading")));
    again();
  };
  const whole = form({
    fields: [
      field(
        "product",
        say("nameOrCode"),
        input({ maxLength: 200, required: true }),
        say("whereAbout", { q: state.query.q || "…" }),
      ),
    ],
    button: say("search"),
    send: async ({ product }) => {
      if (!product.trim()) return;
      const found = await ask("preview", () => ({
        q: product,
        lang: state.query.lang,
        cards: CANDIDATES,
        limit: CANDIDATES,
      }));
      remember(found.cards);
      const choice = (id, text) =>
        el("li", {}, el("button", { className: "link", type: "button", onclick: () => choose(id) }, text));
      const shown = found.cards.map((hit) => choice(hit.id, [hit.name, hit.reference].filter(Boolean).join(" · ")));
      fill(
        list,
        el(
          "ul",
          { className: "plain" },
          shown,
          found.cards.some((hit) => hit.id === product.trim())
            ? null
            : choice(product.trim(), say("byId", { id: product.trim() })),
        ),
      );
      if (found.cards.length === 1) choose(found.cards[0].id);
    },
  });
  fill(content, whole, list, explained);
  whole.querySelector("input").focus();
}

export function explaining() {
  on("explain", (id) => open(productName(id), [id]));
  on("compare", compare);
  on("locate", locate);
  on("result", () => {
    if (ids !== null) again();
  });
}
