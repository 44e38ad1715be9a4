// One round trip with the client that openapi-typescript generates from the description: read, update, simulate,
// restore. The types are the check: what is not in the description does not compile.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./description.js";

type Failure = components["schemas"]["Failure"];

const [address, key, shopper] = process.argv.slice(2);
assert(address && key && shopper, "usage: client ADDRESS KEY SEARCH-ONLY-KEY");
const clientWith = (key: string) =>
  createClient<paths>({ baseUrl: `${address}/api/v1`, headers: { "X-API-Key": key } });
const api = clientWith(key);

/** Returns the response of a call that must succeed. */
function done<T>({ data, error, response }: { data?: T; error?: Failure; response: Response }): T {
  assert(data !== undefined, `${response.url} ${response.status}: ${error?.message}`);
  return data;
}

/** Returns the error of a call that must fail with `status`. */
function failureOf({ error, response }: { error?: Failure; response: Response }, status: number): Failure {
  assert.equal(response.status, status);
  assert(error !== undefined && error.success === false);
  return error;
}

const me = done(await api.GET("/me")).data;
assert.deepEqual(me.key.scopes, ["config:write"]);
const [store] = me.stores;
assert(store !== undefined);
const path = { id: store.id };

// Relevance: a provisional configuration ranks like a saved one, and restoring returns the original.
const before = await api.GET("/stores/{id}/relevance", { params: { path } });
const saved = done(before).data;
const boosts = { ...saved.boosts, name: saved.boosts.name + 3 };
const trial = done(
  await api.POST("/stores/{id}/relevance/test", { params: { path }, body: { q: "rain jacket", boosts, limit: 3 } }),
).data;
assert("hits" in trial);
assert(trial.config.provisional && trial.config.boosts.name === boosts.name);
assert.equal(trial.hits.length, 3);
assert(trial.hits.every((hit) => (hit.breakdown?.text.matches.length ?? 0) > 0));
const header = { "If-Match": before.response.headers.get("ETag") ?? "" };
const changed = done(await api.PUT("/stores/{id}/relevance", { params: { path, header }, body: { boosts } })).data;
assert.equal(changed.overrides.boosts?.name, boosts.name);
const late = await api.PUT("/stores/{id}/relevance", { params: { path, header }, body: { boosts: saved.boosts } });
assert.equal(failureOf(late, 412).code, "precondition_failed");
done(await api.PUT("/stores/{id}/relevance", { params: { path }, body: { boosts: saved.boosts } }));
assert.deepEqual(done(await api.GET("/stores/{id}/relevance", { params: { path } })).data, saved);

// Synonyms: created, listed by page, read, deleted.
const group = { language: "en", type: "UNIDIRECTIONAL" as const, input: "mac", terms: ["jacket"] };
const made = done(await api.POST("/stores/{id}/synonyms", { params: { path }, body: group })).data;
assert.equal(made.input, "mac");
const page = done(await api.GET("/stores/{id}/synonyms", { params: { path, query: { q: "mac", limit: 1 } } }));
assert.deepEqual(page.data, [made]);
assert.equal(page.meta?.total, 1);
const one = { params: { path: { ...path, synId: made.id } } };
assert.equal(done(await api.DELETE("/stores/{id}/synonyms/{synId}", one)).data.id, made.id);
assert.equal(failureOf(await api.GET("/stores/{id}/synonyms/{synId}", one), 404).code, "not_found");

// An error lists every field and its reason.
const wrong = await api.PUT("/stores/{id}/relevance", { params: { path }, body: { boosts: { name: 350, tags: -1 } } });
assert.deepEqual(
  failureOf(wrong, 400).errors?.map(({ field }) => field),
  ["boosts.name", "boosts.tags"],
);

// The shopper's key can search, and nothing else.
const shop = clientWith(shopper);
const found = done(await shop.POST("/search", { body: { q: "rain jacket", types: ["products"], limit: 2 } })).data;
assert.equal(found.products.total, 3);
assert.deepEqual(
  found.products.hits.map((hit) => hit.manufacturer),
  ["Harbour", "Harbour"],
);
// Events refer to its response, and statistics are read with the configuration key.
const event = { queryId: found.queryId, type: "click" as const, id: "1" };
const counted = await shop.POST("/events", { body: { events: [event, event] } });
assert.equal(counted.response.status, 202);
assert.deepEqual(done(counted).data, { accepted: 1, ignored: 1 });
const summary = done(await api.GET("/stores/{id}/analytics/summary", { params: { path } })).data;
assert(summary.searches >= 0 && summary.days.length === 30);
const query = { kind: "without_clicks" as const, limit: 5 };
assert.deepEqual(done(await api.GET("/stores/{id}/analytics/queries", { params: { path, query } })).data, []);
const same = done(
  await shop.GET("/search", { params: { query: { q: "rain jacket", types: ["products"], limit: 2 } } }),
);
assert.deepEqual(
  same.data.products.hits.map((hit) => hit.id),
  found.products.hits.map((hit) => hit.id),
);
assert.equal(failureOf(await shop.GET("/me"), 401).code, "key_kind");
console.log("TypeScript client: done");
