// The stores of all accounts that the user reaches; with one store, the way to it.

import { call } from "./call.js";
import { el, fill } from "./element.js";
import { field, form, input, table } from "./form.js";
import { page } from "./frame.js";
import { say } from "./words.js";

const parameters = new URLSearchParams(location.search);

function address(change) {
  const next = new URLSearchParams(parameters);
  for (const [key, value] of Object.entries(change)) next.set(key, value);
  return `/panel?${next}`;
}

function pages({ page: at, totalPages }) {
  if (totalPages < 2) return null;
  const before = at > 1 ? el("a", { className: "button slim", href: address({ page: at - 1 }) }, say("previous")) : null;
  const after = at < totalPages ? el("a", { className: "button slim", href: address({ page: at + 1 }) }, say("next")) : null;
  return el("nav", { className: "row", "aria-label": say("pageOf", { page: at, pages: totalPages }) }, before, el("span", {}, say("pageOf", { page: at, pages: totalPages })), after);
}

page(async (main, me) => {
  const wanted = new URLSearchParams();
  for (const key of ["q", "page", "account"]) if (parameters.get(key)) wanted.set(key, parameters.get(key));
  const { data: stores, meta } = await call("GET", `/stores?${wanted}`);
  const searched = wanted.has("q") || wanted.has("page");
  if (!searched && meta.total === 1 && !parameters.has("all")) {
    location.replace(`/panel/stores/${stores[0].id}`);
    return;
  }
  const accounts = Object.fromEntries(me.accounts.map((account) => [account.id, account.name]));
  const rows = stores.map((store) => [
    el("a", { href: `/panel/stores/${store.id}` }, store.name),
    say(`status.${store.status}`),
    store.languages.join(", "),
    accounts[store.accountId] ?? "",
    say(`role.${store.role}`),
  ]);
  const search = form({
    fields: [field("q", say("searchStores"), input({ type: "search", value: wanted.get("q") ?? "", maxLength: 100 }))],
    button: say("search"),
    send: (values) => location.assign(`/panel?${new URLSearchParams({ q: values.q, all: "1" })}`),
  });
  const none = el("p", {}, say(searched ? "noStoresFound" : "noStores"));
  const heads = [say("name"), say("status"), say("languages"), say("account"), say("role")];
  fill(main, el("h1", {}, say("stores")), searched || meta.total > 5 ? search : null, el("p", { className: "quiet" }, say("storesFound", { n: meta.total })), rows.length > 0 ? table(say("stores"), heads, rows) : none, pages(meta));
});
