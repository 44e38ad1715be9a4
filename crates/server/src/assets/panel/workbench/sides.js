// What is saved beside what is tried, place by place.

import { el, fill } from "../element.js";
import { messageOf } from "../form.js";
import { loop } from "./ask.js";
import { movement, shortCard } from "./card.js";
import { saved } from "./saved.js";
import { remember, state } from "./state.js";
import { say } from "./words.js";

// The cards of what is saved, what they were asked for, and what went wrong.
const nothing = { key: "", cards: [], wrong: null };
let kept = nothing;
let draw = () => {};

function request() {
  const { q, lang, visitor, at } = state.query;
  return { q, lang, visitor, at, cards: state.cards };
}

const key = () => JSON.stringify([request(), saved.revision, state.catalogue]);
let wanted = "";

const again = loop(
  "preview",
  () => {
    wanted = key();
    return request();
  },
  ({ cards }) => {
    kept = { key: wanted, cards, wrong: null };
    remember(cards);
    draw();
    if (wanted !== key()) again();
  },
  (error) => {
    kept = { ...nothing, wrong: messageOf(error) };
    draw();
  },
);

// Where a product of what is saved goes.
function goes(from, to) {
  if (to === from) return el("span", { className: "move" });
  if (to === undefined) return el("span", { className: "move down" }, say("sideOut"));
  return el(
    "span",
    { className: `move ${to < from ? "up" : "down"}` },
    el("b", { "aria-hidden": "true" }, `→ ${to}`),
    el("span", { className: "unseen" }, say("sideTo", { n: to })),
  );
}

// One of the two lists; both have the rows of the grid that they stand in, so that equal places are side by side.
function column(title, rows, wrong = null) {
  return el(
    "section",
    { "aria-label": title },
    el("div", {}, el("h2", {}, title), wrong ? el("p", { className: "wrong" }, wrong) : null),
    el("ol", { className: "hits" }, rows),
  );
}

// Draws both lists for what was found; the saved one is asked for when it is not that of this query, and empty until it
// is.
export function sideBySide(place, found, onlyMoved) {
  draw = () => {
    const places = new Map(found.order.map(([id, position]) => [id, position]));
    const cards = kept.key === key() ? kept.cards : [];
    const left = cards.filter((hit) => !onlyMoved || places.get(hit.id) !== hit.position);
    const right = found.cards.filter((hit) => !onlyMoved || hit.position !== hit.savedPosition);
    const tried = state.restore === null ? say("view.draft") : say("revisionNumber", { n: state.restore });
    const item = (hit, moved, explained) =>
      el("li", { className: "hit short", "data-side": hit.id }, shortCard(hit, moved, explained));
    const focused = place.contains(document.activeElement)
      ? document.activeElement.closest("[data-side]")?.dataset.side
      : null;
    fill(
      place,
      column(
        say("view.saved"),
        left.map((hit) => item(hit, goes(hit.position, places.get(hit.id)), false)),
        kept.wrong,
      ),
      column(
        tried,
        right.map((hit) => item(hit, movement(hit), true)),
      ),
    );
    if (focused) place.querySelector(`[data-side="${CSS.escape(focused)}"] button`)?.focus({ preventScroll: true });
  };
  draw();
  if (kept.key !== key()) again();
}
