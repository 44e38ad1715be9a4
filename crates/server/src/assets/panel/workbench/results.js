// The products that the query finds under the draft: place, movement against what is saved, badges, and what left.

import { el, fill } from "../element.js";
import { PLACES, card } from "./card.js";
import { draggable } from "./dragging.js";
import { added, withDraft } from "./draft.js";
import { sideBySide } from "./sides.js";
import { emit, on, productName, remember, state } from "./state.js";
import { setInstant } from "./top.js";
import { say, time } from "./words.js";

const SPOKEN_MS = 600;
const MORE = 48;
const CARDS_MAX = 100;

const list = el("ol", { className: "hits" });
const count = el("p", { className: "sums" });
const heard = el("p", { className: "unseen", role: "status" });
const notes = el("div", { className: "stack" });
const both = el("div", { className: "both", hidden: true });
const after = el("div", { className: "stack" });
const trouble = el("p", { className: "trouble", role: "status" });
const wrong = el("div", { className: "wrong", role: "alert", hidden: true });
let timer = 0;

function toggle(text, pressed, action) {
  return el(
    "button",
    { className: "button slim", type: "button", "aria-pressed": String(pressed), onclick: action },
    text,
  );
}

const switches = el("div", { className: "row" });

function drawSwitches() {
  const focused = [...switches.children].indexOf(document.activeElement);
  const view = (name, text = say(`view.${name}`)) =>
    toggle(text, state.view === name, () => {
      state.view = name;
      drawSwitches();
      emit("query");
    });
  const tried = state.restore === null ? say("view.draft") : say("revisionNumber", { n: state.restore });
  fill(
    switches,
    view("draft", tried),
    view("saved"),
    view("sides"),
    toggle(say("onlyMoved"), state.onlyMoved, () => {
      state.onlyMoved = !state.onlyMoved;
      drawSwitches();
      if (state.last) show(state.last);
    }),
  );
  if (focused >= 0) switches.children[focused].focus();
}

function sums(found) {
  const { moved, entered, left } = found;
  const changed = [
    ["movedSum", moved],
    ["enteredSum", entered],
    ["leftSum", left.length],
  ].filter(([, n]) => n > 0);
  return [
    say("foundProducts", { n: found.total }),
    found.total === found.savedTotal ? null : say("savedTotal", { n: found.savedTotal }),
    ...(changed.length === 0 ? [say("nothingMoved")] : changed.map(([key, n]) => say(key, { n }))),
  ]
    .filter(Boolean)
    .join(" · ");
}

// A rule that would apply but begins later, as the draft has it, with the way to that day.
function beginsLater({ id, name, applied }) {
  const rule = id.startsWith("draft:") ? added("rules")[Number(id.slice("draft:".length))] : withDraft(`rules/${id}`);
  const now = state.query.at ? Date.parse(state.query.at) : Date.now();
  if (applied || !(Date.parse(rule?.startDate) > now)) return null;
  return el(
    "p",
    { className: "note row between" },
    say("beginsLater", { name, time: time(rule.startDate) }),
    el(
      "button",
      { className: "button slim", type: "button", onclick: () => setInstant(rule.startDate) },
      say("seeAsThen"),
    ),
  );
}

// What a shopper would meet besides products.
function meets(found) {
  const lines = state.view === "saved" ? [] : found.rules.map(beginsLater);
  if (found.redirect)
    lines.push(el("p", { className: "note" }, say("redirects", { url: found.redirect.url ?? String(found.redirect) })));
  for (const banner of found.banners)
    lines.push(el("p", { className: "note" }, say("showsBanner", { url: banner.text ?? banner.imageUrl })));
  return lines;
}

function gone(left) {
  if (left.length === 0) return null;
  const items = left
    .slice(0, 50)
    .map((product) =>
      el(
        "li",
        {},
        productName(product),
        " ",
        el(
          "button",
          { className: "link", type: "button", onclick: () => emit("explain", product) },
          say("whyGone"),
          el("span", { className: "unseen" }, ` ${productName(product)}`),
        ),
      ),
    );
  return el(
    "details",
    { className: "gone", open: left.length <= 5 },
    el("summary", {}, say("leftProducts", { n: left.length })),
    el("ul", {}, items),
  );
}

// An empty row of a product. One that is dropped on it gets its place, if both are still there.
function row(product) {
  const item = el("li", { className: "hit", "data-id": product });
  const shown = (id) => state.last.cards.find((hit) => hit.id === id);
  if (state.store.editor && state.restore === null) {
    draggable(
      item,
      "hit",
      product,
      (other) => {
        const [hit, target] = [shown(other), shown(product)];
        if (hit && target) emit("place", hit, target.position);
      },
      () => shown(product)?.position <= PLACES,
    );
  }
  return item;
}

