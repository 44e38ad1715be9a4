// A store at a glance: indices and their age, feed and module, plan, searches, last changes, agents.

import { get } from "./call.js";
import { outlinesOf } from "./change-words.js";
import { author, headline } from "./changes.js";
import { el, fill } from "./element.js";
import { firstSteps, isOver, stepsOf } from "./first-steps.js";
import { table } from "./form.js";
import { page, parts } from "./frame.js";
import { heldPurges } from "./held.js";
import { indexTable } from "./index-table.js";
import { moduleDownload, moduleReleases } from "./module-download.js";
import { storeOf } from "./store-access.js";
import "./widget-words.js";
import { number, percent, say, time, zone } from "./words.js";
import { capital, languageNames, languageTitle } from "./language-names.js";

const id = parts[1];
const base = `/panel/stores/${id}`;

function fact(label, ...value) {
  return el("div", {}, el("dt", {}, label), el("dd", {}, value));
}

const card = (title, ...content) => el("section", { className: "card" }, el("h2", {}, title), content);
const link = (path, text) => el("p", {}, el("a", { href: `${base}${path}` }, text));

function module(connector, releases) {
  if (!connector) return null;
  const newer = connector.updateAvailable ? ` ${say("moduleNewer", { version: connector.latestVersion })} ` : "";
  const latest = newer ? releases.filter((one) => connector.client.toLowerCase().startsWith(`${one.platform}/`)) : [];
  return fact(
    say("module"),
    say("moduleVersion", { version: connector.moduleVersion ?? "?", time: time(connector.seenAt) }),
    newer,
    latest.map(moduleDownload),
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

function queryList(title, queries, last) {
  const rows = queries.map((one) => [one.query, languageTitle(one.language), number(one.searches), last(one)]);
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

function changes(revisions, outlines) {
  if (revisions.length === 0) return card(say("lastChanges"), el("p", { className: "quiet" }, say("noRevisions")));
  const rows = revisions.map((one) => [
    el("span", {}, time(one.at)),
    author(one.by),
    headline(one, outlines.get(one.revision)),
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
    const [detail, revisions, outlines, log, releases, steps] = await Promise.all([
      get(`/stores/${id}`),
      get(`/stores/${id}/revisions?limit=5`),
      get(`/stores/${id}/outlines?limit=5`),
      searches(),
      moduleReleases(),
      stepsOf(id),
    ]);
    const { counters } = detail;
    // The pages of the demo are this server's own, so they are never seen from outside.
    const isDemo = me.user.email.endsWith(".invalid") && steps?.catalogue.done;
    fill(
      main,
      el("h1", {}, detail.name),
      detail.status === "active" ? null : el("p", { className: "card warning" }, say(`statusAbout.${detail.status}`)),
      detail.feedStoppedSince
        ? el("p", { className: "card warning" }, say("feedStopped", { time: time(detail.feedStoppedSince) }))
        : null,
      store.openProposals
        ? el(
            "p",
            { className: "card warning" },
            el("a", { href: `${base}/proposals` }, say("openProposals", { n: store.openProposals })),
          )
        : null,
      await heldPurges(store, detail.heldPurges ?? [], redraw),
      isOver(steps) || isDemo ? null : await firstSteps(store, steps, releases, redraw),
      el(
        "dl",
        { className: "facts" },
        fact(say("status"), say(`status.${detail.status}`)),
        fact(say("languages"), capital(languageNames(detail.languages))),
        fact(say("products"), number(counters.products)),
        fact(say("synonyms"), number(counters.synonyms)),
        fact(say("rules"), number(counters.rules)),
        fact(say("filters"), number(counters.filters)),
        module(detail.connector, releases),
      ),
      indexTable(store, detail, redraw, link("/catalogue", say("catalogue")), link("/runs", say("allRuns"))),
      log,
      changes(revisions, await outlinesOf(id, revisions, outlines)),
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
