// A store at a glance: indices and their age, feed and module, plan, searches, last changes, agents.

import { get, post } from "./call.js";
import { author } from "./changes.js";
import { el, fill } from "./element.js";
import { button, table, translated } from "./form.js";
import { page, parts, report } from "./frame.js";
import { heldPurges } from "./held.js";
import { storeOf } from "./store-access.js";
import { ago, number, percent, say, time, zone } from "./words.js";

const id = parts[1];
const base = `/panel/stores/${id}`;

function fact(label, ...value) {
  return el("div", {}, el("dt", {}, label), el("dd", {}, value));
}

const card = (title, ...content) => el("section", { className: "card" }, el("h2", {}, title), content);
const link = (path, text) => el("p", {}, el("a", { href: `${base}${path}` }, text));

function module(connector) {
  if (!connector) return null;
  const newer = connector.updateAvailable ? ` ${say("moduleNewer", { version: connector.latestVersion })}` : "";
  return fact(
    say("module"),
    say("moduleVersion", { version: connector.moduleVersion ?? "?", time: time(connector.seenAt) }),
    newer,
  );
}

function limit(label, used, most) {
  if (most === undefined) return null;
  return fact(label, used === null ? number(most) : say("usedOf", { used, most }));
}

function plan(detail) {
  const limits = detail.config.plan;
  const most = (type) =>
    Math.max(0, ...detail.indices.filter((index) => index.type === type).map((index) => index.documents));
  const languages = new Set(detail.indices.map((index) => index.language)).size;
  const facts = [
    ...Object.entries(limits.maxDocuments ?? {}).map(([type, max]) =>
      limit(say("documentsOf", { type }), most(type), max),
    ),
    limit(say("languages"), languages, limits.maxLanguages),
    limit(say("priceTiers"), null, limits.maxPriceTiers),
    limit(say("currencies"), null, limits.maxCurrencies),
    limit(say("priceCountries"), null, limits.maxPriceCountries),
  ].filter(Boolean);
  const name = limits.plan ? fact(say("plan"), limits.plan) : null;
  return card(
    say("plan"),
    facts.length > 0 || name ? el("dl", { className: "facts" }, name, facts) : el("p", {}, say("planOpen")),
  );
}

function firstSteps(store) {
  return card(
    say("firstSteps"),
    el("p", {}, say("neverFed")),
    el(
      "ol",
      {},
      el("li", {}, say("step.module")),
      el(
        "li",
        {},
        say("step.key"),
        " ",
        store.owner ? el("a", { href: `${base}/keys` }, say("keys")) : say("step.keyOwner"),
      ),
      el("li", {}, say("step.run")),
    ),
  );
}

// A button that creates the indices of products that languages of the store lack.
function missing(store, detail, redraw) {
  const indexed = new Set(detail.indices.filter((index) => index.type === "products").map((index) => index.language));
  if (!store.editor || detail.languages.every((code) => indexed.has(code))) return null;
  return el(
    "div",
    { className: "row" },
    button(
      say("createIndices"),
      async () => {
        const made = await post(`/stores/${id}/indices`, {
          types: ["products"],
          languages: detail.languages.map((code) => ({ code })),
        });
        const skipped = made.languages.skipped ?? [];
        report(
          skipped.length > 0
            ? say("indicesSkipped", { languages: skipped.map((one) => one.code).join(", ") })
            : say("indicesCreated"),
        );
        await redraw();
      },
      report,
      "button slim",
    ),
  );
}

function indices(store, detail, redraw) {
  const rows = detail.indices.map((index) => [
    index.type,
    index.language,
    number(index.documents),
    say(`indexState.${index.state}`),
    el("span", {}, ago(index.updatedAt), el("span", { className: "quiet" }, ` · ${time(index.updatedAt)}`)),
  ]);
  const heads = [say("indexType"), say("language"), say("documents"), say("state"), say("updated")];
  const none = el("p", {}, say("noIndices"));
  return card(
    say("indices"),
    rows.length > 0 ? table(say("indices"), heads, rows) : none,
    missing(store, detail, redraw),
    link("/runs", say("allRuns")),
  );
}

