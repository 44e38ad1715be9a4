// The panel to try other weights before saving them.

import { el } from "./element.js";
import { relevance, saveRelevance } from "./shop.js";
import { number, say } from "./words.js";

const SLIDERS = [
  { id: "name", group: "boosts", key: "name", word: "boostName", max: 20, step: 0.5, initial: 6 },
  { id: "description", group: "boosts", key: "description", word: "boostDescription", max: 20, step: 0.5, initial: 1 },
  { id: "stock", group: "searchSettings", key: "stockBoost", word: "boostStock", max: 5, step: 0.1, initial: 1.5 },
];

const panel = document.getElementById("tune");
const button = document.getElementById("tune-button");
let saved = null;
let draft = null;
let changed = () => {};
let stored = () => {};
let message = { text: "", good: true };

export const dirty = () => SLIDERS.some(({ id }) => saved && draft[id] !== valueOf(saved, id));

const slider = (id) => SLIDERS.find((one) => one.id === id);
const valueOf = (config, id) => config[slider(id).group][slider(id).key];

// Returns the body for the simulator and for saving. Boosts replace the whole map, so it contains all of them.
export function change() {
  if (!dirty()) return null;
  const sent = { boosts: { ...saved.boosts }, searchSettings: {} };
  for (const { id, group, key } of SLIDERS) sent[group][key] = draft[id];
  return sent;
}

function take(config) {
  saved = { boosts: config.boosts, searchSettings: config.searchSettings };
  draft = Object.fromEntries(SLIDERS.map(({ id }) => [id, valueOf(saved, id)]));
}

function row({ id, word, max, step }) {
  const most = Math.max(max, valueOf(saved, id));
  const shown = el("output", { for: `tune-${id}` }, number(draft[id], 1));
  const input = el("input", {
    type: "range", id: `tune-${id}`, min: "0", max: String(most), step: String(step), value: String(draft[id]),
    oninput: () => {
      draft[id] = Number(input.value);
      shown.textContent = number(draft[id], 1);
      input.style.setProperty("--at", `${(100 * draft[id]) / most}%`);
      message = { text: "", good: true };
      buttons();
      changed();
    },
  });
  input.style.setProperty("--at", `${(100 * draft[id]) / most}%`);
  return el("div", { className: "slider" },
    el("label", { for: `tune-${id}` }, say(word)), shown, input,
    el("small", { className: "quiet" }, say("savedAt", number(valueOf(saved, id), 1))));
}

function buttons() {
  for (const name of ["reset", "save"]) {
    const one = document.getElementById(`tune-${name}`);
    if (one) one.disabled = !dirty();
  }
  const note = document.getElementById("tune-message");
  if (note) {
    note.textContent = message.text;
    note.className = message.good ? "good" : "wrong";
  }
}

function reset() {
  put(Object.fromEntries(SLIDERS.map(({ id }) => [id, valueOf(saved, id)])));
}

function put(values) {
  draft = values;
  message = { text: "", good: true };
  draw();
  document.getElementById("tune-name")?.focus();
  changed();
}

async function save() {
  if (!dirty()) return;
  const moved = SLIDERS.filter(({ id }) => draft[id] !== valueOf(saved, id));
  try {
    // Somebody else may have saved meanwhile: only the moved sliders are changed.
    const now = await relevance();
    const sent = { boosts: { ...now.boosts }, searchSettings: {} };
    for (const { id, group, key } of moved) sent[group][key] = draft[id];
    await saveRelevance(sent);
    take(await relevance());
    message = { text: say("saved"), good: true };
    draw();
    document.getElementById("tune-name")?.focus();
    stored();
  } catch (error) {
    message = { text: `${say("saveFailed")} ${error.message}`, good: false };
    buttons();
  }
}

const asShipped = () => SLIDERS.every(({ id, initial }) => valueOf(saved, id) === initial);

export function draw() {
  if (!saved) return;
  panel.replaceChildren(...[
    el("div", { className: "tune-head" }, el("h2", {}, say("tuneTitle")),
      el("button", { type: "button", className: "close", "aria-label": say("close"), onclick: () => open(false) }, "×")),
    el("p", { className: "quiet tune-about" }, say("tuneAbout")),
    ...SLIDERS.map(row),
    el("p", { className: "tune-buttons" },
      el("button", { type: "button", className: "button", id: "tune-reset", onclick: reset }, say("reset")),
      el("button", { type: "button", className: "button strong", id: "tune-save", onclick: save }, say("save"))),
    el("p", { id: "tune-message", role: "status" }),
    !asShipped() && el("p", {}, el("button", { type: "button", className: "link",
      onclick: () => put(Object.fromEntries(SLIDERS.map(({ id, initial }) => [id, initial]))) }, say("defaults"))),
    el("p", { className: "moves", id: "tune-moves" }, say("untouched")),
    el("ul", { className: "movers", id: "tune-movers" }),
  ].filter(Boolean));
  buttons();
}

// Shows the products that moved most, or without a ranking that the saved values are shown.
export function report(hits, gone) {
  const line = document.getElementById("tune-moves");
  const list = document.getElementById("tune-movers");
  if (!line) return;
  if (!hits) {
    line.textContent = say("untouched");
    list.replaceChildren();
    return;
  }
  const by = (hit) => (hit.savedPosition === null || hit.savedPosition === undefined ? null : hit.savedPosition - hit.position);
  const moved = hits.filter((hit) => by(hit) !== 0);
  line.textContent = say("moved", moved.length) + (gone > 0 ? ` ${say("gone", gone)}.` : "");
  const size = (hit) => (by(hit) === null ? 1000 : Math.abs(by(hit))) / hit.position;
  const top = [...moved].sort((a, b) => size(b) - size(a)).slice(0, 4).sort((a, b) => a.position - b.position);
  list.replaceChildren(...top.map((hit) => {
    const places = by(hit);
    const [kind, mark, text] = places === null ? ["new", say("fresh").toUpperCase(), say("freshLong")]
      : places > 0 ? ["up", `▲${places}`, say("up", places)] : ["down", `▼${-places}`, say("down", -places)];
    return el("li", {}, el("b", { className: `move ${kind}`, "aria-hidden": "true" }, mark),
      el("span", { className: "hidden" }, text), el("span", {}, hit.name));
  }));
}

export function open(on) {
  panel.hidden = !on;
  button.setAttribute("aria-expanded", String(on));
  document.body.classList.toggle("tuning", on);
  if (!on && panel.contains(document.activeElement)) button.focus();
}

// Loads the saved relevance; `onchange` is called when a slider moves, `onsave` after saving.
export async function start(onchange, onsave) {
  changed = onchange;
  stored = onsave;
  button.addEventListener("click", () => {
    open(panel.hidden);
    if (!panel.hidden) document.getElementById("tune-name")?.focus();
  });
  take(await relevance());
  draw();
}
