// The stores of all accounts that the user reaches; with one store, the way to it.

import { call, post } from "./call.js";
import { el, fill } from "./element.js";
import { copyable, dialog, field, form, input, select, table } from "./form.js";
import { page } from "./frame.js";
import { pager } from "./pager.js";
import { say } from "./words.js";

const parameters = new URLSearchParams(location.search);

// A form that creates a store and shows the key of its connector once.
function newStore(owned) {
  const account = select(owned.map((own) => [own.id, own.name]), owned[0].id);
  return el("details", { className: "card" }, el("summary", {}, say("newStore")), form({
    fields: [
      owned.length > 1 ? field("account", say("account"), account) : null,
      field("name", say("name"), input({ maxLength: 255, required: true })),
      field("languages", say("languages"), input({ placeholder: "es, en", required: true }), say("languagesHint")),
    ],
    button: say("createStore"),
    send: async (values) => {
      const languages = values.languages.split(/[\s,;]+/).filter(Boolean);
      const made = await post(`/accounts/${account.value}/stores`, { name: values.name, languages });
      dialog(say("storeCreated"), el("p", {}, say("connectorOnce")), copyable(say("kind.connector"), made.connectorKey)).addEventListener("close", () => location.assign(`/panel/stores/${made.id}`));
    },
  }));
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
  const owned = me.accounts.filter((own) => own.role === "owner");
  const none = el("p", {}, say(searched ? "noStoresFound" : owned.length > 0 ? "noStoresOwner" : "noStores"));
  const heads = [say("name"), say("status"), say("languages"), say("account"), say("role")];
  fill(main, el("h1", {}, say("stores")), searched || meta.total > 5 ? search : null, el("p", { className: "quiet" }, say("storesFound", { n: meta.total })), rows.length > 0 ? table(say("stores"), heads, rows) : none, pager(meta), owned.length > 0 ? newStore(owned) : null);
});
