// Names of products and records that a page has seen, by id, and those that it asks the service for.

import { post } from "./call.js";

const AT_ONCE = 50;
const KEPT = 2000;

const products = new Map();
const records = new Map();

function keep(map, entries) {
  for (const [id, name] of entries) map.set(id, name);
  for (const old of [...map.keys()].slice(0, Math.max(0, map.size - KEPT))) map.delete(old);
}

export const remember = (seen) =>
  keep(
    products,
    seen.map(({ id, name }) => [id, name]),
  );
export const productName = (id) => products.get(id) ?? id;
export const isNamed = (id) => products.has(id);

// What a record is named by, such as the terms of a synonym group; undefined if that is not known.
export const namePartsOf = (resource) => records.get(resource);

// Learns the names that are not known yet, at most 50 of each; without them ids are shown.
export async function learn(store, { ids = [], resources = [], lang = undefined }) {
  const missing = (all, map) => [...new Set(all)].filter((one) => !map.has(one)).slice(0, AT_ONCE);
  const wanted = { products: missing(ids, products), records: missing(resources, records) };
  if (wanted.products.length === 0 && wanted.records.length === 0) return;
  const found = await post(`/stores/${store}/names`, lang ? { ...wanted, lang } : wanted).catch(() => null);
  keep(products, Object.entries(found?.products ?? {}));
  keep(records, Object.entries(found?.records ?? {}));
}
