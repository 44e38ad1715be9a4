// The audit trail of a store or an account: who did what, with filters and a download of everything.

import { actions, actors, kinds } from "./audit-words.js";
import { CallError, call, get } from "./call.js";
import { learnNames } from "./change-words.js";
import { author, changeList, headline, noteOf } from "./changes.js";
import { saveCall } from "./download.js";
import { el, fill } from "./element.js";
import { button, field, form, input } from "./form.js";
import { page, parts, report, roleNotice } from "./frame.js";
import { pager, reload, wanted } from "./pager.js";
import { storeOf } from "./store-access.js";
import "./widget-words.js";
import { fromLocal, say, time, toLocal, zone } from "./words.js";

const [kind, id] = parts;
const base = `/${kind}/${id}/audit`;
const FILTERS = ["text", "operation", "resource", "user", "key", "since", "until"];

// Names of the stores of an account, by their ids.
const storeNames = new Map();

// Returns the members of the account, and the keys of the store or account; null of those that the user may not list.
async function lists(account) {
  const list = (path) => get(path).catch(() => null);
  const [members, keys] = await Promise.all([
    list(`/accounts/${account.id}/members`),
    account.role === "viewer" ? null : list(`/${kind}/${id}/keys`),
  ]);
  return { members, keys };
}

function filters(query, who, records) {
  const of = (name, attributes = {}) => input({ value: query.get(name) ?? "", maxLength: 255, ...attributes });
  const instant = (name) =>
    of(name, { type: "datetime-local", value: query.get(name) ? toLocal(query.get(name)) : "" });
  const clear = query.size > 0 ? el("a", { className: "button", href: location.pathname }, say("clearFilters")) : null;
  return el(
    "details",
    { className: "card", open: query.size > 0 },
    el("summary", {}, say("filterRecords")),
    form({
      fields: el(
        "div",
        { className: "columns" },
        field("text", say("containsText"), of("text", { type: "search" })),
        field("operation", say("operation"), actions(query.get("operation"))),
        field("resource", say("resource"), kinds(query.get("resource"))),
        actors(who, query, records),
        field("since", say("since"), instant("since"), say("timesIn", { zone: zone() })),
        field("until", say("until"), instant("until")),
      ),
      button: say("search"),
      quiet: clear,
      send: (values) => reload({ ...values, since: fromLocal(values.since), until: fromLocal(values.until) }),
    }),
  );
}

function record(one) {
  const facts = [
    one.operation,
    one.resource,
    one.storeId && kind === "accounts" ? one.storeId : null,
    one.requestId ? say("requestId", { id: one.requestId }) : null,
  ];
  const by = one.actor.userId ? { user: one.actor.userId } : one.actor.keyId ? { key: one.actor.keyId } : null;
  const only = by
    ? el("a", { href: `?${new URLSearchParams(by)}` }, say("onlyAuthor", { name: one.actor.name }))
    : null;
  const changes = one.changesLeftOut
    ? el("p", { className: "quiet" }, say("changesLarge"))
    : changeList(one.changes, one.resource);
  return el(
    "details",
    { className: "revision" },
    el(
      "summary",
      {},
      headline(one, one.changesLeftOut ? undefined : one.changes),
      el(
        "span",
        { className: "quiet" },
        [time(one.at), " · ", author(one.actor)],
        kind === "accounts" && storeNames.has(one.storeId) ? ` · ${storeNames.get(one.storeId)}` : null,
      ),
    ),
    noteOf(one),
    changes,
    only ? el("p", {}, only) : null,
    el(
      "details",
      { className: "quiet codes" },
      el("summary", {}, say("codesOf")),
      el("p", {}, facts.filter(Boolean).join(" · ")),
    ),
  );
}

// Learns names of what the records are about, of the first stores of an account.
const STORES = 5;
async function learnAll(records) {
  const stores = [...new Set(records.map((one) => one.storeId).filter(Boolean))].slice(0, STORES);
  await Promise.all(
    stores.map((store) =>
      learnNames(
        store,
        records.filter((one) => one.storeId === store),
      ),
    ),
  );
}

async function draw(main, name, account) {
  const query = wanted(FILTERS);
  const paged = wanted([...FILTERS, "page"]);
  const [{ data: records, meta }, who] = await Promise.all([call("GET", `${base}?${paged}`), lists(account)]);
  await learnAll(records);
  const save = button(
    say("download"),
    () => saveCall(`${base}?${query}`, "application/x-ndjson", "audit.ndjson"),
    report,
  );
  const list =
    records.length > 0
      ? el("section", { className: "card" }, records.map(record))
      : el("p", {}, say(query.size > 0 ? "noRecordsFound" : "noRecords"));
  fill(
    main,
    el("h1", {}, say("auditOf", { name })),
    filters(query, who, records),
    el(
      "div",
      { className: "row between" },
      el("p", { className: "quiet" }, say("recordsFound", { n: meta.total })),
      save,
    ),
    list,
    pager(meta),
    el("p", { className: "hint" }, say("timesIn", { zone: zone() })),
  );
}

page(async (main, me) => {
  if (kind === "stores") {
    const store = await storeOf(me, id);
    return draw(main, store.name, store.account);
  }
  const account = me.accounts.find((one) => one.id === id);
  if (!account) throw new CallError(404, {});
  if (account.role !== "owner")
    return fill(main, el("h1", {}, say("auditOf", { name: account.name })), await roleNotice(account));
  const stores = await get(`/stores?account=${encodeURIComponent(id)}&limit=100`);
  for (const store of stores) storeNames.set(store.id, store.name);
  return draw(main, account.name, account);
});
