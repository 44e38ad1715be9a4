// The settings of a store: name and addresses, currency, status and purge breaker, gate, hidden queries; deletion.

import { call, post, put } from "./call.js";
import { configurationCard } from "./configuration-file.js";
import { confirmed } from "./confirm.js";
import { el, fill } from "./element.js";
import { field, form, input, select, textarea, translated } from "./form.js";
import { page, parts, report, roleNotice } from "./frame.js";
import { say } from "./gate-words.js";
import { storeOf } from "./store-access.js";

const id = parts[1];
const base = `/stores/${id}`;

// A card with one form. Without the right role its controls are off; `notice` says who has it.
function card(title, about, allowed, fields, send, notice = null) {
  const whole = form({ fields, button: say("save"), send });
  if (!allowed)
    for (const control of whole.querySelectorAll("input, select, textarea, button")) control.disabled = true;
  return el(
    "section",
    { className: "card" },
    el("h2", {}, title),
    about ? el("p", { className: "quiet" }, about) : null,
    notice,
    whole,
  );
}

// Saves a resource if nobody else has saved it, and remembers its new state, for all cards of the resource.
function saver(path, loaded, body) {
  return async (values) => {
    ({ etag: loaded.etag } = await confirmed(() => call("PUT", path, body(values), loaded.etag)));
    report(say("saved"));
  };
}

function names(store, loaded) {
  const { name, devUrl } = loaded.data;
  return card(
    say("store"),
    null,
    store.editor,
    [
      field("name", say("name"), input({ value: name, maxLength: 255, required: true })),
      field("devUrl", say("devUrl"), input({ type: "url", value: devUrl }), say("devUrlHint")),
    ],
    saver(base, loaded, (values) => ({ name: values.name, devUrl: values.devUrl })),
  );
}

function details(store, loaded, notice) {
  const { url, platform, status, purgeBreaker, currency } = loaded.data;
  const suspended = status === "suspended";
  const choices = suspended
    ? [[status, say("status.suspended")]]
    : ["active", "paused"].map((name) => [name, say(`status.${name}`)]);
  const state = select(choices, status);
  const code = input({ value: currency ?? "", maxLength: 3, autocapitalize: "characters", placeholder: "EUR" });
  const breaker = el("input", { type: "checkbox", name: "purgeBreaker", value: "on", checked: purgeBreaker });
  return card(
    say("shop"),
    null,
    store.owner,
    [
      field("url", say("shopUrl"), input({ type: "url", value: url }), say("fromModule")),
      field("platform", say("platform"), input({ value: platform, maxLength: 32 }), say("fromModule")),
      field("currency", say("currency"), code, say("currencyHint")),
      field("status", say("status"), state, say(suspended ? "statusAbout.suspended" : "pausedHint")),
      el("label", { className: "check" }, breaker, say("purgeBreaker")),
    ],
    saver(`${base}/details`, loaded, (values) => ({
      url: values.url,
      platform: values.platform,
      purgeBreaker: values.purgeBreaker === "on",
      ...(values.currency ? { currency: values.currency.toUpperCase() } : {}),
      ...(suspended ? {} : { status: values.status }),
    })),
    notice,
  );
}

function gate(store, loaded, advice) {
  const { impactGate } = loaded.data;
  const check = (name, checked) => el("input", { type: "checkbox", name, value: "on", checked });
  const share = input({ type: "number", min: 0, max: 100, step: 1, value: impactGate?.maxChangedTop3Percent ?? 10 });
  const missing = advice.filter((one) => one.code === "gate_without_watched");
  return card(
    say("gate"),
    say("gateAbout"),
    store.owner,
    [
      el("label", { className: "check" }, check("on", impactGate !== null), say("gateOn")),
      field("impactGate.maxChangedTop3Percent", say("gateShare"), share),
      el("label", { className: "check" }, check("keys", impactGate?.keysMayForce ?? false), say("gateKeys")),
    ],
    saver(`${base}/details`, loaded, (values) => ({
      impactGate:
        values.on === "on" ? { maxChangedTop3Percent: share.valueAsNumber, keysMayForce: values.keys === "on" } : null,
    })),
    missing.map((one) => el("p", { className: "note" }, translated(one.text, one.translatable))),
  );
}

function hidden(store, loaded) {
  const list = textarea({ rows: 6 }, loaded.data.queries.join("\n"));
  return card(
    say("hiddenQueries"),
    say("hiddenAbout"),
    store.editor,
    [field("queries", say("hiddenLabel"), list)],
    async (values) => {
      await put(`${base}/hidden-queries`, {
        queries: values.queries
          .split("\n")
          .map((text) => text.trim())
          .filter(Boolean),
      });
      report(say("saved"));
    },
  );
}

// Deletes the store once its name was typed. It can be reopened by command for seven days.
function removal(store) {
  return el(
    "section",
    { className: "card warning" },
    el("h2", {}, say("deleteStore")),
    el("p", {}, say("deleteAbout")),
    el("p", {}, say("deleteUndo", { command: `findwell store reopen ${store.id}` })),
    form({
      fields: [field("name", say("deleteName", { name: store.name }), input({ autocomplete: "off", required: true }))],
      button: say("deleteStore"),
      send: async (values) => {
        await confirmed(() => post(`${base}/delete`, { name: values.name }));
        location.assign("/panel?all=1");
      },
    }),
  );
}

page(async (main, me) => {
  const store = await storeOf(me, id);
  const calls = ["", "/details", "/hidden-queries"].map((path) => call("GET", base + path));
  const [settings, facts, queries, configuration] = await Promise.all([...calls, configurationCard(store)]);
  const notice = store.owner ? null : await roleNotice(store.account);
  fill(
    main,
    el("h1", {}, say("settingsOf", { name: store.name })),
    // It stands where it is true: an editor may change all but one card.
    store.editor ? null : notice,
    names(store, settings),
    details(store, facts, store.editor ? notice : null),
    gate(store, facts, settings.data.advice ?? []),
    hidden(store, queries),
    configuration,
    store.owner ? removal(store) : null,
  );
});
