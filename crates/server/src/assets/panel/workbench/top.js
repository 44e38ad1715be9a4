// The query with its language, shopper and instant.

import { el, freshId } from "../element.js";
import { field, input, select } from "../form.js";
import { fromLocal, toLocal } from "../words.js";
import { emit, state } from "./state.js";
import { say, time } from "./words.js";
import { languageOption } from "../language-names.js";

const QUERY_CHARACTERS_MAX = 500;
const KEYS = "findwell-workbench-keys";

// Whether the key / goes to the query.
export const keysOn = () => localStorage.getItem(KEYS) !== "off";

function search(change) {
  Object.assign(state.query, change);
  state.cards = 48;
  const { q, lang } = state.query;
  const revision = state.restore === null ? {} : { restore: state.restore };
  history.replaceState(null, "", `${location.pathname}?${new URLSearchParams({ q, lang, ...revision })}`);
  emit("query");
}

function shopper() {
  const text = (name, hint) => field(name, say(`shopper.${name}`), input({ maxLength: 200 }), hint);
  const summary = el("summary", {}, say("shopperAny"));
  const fields = [
    text("groups", say("commas")),
    text("tier"),
    text("country"),
    text("currency"),
    field("at", say("shopper.at"), input({ type: "datetime-local" }), say("shopperNow")),
  ];
  const whole = el("details", { className: "shopper" }, summary, el("div", { className: "columns" }, fields));
  whole.addEventListener("change", () => {
    const value = (name) => whole.querySelector(`[name="${name}"]`).value.trim();
    const visitor = {};
    if (value("groups"))
      visitor.groups = value("groups")
        .split(/[\s,;]+/)
        .filter(Boolean);
    for (const name of ["tier", "country", "currency"]) if (value(name)) visitor[name] = value(name);
    const at = fromLocal(value("at"));
    const all = [...Object.values(visitor).map(String), at && time(at)].filter(Boolean);
    summary.textContent = all.length > 0 ? say("shopperIs", { who: all.join(" · ") }) : say("shopperAny");
    search({ visitor: Object.keys(visitor).length > 0 ? visitor : undefined, at: at || undefined });
  });
  return whole;
}

function keys() {
  const id = freshId("keys");
  const control = el("input", {
    type: "checkbox",
    id,
    checked: keysOn(),
    onchange: () => localStorage.setItem(KEYS, control.checked ? "on" : "off"),
  });
  return el(
    "details",
    { className: "shopper" },
    el("summary", {}, say("keysTitle")),
    el("p", { className: "hint" }, say("shortcutsAbout")),
    el("span", { className: "check" }, control, el("label", { for: id }, say("keysOn"))),
  );
}

export function top(title) {
  const query = input({
    type: "search",
    value: state.query.q,
    maxLength: QUERY_CHARACTERS_MAX,
    autocomplete: "off",
    spellcheck: "false",
    enterkeyhint: "search",
  });
  query.addEventListener("input", () => search({ q: query.value }));
  const language = select(state.store.languages.map(languageOption), state.query.lang);
  language.addEventListener("change", () => {
    search({ lang: language.value });
    emit("language");
  });
  const tool = (text, event) =>
    el("button", { className: "button slim", type: "button", onclick: () => emit(event) }, text);
  return el(
    "div",
    { className: "bench-top" },
    title,
    el(
      "div",
      { className: "bench-query" },
      field("q", say("benchQuery"), query),
      field("lang", say("language"), language),
    ),
    el(
      "div",
      { className: "row bench-tools" },
      tool(say("whereIs"), "locate"),
      tool(say("watched"), "watched"),
      shopper(),
      keys(),
    ),
  );
}

// Tries the query as at the first whole minute from this instant on, RFC 3339: the control has no seconds.
export function setInstant(at) {
  const control = document.querySelector(".shopper [name=at]");
  control.value = toLocal(new Date(Math.ceil(Date.parse(at) / 60_000) * 60_000));
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

// Puts another query into the field.
export function setQuery(q, lang) {
  const query = document.querySelector(".bench-query [name=q]");
  query.value = q;
  const language = document.querySelector(".bench-query [name=lang]");
  if (lang) language.value = lang;
  search({ q, lang: language.value });
}

export const focusQuery = () => document.querySelector(".bench-query [name=q]").focus();
