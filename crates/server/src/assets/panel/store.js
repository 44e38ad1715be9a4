// A store at a glance: indices and their age, the shop's module, records, and where agents get their key.

import { get } from "./call.js";
import { el, fill } from "./element.js";
import { table } from "./form.js";
import { page, parts } from "./frame.js";
import { say, time, zone } from "./words.js";

const id = parts[1];

function fact(label, ...value) {
  return el("div", {}, el("dt", {}, label), el("dd", {}, value));
}

function module(connector) {
  if (!connector) return null;
  const newer = connector.updateAvailable ? ` ${say("moduleNewer", { version: connector.latestVersion })}` : "";
  return fact(say("module"), say("moduleVersion", { version: connector.moduleVersion ?? "?", time: time(connector.seenAt) }), newer);
}

page(async (main) => {
  const store = await get(`/stores/${id}`);
  const { counters, indices } = store;
  const rows = indices.map((index) => [index.type, index.language, String(index.documents), index.updatedAt ? time(index.updatedAt) : "–"]);
  const heads = [say("indexType"), say("language"), say("documents"), say("updated")];
  const agents = el("section", { className: "card" }, el("h2", {}, say("agents")), el("p", {}, say("agentsAbout")), el("a", { className: "button", href: `/panel/stores/${id}/keys` }, say("agentsGo")));
  fill(
    main,
    el("h1", {}, store.name),
    el("dl", { className: "facts" }, fact(say("status"), say(`status.${store.status}`)), fact(say("languages"), store.languages.join(", ")), fact(say("products"), String(counters.products)), fact(say("synonyms"), String(counters.synonyms)), fact(say("rules"), String(counters.rules)), fact(say("filters"), String(counters.filters)), module(store.connector)),
    el("section", { className: "card" }, el("h2", {}, say("indices")), rows.length > 0 ? table(say("indices"), heads, rows) : el("p", {}, say("neverFed")), el("p", { className: "hint" }, say("timesIn", { zone: zone() }))),
    agents,
  );
});