// Puts the focus at the same action of a card that was drawn anew, with its menu unfolded if it is there.
function refocus(item, name) {
  // What stands first has no way up, and the last place no way down.
  const action = item.querySelector(`[data-act="${name}"]`) ?? item.querySelector("[data-act=down], [data-act=up]");
  if (action?.closest(".unfolded")) item.querySelector(".further > button").click();
  action?.focus({ preventScroll: true });
}

// Lays out the cards; those that stay keep their elements, and with them the focus.
function lay(cards) {
  const drawn = new Map([...list.children].map((item) => [item.dataset.id, item]));
  const places = new Map([...drawn].map(([id, item]) => [id, item.getBoundingClientRect()]));
  const items = cards.map((hit) => {
    const item = drawn.get(hit.id) ?? row(hit.id);
    const face = JSON.stringify([hit, hit.position < state.last.order.length]);
    if (item.face === face) return item;
    const focused = item.contains(document.activeElement)
      ? document.activeElement.closest("[data-act]")?.dataset.act
      : null;
    fill(item, card(hit));
    item.face = face;
    // What stands first has no way up, and the last place no way down.
    if (focused) refocus(item, focused);
    return item;
  });
  const active = document.activeElement;
  // Elements that keep their order are not moved, so that the focus stays.
  const same = items.length === list.children.length && items.every((item, at) => list.children[at] === item);
  if (!same) {
    list.replaceChildren(...items);
    if (active instanceof HTMLElement && active !== document.activeElement && list.contains(active))
      active.focus({ preventScroll: true });
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) glide(items, places);
  }
}

function glide(items, places) {
  for (const item of items) {
    const then = places.get(item.dataset.id);
    if (!then) continue;
    const by = then.top - item.getBoundingClientRect().top;
    if (by !== 0)
      item.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], {
        duration: 180,
        easing: "ease-out",
      });
  }
}

// What to do about a query without products.
function nothing() {
  const { q } = state.query;
  const proposed = state.last.query.correctedQuery;
  const offered = q !== "" && state.store.editor && state.restore === null && state.view !== "saved";
  const button = (event, text) =>
    el("button", { className: "button slim", type: "button", onclick: () => emit(event) }, text);
  return el(
    "div",
    { className: "note stack" },
    el("p", {}, proposed ? say("nothingFoundProposed", { query: proposed.text }) : say("nothingFound")),
    offered ? el("p", {}, say("nothingFoundNext")) : null,
    offered
      ? el(
          "div",
          { className: "row" },
          button("add synonym", say("synonymFor", { query: q })),
          button("add rule", say("ruleFor", { query: q })),
        )
      : null,
  );
}

export function show(found, more = false) {
  state.last = found;
  remember(found.cards);
  wrong.hidden = true;
  const text = sums(found);
  count.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    heard.textContent = text;
  }, SPOKEN_MS);
  const cards = state.onlyMoved ? found.cards.filter((hit) => hit.position !== hit.savedPosition) : found.cards;
  fill(
    notes,
    meets(found),
    found.total === 0 ? nothing() : null,
    state.onlyMoved && cards.length === 0 ? el("p", {}, say("nothingMovedHere")) : null,
  );
  const sides = state.view === "sides";
  list.hidden = sides;
  both.hidden = !sides;
  lay(sides ? [] : cards);
  if (sides) sideBySide(both, found, state.onlyMoved);
  const rest = found.cards.length < Math.min(found.order.length, CARDS_MAX);
  fill(
    after,
    rest
      ? el(
          "button",
          {
            className: "button",
            type: "button",
            onclick: () => {
              state.cards = Math.min(CARDS_MAX, state.cards + MORE);
              emit("query");
            },
          },
          say("showMore", { n: Math.min(MORE, CARDS_MAX - state.cards) }),
        )
      : null,
    gone(found.left),
  );
  list.toggleAttribute("aria-busy", more);
  emit("result", found);
}

// Shows why the draft cannot be tried; the products of the last one stay.
export function failed(lines) {
  fill(
    wrong,
    el("p", {}, say("notTried")),
    el(
      "ul",
      {},
      lines.map((line) => el("li", {}, line)),
    ),
  );
  wrong.hidden = false;
  list.removeAttribute("aria-busy");
}

export function showTrouble(kind, seconds) {
  trouble.textContent = kind === "" ? "" : say(`trouble.${kind}`, { n: seconds });
}

export function results() {
  list.setAttribute("aria-label", say("results"));
  drawSwitches();
  on("query", drawSwitches);
  return el(
    "section",
    { className: "results", "aria-label": say("results") },
    el("div", { className: "row between" }, switches, el("span", { className: "quiet compares" }, say("comparesWith"))),
    count,
    heard,
    trouble,
    wrong,
    notes,
    list,
    both,
    after,
  );
}

export const busy = () => list.setAttribute("aria-busy", "true");