function queryList(title, queries, last) {
  const rows = queries.map((one) => [one.query, one.language, number(one.searches), last(one)]);
  return el(
    "div",
    { className: "stack" },
    el("h3", {}, title),
    rows.length > 0
      ? table(title, [say("query"), say("language"), say("searches"), say("resultsOrClicks")], rows)
      : el("p", { className: "quiet" }, say("noQueries")),
  );
}

async function searches() {
  try {
    const [sums, top, empty] = await Promise.all([
      get(`/stores/${id}/analytics/summary`),
      get(`/stores/${id}/analytics/queries?kind=top&limit=5`),
      get(`/stores/${id}/analytics/queries?kind=without_results&limit=5`),
    ]);
    const facts = el(
      "dl",
      { className: "facts" },
      fact(say("searches"), number(sums.searches)),
      fact(say("withoutResultsRate"), percent(sums.zeroResultRate)),
      fact(say("clickRate"), percent(sums.clickThroughRate)),
      fact(say("purchases"), number(sums.purchases)),
    );
    return card(
      say("searchesRecent"),
      facts,
      el(
        "div",
        { className: "columns" },
        queryList(say("queryKind.top"), top, (one) => say("foundProducts", { n: one.found })),
        queryList(say("queryKind.without_results"), empty, (one) => say("timesEmpty", { n: one.withoutResults })),
      ),
      link("/searches", say("allSearches")),
    );
  } catch {
    // The log is a database of its own: a store is shown without it, too.
    return card(say("searchesRecent"), el("p", { className: "quiet" }, say("searchesUnavailable")));
  }
}

function changes(revisions) {
  if (revisions.length === 0) return card(say("lastChanges"), el("p", { className: "quiet" }, say("noRevisions")));
  const rows = revisions.map((one) => [
    el("span", {}, time(one.at)),
    author(one.by),
    translated(one.summary, one.translatable),
  ]);
  return card(
    say("lastChanges"),
    table(say("lastChanges"), [say("when"), say("who"), say("what")], rows),
    link("/history", say("wholeHistory")),
  );
}

page(async (main, me) => {
  const store = await storeOf(me, id);
  const redraw = async () => {
    const [detail, revisions, log] = await Promise.all([
      get(`/stores/${id}`),
      get(`/stores/${id}/revisions?limit=5`),
      searches(),
    ]);
    const { counters } = detail;
    const fed = detail.connector || detail.indices.some((index) => index.documents > 0);
    fill(
      main,
      el("h1", {}, detail.name),
      detail.status === "active" ? null : el("p", { className: "card warning" }, say(`statusAbout.${detail.status}`)),
      detail.feedStoppedSince
        ? el("p", { className: "card warning" }, say("feedStopped", { time: time(detail.feedStoppedSince) }))
        : null,
      await heldPurges(store, detail.heldPurges ?? [], redraw),
      fed ? null : firstSteps(store),
      el(
        "dl",
        { className: "facts" },
        fact(say("status"), say(`status.${detail.status}`)),
        fact(say("languages"), detail.languages.join(", ")),
        fact(say("products"), number(counters.products)),
        fact(say("synonyms"), number(counters.synonyms)),
        fact(say("rules"), number(counters.rules)),
        fact(say("filters"), number(counters.filters)),
        module(detail.connector),
      ),
      indices(store, detail, redraw),
      log,
      changes(revisions),
      plan(detail),
      card(
        say("agents"),
        el("p", {}, say("agentsAbout")),
        el("a", { className: "button", href: `${base}/keys` }, say("agentsGo")),
      ),
      el("p", { className: "hint" }, say("timesIn", { zone: zone() })),
    );
  };
  await redraw();
});
