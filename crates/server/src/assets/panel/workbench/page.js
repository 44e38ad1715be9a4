// The workbench: levers, the products that the query finds under the draft, and why each is where it is.

import { get } from "../call.js";
import { el, fill } from "../element.js";
import { translated } from "../form.js";
import { page, roleNotice } from "../frame.js";
import { storeOf } from "../store-access.js";
import { loop, onTrouble } from "./ask.js";
import { drawer, uncover } from "./drawer.js";
import { errorName } from "./draft-errors.js";
import { changes, touched, tried } from "./draft-parts.js";
import { redo, restoreDraft, undo } from "./draft.js";
import { explaining } from "./explain.js";
import { filters } from "./filters.js";
import { foot } from "./foot.js";
import { leadTo } from "./levers.js";
import { behaviour, weights } from "./relevance.js";
import { busy, failed, results, show, showTrouble } from "./results.js";
import { review } from "./review.js";
import { cardRules, newRule, rules } from "./rules.js";
import { loadSaved } from "./saved.js";
import { base, emit, id, on, state } from "./state.js";
import { newSynonym, synonyms } from "./synonyms.js";
import { focusQuery, keysOn, top } from "./top.js";
import { watching } from "./watched.js";
import { say } from "./words.js";

const TABS = { weights, behaviour, synonyms, rules, filters };

// The buttons of the parts; on narrow screens the results are one of them.
function tabs(bench, levers) {
  const drawn = new Map();
  const buttons = ["results", ...Object.keys(TABS)].map((name) =>
    el(
      "button",
      { type: "button", className: `tab ${name}`, "data-tab": name, onclick: () => choose(name) },
      say(`tab.${name}`),
    ),
  );
  const choose = (name, seen = name) => {
    bench.dataset.view = seen === "results" ? "results" : "levers";
    if (name !== "results") {
      if (!drawn.has(name)) drawn.set(name, el("div", { className: "stack" }, TABS[name]()));
      state.tab = name;
      if (name === "filters") emit("query");
      fill(levers, drawn.get(name));
    }
    for (const button of buttons) {
      const name = button.dataset.tab;
      button.setAttribute("aria-pressed", String(name === "results" ? seen === "results" : name === state.tab));
      button.classList.toggle("here", name === seen);
    }
  };
  return { nav: el("nav", { className: "tabs", "aria-label": say("partsOfBench") }, buttons), choose };
}

function request() {
  const { q, lang, visitor, at } = state.query;
  return {
    q,
    lang,
    cards: state.cards,
    visitor,
    at,
    ...(state.view === "saved" ? {} : tried()),
    facets: state.tab === "filters",
  };
}

// The messages of an error of a draft, each with what it is about.
function lines(error) {
  if ((error.errors ?? []).length === 0) return [translated(error.message ?? String(error), error.translatable)];
  return error.errors.map((one) => [`${errorName(changes(), one.field)}: `, translated(one.reason, one.translatable)]);
}

const typing = (element) =>
  element.matches("textarea, select, input:not([type=range], [type=checkbox])") || element.isContentEditable;

// Whether there is a draft that the user can change.
const editable = () => state.store.editor && state.restore === null;

function shortcuts(event) {
  const key = event.key.toLowerCase();
  const command = event.ctrlKey || event.metaKey;
  if (command && key === "s") {
    event.preventDefault();
    if (editable() && !document.querySelector("dialog:modal")) review();
    return;
  }
  if (typing(event.target) || document.querySelector("dialog:modal") || (!editable() && key !== "/")) return;
  if (command && (key === "z" || key === "y")) {
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo();
    else undo();
  } else if (key === "/" && keysOn() && !command && !event.altKey) {
    event.preventDefault();
    focusQuery();
  }
}

page(async (main, me) => {
  const given = new URLSearchParams(location.search);
  state.me = me;
  state.store = await storeOf(me, id);
  const languages = state.store.languages;
  state.query.q = given.get("q") ?? "";
  state.query.lang = languages.includes(given.get("lang")) ? given.get("lang") : languages[0];
  const revision = Number(given.get("restore"));
  if (Number.isInteger(revision) && revision > 0) state.restore = revision;
  if (state.store.editor) restoreDraft();
  const [detail] = await Promise.all([get(base), loadSaved(touched())]);
  state.currency = detail.config.currency;
  const levers = el("div", { className: "levers" });
  const bench = el("div", { className: "bench-body", "data-view": "results" });
  const { nav, choose } = tabs(bench, levers);
  const side = el(
    "section",
    { className: "side", "aria-label": say("levers") },
    state.store.editor ? null : await roleNotice(state.store.account),
    levers,
  );
  main.classList.add("bench");
  fill(bench, side, results(), drawer());
  fill(
    main,
    top(el("h1", {}, say("benchOf", { name: state.store.name }))),
    state.restore === null ? nav : null,
    bench,
    foot(),
  );
  if (state.restore === null) choose("weights", "results");
  else {
    bench.dataset.view = "both";
    fill(levers, (await import("./restoring.js")).restoring());
  }
  const adding = (tab, openForm) => () => {
    uncover();
    choose(tab);
    openForm();
  };
  const addSynonym = adding("synonyms", newSynonym);
  on("add synonym", addSynonym);
  on("add rule", adding("rules", newRule));
  if (given.get("add") === "synonym" && editable()) addSynonym();
  onTrouble(showTrouble);
  const ask = loop("preview", request, show, (error) => failed(lines(error)));
  const again = () => {
    busy();
    ask();
  };
  for (const event of ["draft", "saved", "query"]) on(event, again);
  on("lead", (path) => {
    uncover();
    choose(path.startsWith("boosts.") ? "weights" : "behaviour");
    leadTo(path);
  });
  explaining();
  cardRules();
  document.addEventListener("keydown", shortcuts);
  again();
  watching();
});
