// API keys of a store or an account: list, new key, and the card for agents.

import { get, post } from "./call.js";
import { showKey } from "./agent-card.js";
import { SCOPES } from "./choices.js";
import { confirmed } from "./confirm.js";
import { el, fill } from "./element.js";
import { ask, button, field, form, input, select, table } from "./form.js";
import { page, parts, report, roleNotice } from "./frame.js";
import { say, time, zone } from "./words.js";

const [kind, id] = parts;
const base = `/${kind}/${id}`;
const DAY_MS = 86_400_000;

// Called as the service's errors call it.
const days = (value) =>
  field("expires", say("days"), input({ type: "number", min: 1, max: 3650, value }), say("daysNever"));

// Returns the end of a key as an instant; none without days.
function ends(values) {
  return values.expires ? { expires: new Date(Date.now() + Number(values.expires) * DAY_MS).toISOString() } : {};
}

async function create(body, redraw) {
  const created = await confirmed(() => post(`${base}/keys`, body));
  showKey(created).addEventListener("close", redraw);
}

function agentCard(redraw) {
  const write = el("input", { type: "checkbox", name: "write", value: "yes" });
  const propose = el("input", { type: "checkbox", name: "propose", value: "yes" });
  return el(
    "section",
    { className: "card" },
    el("h2", {}, say("newAgentKey")),
    el("p", {}, say("agentsAbout")),
    form({
      fields: [
        field("name", say("keyName"), input({ value: say("agentName"), maxLength: 255 })),
        days("90"),
        el("label", { className: "check" }, propose, say("mayPropose")),
        el("label", { className: "check" }, write, say("mayWrite")),
      ],
      button: say("createKey"),
      send: (values) =>
        create(
          {
            preset: "ai-agent",
            name: values.name,
            scope: values.write ? "config:write" : values.propose ? "config:propose" : "config:read",
            ...ends(values),
          },
          redraw,
        ),
    }),
  );
}

function keyCard(redraw) {
  const kinds = kind === "stores" ? ["configuration", "connector", "search-only"] : ["configuration"];
  return el(
    "details",
    { className: "card" },
    el("summary", {}, say("newKey")),
    form({
      fields: [
        field(
          "kind",
          say("keyKind"),
          select(
            kinds.map((name) => [name, say(`kind.${name}`)]),
            kinds[0],
          ),
        ),
        field("name", say("keyName"), input({ maxLength: 255 })),
        field(
          "scope",
          say("scope"),
          select(
            SCOPES.map((scope) => [scope, `${say(`keyScope.${scope}`)} (${scope})`]),
            SCOPES[0],
          ),
        ),
        days(""),
      ],
      button: say("createKey"),
      send: (values) =>
        create(
          {
            kind: values.kind,
            ...(values.name ? { name: values.name } : {}),
            ...(values.kind === "configuration" ? { scope: values.scope } : {}),
            ...ends(values),
          },
          redraw,
        ),
    }),
  );
}

function state(key) {
  if (key.deactivatedAt) return say("deactivated");
  if (!key.expiresAt) return say("never");
  return new Date(key.expiresAt) < new Date() ? say("ended") : time(key.expiresAt);
}

// The kind of a key and what it may do, in words and as the interface calls it.
function rights({ kind, scope }) {
  if (!scope) return say(`kind.${kind}`);
  const words = `${say(`kind.${kind}`)}: ${say(`keyScope.${scope}`)}`;
  return el("span", {}, words, el("span", { className: "quiet" }, ` (${scope})`));
}

function row(key, owner, names, redraw) {
  const off = button(
    say("deactivate"),
    async () => {
      if (!(await ask(say("deactivate"), el("p", {}, say("deactivateAsk", { name: key.name })), say("deactivate"))))
        return;
      await post(`${base}/keys/${key.id}/deactivate`);
      report(say("keyDeactivated"));
      await redraw();
    },
    report,
    "button slim",
  );
  const made = key.createdBy
    ? el("span", { className: "quiet" }, ` ${say("createdBy", { name: key.createdBy.name })}`)
    : null;
  return [
    key.name,
    rights(key),
    kind === "accounts" ? (key.storeId ? (names.get(key.storeId) ?? key.storeId) : say("wholeAccount")) : null,
    `…${key.lastFour}`,
    el("span", {}, time(key.createdAt), made),
    key.lastUsedAt ? time(key.lastUsedAt) : say("never"),
    state(key),
    owner && !key.deactivatedAt ? off : "",
  ].filter((cell) => cell !== null);
}

page(async (main, me) => {
  const store = kind === "stores" ? await get(base) : null;
  // Keys of an account name their stores.
  const stores = await get(
    store ? `/stores?q=${encodeURIComponent(id)}` : `/stores?${new URLSearchParams({ account: id, limit: "100" })}`,
  );
  const names = new Map(stores.map((one) => [one.id, one.name]));
  const accountId = store ? stores.find((other) => other.id === id)?.accountId : id;
  const account = me.accounts.find((one) => one.id === accountId);
  const owner = account?.role === "owner";
  const redraw = async () => {
    const keys = account?.role === "viewer" ? [] : await get(`${base}/keys`);
    const heads = [
      say("name"),
      say("keyKind"),
      kind === "accounts" ? say("store") : null,
      say("lastFour"),
      say("created"),
      say("lastUsed"),
      say("ends"),
      say("actions"),
    ].filter(Boolean);
    const list =
      keys.length > 0
        ? table(
            say("keys"),
            heads,
            keys.map((key) => row(key, owner, names, redraw)),
          )
        : el("p", {}, say("noKeys"));
    fill(
      main,
      el("h1", {}, say("keysOf", { name: store?.name ?? account?.name ?? "" })),
      el("p", {}, say("keysAbout")),
      owner ? [kind === "stores" ? agentCard(redraw) : null, keyCard(redraw)] : await roleNotice(account),
      account?.role === "viewer" ? null : list,
      el("p", { className: "hint" }, say("timesIn", { zone: zone() })),
    );
  };
  await redraw();
});
