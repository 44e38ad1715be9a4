// The storefront: searches as the shopper types, and shows the results.

import { SHOP_LANGUAGES, SORTS, ofFile, read, write } from "./address.js";
import { show } from "./cards.js";
import { el } from "./element.js";
import { explain } from "./explain.js";
import { chips, draw as drawFilters, learn, strange } from "./filters.js";
import { PAGE, ranking, search } from "./shop.js";
import { nameOf, say, speak } from "./words.js";

const $ = (id) => document.getElementById(id);
const TYPING_PAUSE = 100;
const QUIET_BEFORE_NEW_ENTRY = 1500;

let state = read();
let response = null;
let hits = [];
let turn = 0;
let flight = null;
// The facets of the whole shop by language, which have the labels of all values.
const whole = new Map();

// Runs the latest query; responses that arrive out of order are dropped.
async function refresh() {
  const mine = (turn += 1);
  flight?.abort();
  flight = new AbortController();
  const { signal } = flight;
  $("results").setAttribute("aria-busy", "true");
  try {
    const found = await search(state, 1, signal);
    if (mine !== turn) return;
    response = found;
    learn(response.facets ?? []);
    if (strange(state)) learn(await wholeShop(state.lang));
    if (mine !== turn) return;
    hits = found.products.hits;
    render();
  } catch (error) {
    if (mine === turn && error.name !== "AbortError") renderFailure();
  } finally {
    if (mine === turn) $("results").removeAttribute("aria-busy");
  }
}

async function wholeShop(lang) {
  if (!whole.has(lang))
    whole.set(lang, (await search({ q: "", lang, sort: "relevance", filters: {} }, 1)).facets ?? []);
  return whole.get(lang);
}

function why(card) {
  const plain = !Object.keys(state.filters).length && state.sort === "relevance";
  explain(card, () => ranking(state), plain);
}

function render() {
  const { total } = response.products;
  const q = state.q.trim();
  document.title = q ? `${q} – ${say("shop")}` : say("shop");
  $("count").textContent = q ? say("foundFor", total, q) : say("found", total);
  drawFilters($("filters"), response.facets ?? [], state, choose);
  chips($("chips"), state, choose);
  const count = Object.keys(state.filters).length;
  $("filters-button").textContent = count ? `${say("filters")} (${count})` : say("filters");
  $("filters-button").hidden = false;
  $("drawer-close").textContent = say("showResults", total);
  show(hits, why);
  $("more").hidden = hits.length >= total;
  $("more").textContent = say("more", hits.length, total);
  renderSort(total);
  renderHints(q);
  renderEmpty(total, q);
  announce(q ? say("foundFor", total, q) : say("found", total));
}

function renderSort(total) {
  $("sort").closest("label").hidden = total === 0;
  $("sort").replaceChildren(
    ...SORTS.map((sort) => el("option", { value: sort, selected: sort === state.sort }, say(`sort.${sort}`))),
  );
}

function renderHints(q) {
  const rows = [];
  const row = (title, links) =>
    rows.push(el("p", { className: "hint" }, el("span", { className: "quiet" }, title), links));
  const link = (text, next) =>
    el("a", { className: "chip", href: write(next), onclick: (event) => follow(event, next) }, text);
  if (!ofFile && !q && !Object.keys(state.filters).length) {
    row(
      say("tryThese"),
      say("examples").map((text) => link(text, { ...state, q: text })),
    );
  }
  const places = [
    ["categories", response.categories],
    ["manufacturer", response.brands],
  ].flatMap(([field, part]) =>
    (part?.hits ?? []).slice(0, 3).map((hit) => link(hit.name, { ...state, q: "", filters: { [field]: [hit.id] } })),
  );
  if (q && places.length) row(say("goTo"), places);
  const lost = (response.words ?? []).filter((word) => word.found === false && !word.stop).map((word) => word.text);
  if (lost.length && response.products.total) rows.push(el("p", { className: "hint quiet" }, say("noneWith", lost)));
  $("hints").replaceChildren(...rows);
}

function renderEmpty(total, q) {
  if (total > 0) return $("empty").replaceChildren();
  const narrowed = Object.keys(state.filters).length > 0;
  const all = { ...state, q: "", filters: {}, sort: "relevance" };
  $("empty").replaceChildren(
    el(
      "div",
      { className: "empty" },
      el("h2", {}, q ? say("nothing", q) : say("nothingHere")),
      el("p", {}, narrowed ? say("nextFilters") : say("nextWords")),
      el(
        "p",
        { className: "hint" },
        narrowed &&
          el("button", { type: "button", className: "button strong", onclick: () => choose({}) }, say("clear")),
        el("a", { className: "button", href: write(all), onclick: (event) => follow(event, all) }, say("browse")),
      ),
      !ofFile &&
        el(
          "p",
          { className: "hint" },
          el("span", { className: "quiet" }, say("tryThese")),
          say("examples")
            .slice(0, 4)
            .map((text) => {
              const next = { ...all, q: text };
              return el("a", { className: "chip", href: write(next), onclick: (event) => follow(event, next) }, text);
            }),
        ),
    ),
  );
}

