// What shoppers searched, by day and by query: top queries, those without results and without clicks, with a file of
// all and the way to the workbench.

import { call, get } from "./call.js";
import { csv, save } from "./download.js";
import { el, fill } from "./element.js";
import { button, field, form, input, select, table } from "./form.js";
import { page, parts, report } from "./frame.js";
import { pager, reload, wanted } from "./pager.js";
import { chart } from "./searches-chart.js";
import { storeOf } from "./store-access.js";
import { changeWatched, readWatched, watchKey, watching } from "./watch-list.js";
import { number, percent, plainDay, say } from "./words.js";
import { languageOption, languageTitle } from "./language-names.js";

const id = parts[1];
const base = `/stores/${id}`;
const KINDS = ["top", "without_results", "without_clicks"];
const FILTERS = ["kind", "from", "to", "lang"];
const PAGES_SAVED = 100;

function fact(label, value) {
  return el("div", {}, el("dt", {}, label), el("dd", {}, value));
}

function filters(query, languages) {
  const date = (name) => input({ type: "date", value: query.get(name) ?? "" });
  return el(
    "section",
    { className: "card" },
    form({
      fields: el(
        "div",
        { className: "columns" },
        field(
          "kind",
          say("queries"),
          select(
            KINDS.map((kind) => [kind, say(`queryKind.${kind}`)]),
            query.get("kind") ?? "top",
          ),
        ),
        field(
          "lang",
          say("language"),
          select([["", say("allLanguages")], ...languages.map(languageOption)], query.get("lang") ?? ""),
        ),
        field("from", say("firstDay"), date("from")),
        field("to", say("lastDay"), date("to")),
      ),
      button: say("show"),
      send: (values) => reload(values),
    }),
  );
}

// A button that puts a query on the list of watched ones.
function watcher(one, watched) {
  const query = { q: one.query, lang: one.language, note: "" };
  const isWatched = watched.list.queries.some((other) => watchKey(other) === watchKey(query));
  const control = named(say(isWatched ? "isWatched" : "watchQuery"), one, async () => {
    watched.list = await changeWatched(id, watched.list, watching(query));
    report(say("nowWatched", { query: one.query }));
    control.replaceWith(watcher(one, watched));
  });
  control.disabled = isWatched;
  return control;
}

// The workbench with a query: it shows what the query finds, and what a draft does to it.
function inWorkbench(one, text, more = {}) {
  const query = new URLSearchParams({ q: one.query, lang: one.language, ...more });
  return el(
    "a",
    { className: "button slim", href: `/panel/stores/${id}/workbench?${query}` },
    text,
    el("span", { className: "unseen" }, ` ${one.query}`),
  );
}

function named(text, one, action) {
  return button([text, el("span", { className: "unseen" }, ` ${one.query}`)], action, report, "button slim");
}

// Whether a query that found nothing finds products by now.
function mended(one) {
  if (one.withoutResults === 0 || one.found === 0) return null;
  return el("span", { className: "badge" }, say("mended"));
}

function row(one, store, watched) {
  // Synonyms are of a language of the store, which the one of an old search may no longer be.
  const spoken = store.languages.includes(one.language);
  const controls = store.editor
    ? [spoken ? inWorkbench(one, say("createSynonym"), { add: "synonym" }) : null, watcher(one, watched)]
    : null;
  return [
    el("span", {}, one.query, mended(one)),
    languageTitle(one.language),
    number(one.searches),
    number(one.found),
    number(one.withoutResults),
    percent(one.clickThroughRate),
    percent(one.conversionRate),
    plainDay(one.lastDay),
    el("div", { className: "row actions" }, inWorkbench(one, say("try")), controls),
  ];
}

async function saveAll(query) {
  const rows = [
    [
      "query",
      "language",
      "searches",
      "found",
      "withoutResults",
      "clicks",
      "clickThroughRate",
      "meanPosition",
      "conversionRate",
      "lastDay",
    ],
  ];
  const names = rows[0];
  for (let at = 1, pages = 1; at <= pages && at <= PAGES_SAVED; at += 1) {
    const next = new URLSearchParams(query);
    next.set("page", String(at));
    next.set("limit", "100");
    const { data, meta } = await call("GET", `${base}/analytics/queries?${next}`);
    rows.push(...data.map((one) => names.map((name) => one[name])));
    pages = meta.totalPages;
  }
  save("searches.csv", csv(rows), "text/csv;charset=utf-8");
}

function summary(sums) {
  return el(
    "dl",
    { className: "facts" },
    fact(say("searches"), number(sums.searches)),
    fact(say("differentQueries"), number(sums.queries)),
    fact(say("withoutResultsRate"), percent(sums.zeroResultRate)),
    fact(say("clickRate"), percent(sums.clickThroughRate)),
    fact(say("carts"), number(sums.carts)),
    fact(say("purchases"), number(sums.purchases)),
    fact(say("conversion"), percent(sums.conversionRate)),
  );
}

page(async (main, me) => {
  const store = await storeOf(me, id);
  const query = wanted(FILTERS);
  const period = wanted(["from", "to", "lang"]);
  const [list, sums, listed] = await Promise.all([
    readWatched(id),
    get(`${base}/analytics/summary?${period}`),
    call("GET", `${base}/analytics/queries?${wanted([...FILTERS, "page"])}`),
  ]);
  const watched = { list };
  const heads = [
    say("query"),
    say("language"),
    say("searches"),
    say("found"),
    say("withoutResults"),
    say("clickRate"),
    say("conversion"),
    say("lastDay"),
    say("actions"),
  ];
  const shown =
    listed.data.length > 0
      ? el(
          "div",
          { className: "queries" },
          table(
            say("queries"),
            heads,
            listed.data.map((one) => row(one, store, watched)),
          ),
        )
      : el("p", {}, say("noQueries"));
  fill(
    main,
    el("h1", {}, say("searchesOf", { name: store.name })),
    el("p", { className: "quiet" }, say("searchesAbout", { from: plainDay(sums.from), to: plainDay(sums.to) })),
    summary(sums),
    chart(sums.days),
    filters(query, store.languages),
    el(
      "div",
      { className: "row between" },
      el("p", { className: "quiet" }, say("queriesFound", { n: listed.meta.total })),
      button(say("downloadCsv"), () => saveAll(query), report),
    ),
    shown,
    pager(listed.meta),
  );
});
