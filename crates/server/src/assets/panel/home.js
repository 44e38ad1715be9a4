// The stores of all accounts that the user reaches; with one store, the way to it.

import { CallError, call, get, post } from "./call.js";
import { el, fill } from "./element.js";
import { copyable, dialog, field, form, input, select, table } from "./form.js";
import { page } from "./frame.js";
import { languageNames } from "./language-names.js";
import { languageCodes, languagesField } from "./languages.js";
import { pager } from "./pager.js";
import { percent, say, time } from "./words.js";

const parameters = new URLSearchParams(location.search);

// A form that creates a store and shows the key of its connector once.
function newStore(owned) {
  const account = select(
    owned.map((one) => [one.id, one.name]),
    owned[0].id,
  );
  return el(
    "details",
    { className: "card" },
    el("summary", {}, say("newStore")),
    form({
      fields: [
        owned.length > 1 ? field("account", say("account"), account) : null,
        field("name", say("name"), input({ maxLength: 255, required: true })),
        languagesField(),
      ],
      button: say("createStore"),
      send: async (values) => {
        const languages = languageCodes(values.languages);
        if (languages.length === 0)
          throw new CallError(0, { errors: [{ field: "languages", reason: say("languagesNone") }] });
        const made = await post(`/accounts/${account.value}/stores`, { name: values.name, languages });
        dialog(
          say("storeCreated"),
          el("p", {}, say("connectorOnce")),
          copyable(say("kind.connector"), made.connectorKey),
          el(
            "div",
            { className: "row" },
            el("a", { className: "button strong", href: `/panel/stores/${made.id}` }, say("storeGoOn")),
          ),
        ).addEventListener("close", () => location.assign(`/panel/stores/${made.id}`));
      },
    }),
  );
}

// The stores that were deleted and can still be opened again, or are being removed.
async function closedStores(owned) {
  const lists = await Promise.all(owned.map((one) => get(`/accounts/${one.id}/closed-stores`)));
  const state = (store) =>
    store.removedPercent === undefined
      ? say("removedFrom", { time: time(store.removedFrom), command: `findwell store reopen ${store.id}` })
      : say("beingRemoved", { share: percent(store.removedPercent / 100) });
  const rows = lists.flat().map((store) => [store.name, time(store.closedAt), state(store)]);
  return rows.length > 0
    ? el(
        "section",
        { className: "card" },
        el("h2", {}, say("closedStores")),
        table(say("closedStores"), [say("name"), say("closedAt"), say("state")], rows),
      )
    : null;
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
    el(
      "span",
      {},
      say(`status.${store.status}`),
      store.feedStoppedSince
        ? el("strong", { className: "wrong" }, ` ${say("feedStopped", { time: time(store.feedStoppedSince) })}`)
        : null,
      store.openProposals
        ? el(
            "a",
            { href: `/panel/stores/${store.id}/proposals` },
            ` ${say("openProposals", { n: store.openProposals })}`,
          )
        : null,
    ),
    languageNames(store.languages),
    accounts[store.accountId] ?? "",
    say(`role.${store.role}`),
  ]);
  const search = form({
    fields: [field("q", say("searchStores"), input({ type: "search", value: wanted.get("q") ?? "", maxLength: 100 }))],
    button: say("search"),
    send: (values) => location.assign(`/panel?${new URLSearchParams({ q: values.q, all: "1" })}`),
  });
  const owned = me.accounts.filter((one) => one.role === "owner");
  const none = el("p", {}, say(searched ? "noStoresFound" : owned.length > 0 ? "noStoresOwner" : "noStores"));
  const heads = [say("name"), say("status"), say("languages"), say("account"), say("role")];
  fill(
    main,
    el("h1", {}, say("stores")),
    searched || meta.total > 5 ? search : null,
    el("p", { className: "quiet" }, say("storesFound", { n: meta.total })),
    rows.length > 0 ? table(say("stores"), heads, rows) : none,
    pager(meta),
    owned.length > 0 ? [newStore(owned), await closedStores(owned)] : null,
  );
});
