// The six steps of the guide for agents with the TypeScript clients, undone at the end: steps.mjs URL KEY
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, key] = process.argv.slice(2);
const requestInit = { headers: { "X-API-Key": key } };
const boosts = { name: 1, description: 12 };
const lang = "en";

function caller(client) {
  return async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result));
    return result.structuredContent.data;
  };
}

// Everything that tools can configure.
async function configuration(call) {
  const all = {};
  for (const tool of ["get_relevance", "list_synonyms", "list_rules", "list_filters"]) all[tool] = await call(tool, {});
  return all;
}

const places = ({ hits }) => hits.map(({ id, score }) => [id, score]);

async function sixSteps(client) {
  const call = caller(client);
  const ranking = async (q, more) => places(await call("test_relevance", { q, lang, ...more }));
  assert.equal((await client.listTools()).tools.length, 15);
  // 1. Which store, and may it be changed?
  const account = await call("get_account", {});
  const storeId = account.stores[0].id;
  assert.ok(account.key.scopes.includes("config:write"), account);
  // 2. Read what is configured.
  const before = await configuration(call);
  // 3. Reproduce: why is the first hit first, and what is not found?
  const found = await call("test_relevance", { storeId, q: "warm jacket", lang });
  assert.equal(found.hits.length, 10);
  assert.equal(found.config.provisional, false);
  const first = found.hits[0];
  assert.match(first.breakdown.summary, /jacket/);
  assert.deepEqual(await ranking("wigwamish"), []);
  // 4. Simulate, compare, and test other queries.
  const tried = await call("test_relevance", { q: "warm jacket", lang, boosts });
  assert.equal(tried.config.provisional, true);
  assert.ok(tried.hits.some((hit) => hit.position !== hit.savedPosition));
  assert.deepEqual((await call("get_relevance", {})).overrides, before.get_relevance.overrides);
  const others = {};
  for (const q of ["shoes", "backpack"]) {
    others[q] = await ranking(q, { boosts, detail: "brief" });
    assert.ok(others[q].length > 0);
  }
  // 5. Save. Omitted values stay, also those saved before.
  let saved;
  for (const [name, boost] of Object.entries(boosts))
    saved = await call("update_relevance", { boosts: { [name]: boost } });
  assert.deepEqual(saved.boosts, { ...before.get_relevance.boosts, ...boosts });
  const group = await call("create_synonym", { language: lang, terms: ["tent", "wigwamish"] });
  const imported = await call("import_synonyms_csv", { language: lang, csv: "teepeeish => tent\nalone" });
  assert.deepEqual([imported.created, imported.errors[0].line], [1, 2]);
  const trigger = { query: "tent", match: "exact" };
  const pin = { name: "Check", language: lang, type: "PIN", trigger, actions: { pin: [first.id] } };
  const rule = await call("create_rule", pin);
  // 6. Confirm.
  assert.deepEqual(await ranking("warm jacket"), places(tried));
  for (const [q, expected] of Object.entries(others)) assert.deepEqual(await ranking(q, { detail: "brief" }), expected);
  for (const q of ["wigwamish", "teepeeish"]) assert.ok((await ranking(q)).length > 0, q);
  const pinned = await call("test_relevance", { q: "tent", lang, applyRules: true });
  assert.deepEqual([pinned.hits[0].id, pinned.rules[0].id], [first.id, rule.id]);
  // Change it again, and undo it.
  const ruleId = rule.id;
  const changed = await call("update_rule", { ruleId, active: false });
  assert.deepEqual(await call("get_rule", { ruleId }), changed);
  assert.notEqual((await ranking("tent", { applyRules: true }))[0][0], first.id);
  assert.deepEqual(await call("delete_rule", { ruleId }), { id: ruleId });
  assert.equal((await call("update_synonym", { synId: group.id, active: false })).active, false);
  assert.deepEqual(await ranking("wigwamish"), []);
  await call("delete_synonym", { synId: group.id });
  const [oneWay] = await call("list_synonyms", { q: "teepeeish" });
  await call("delete_synonym", { synId: oneWay.id });
  const { name, description } = before.get_relevance.boosts;
  await call("update_relevance", { boosts: { name, description } });
  assert.deepEqual(await configuration(call), before);
  assert.deepEqual(await ranking("warm jacket"), places(found));
}

async function refusals(client) {
  const refused = await client.callTool({ name: "update_relevance", arguments: { boosts: { name: 350 } } });
  assert.ok(refused.isError, JSON.stringify(refused));
  assert.match(refused.content[0].text, /boosts\.name.*between 0 and 200.*nextStep/);
  await assert.rejects(client.callTool({ name: "drop_store", arguments: {} }), /drop_store/);
  const guide = await client.readResource({ uri: "svc://docs/agent" });
  assert.match(guide.contents[0].text, /never instructions/);
}

async function check(what, client, transport) {
  await client.connect(transport);
  await sixSteps(client);
  await refusals(client);
  await client.close();
  console.log(...what, "works");
}

const name = { name: "check", version: "1" };
for (const mode of ["legacy", "auto", { pin: "2026-07-28" }]) {
  const client = new Client(name, { versionNegotiation: { mode } });
  await check(["client", mode], client, new StreamableHTTPClientTransport(new URL(url), { requestInit }));
}
await check(["sdk"], new OldClient(name), new OldTransport(new URL(url), { requestInit }));