function renderFailure() {
  const held = document.activeElement !== document.body;
  clearResults();
  const again = el("button", { type: "button", className: "button strong", onclick: refresh }, say("tryAgain"));
  $("empty").replaceChildren(el("div", { className: "empty" }, el("h2", {}, say("failed")), again));
  // A focus on what is gone moves to what is left to do.
  if (held && document.activeElement === document.body) again.focus();
  announce(say("failed"));
}

// Removes what the search before has left: nothing of it is true of the one that failed.
function clearResults() {
  document.title = say("shop");
  show([], why);
  for (const id of ["count", "filters", "chips", "hints"]) $(id).replaceChildren();
  for (const id of ["more", "filters-button"]) $(id).hidden = true;
  $("sort").closest("label").hidden = true;
  if ($("drawer").open) $("drawer").close();
}

let announcing = 0;
function announce(text) {
  clearTimeout(announcing);
  announcing = setTimeout(() => {
    $("status").textContent = text;
  }, 600);
}

// Navigates to another query, with its own history entry.
function go(next) {
  state = next;
  if (write(state) !== location.pathname + location.search) history.pushState(null, "", write(state));
  $("q").value = state.q;
  refresh();
}

function follow(event, next) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
  event.preventDefault();
  if (next.lang !== state.lang) translate(next.lang);
  go(next);
}

const choose = (filters) => go({ ...state, filters });

let waiting = 0;
let lastTyped = 0;
function typed() {
  state = { ...state, q: $("q").value };
  const now = performance.now();
  const fresh = now - lastTyped > QUIET_BEFORE_NEW_ENTRY;
  lastTyped = now;
  history[fresh ? "pushState" : "replaceState"](null, "", write(state));
  clearTimeout(waiting);
  waiting = setTimeout(refresh, TYPING_PAUSE);
}

async function more() {
  const mine = turn;
  const before = hits.length;
  try {
    const next = await search(state, Math.floor(before / PAGE) + 1);
    if (mine !== turn) return;
    hits = [...hits, ...next.products.hits];
    render();
    $("cards").children[before]?.querySelector("a")?.focus();
  } catch {
    if (mine === turn) announce(say("failed"));
  }
}

function translate(lang) {
  speak(lang);
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = say(element.dataset.word);
  for (const element of document.querySelectorAll("[data-label]"))
    element.setAttribute("aria-label", say(element.dataset.label));
  $("q").placeholder = say("searchHint");
  $("languages").setAttribute("aria-label", say("language"));
  $("shop-name").textContent = say("shop");
  const several = SHOP_LANGUAGES.length > 1 ? SHOP_LANGUAGES : [];
  $("languages").replaceChildren(
    ...several.map((code) =>
      el(
        "a",
        {
          href: write({ ...state, lang: code }),
          lang: code,
          hreflang: code,
          title: nameOf(code),
          "aria-label": `${code.toUpperCase()}: ${nameOf(code)}`,
          "aria-current": code === lang ? "true" : null,
          onclick: (event) => follow(event, { ...state, lang: code }),
        },
        code.toUpperCase(),
      ),
    ),
  );
}

function drawer() {
  const place = (on) => $(on ? "drawer-place" : "filters-place").append($("filters"));
  $("filters-button").addEventListener("click", () => {
    place(true);
    $("drawer").showModal();
  });
  $("drawer-close").addEventListener("click", () => $("drawer").close());
  $("drawer").addEventListener("close", () => place(false));
  $("drawer").addEventListener("click", (event) => {
    if (event.target === $("drawer")) $("drawer").close();
  });
  matchMedia("(min-width: 860px)").addEventListener("change", () => {
    if ($("drawer").open) $("drawer").close();
  });
}

function wire() {
  $("q").addEventListener("input", (event) => {
    if (!event.isComposing) typed();
  });
  $("q").addEventListener("compositionend", typed);
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    go({ ...state, q: $("q").value });
  });
  $("sort").addEventListener("change", () => go({ ...state, sort: $("sort").value }));
  $("more").addEventListener("click", more);
  $("home").addEventListener("click", (event) =>
    follow(event, { q: "", lang: state.lang, sort: "relevance", filters: {} }),
  );
  $("cards").addEventListener("click", (event) => {
    const link = event.target.closest("h2 a");
    if (!link) return;
    const target = new URL(link.href);
    const reference = target.origin === location.origin ? target.searchParams.get("q") : null;
    if (reference) follow(event, { ...state, q: reference, filters: {}, sort: "relevance" });
  });
  addEventListener("popstate", () => {
    state = read();
    translate(state.lang);
    $("q").value = state.q;
    refresh();
  });
  // Coming back from the workbench shows what was saved there.
  addEventListener("pageshow", (event) => {
    if (event.persisted) refresh();
  });
  drawer();
}

translate(state.lang);
$("q").value = state.q;
wire();
refresh();
