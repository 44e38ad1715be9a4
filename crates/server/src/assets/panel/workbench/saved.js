// What is saved: relevance and records with their entity tags, as far as they were read.

import { CallError, call, get } from "../call.js";
import { base, emit, state } from "./state.js";

// `records` has synonym groups, rules and filters by resource, such as rules/<id>.
export const saved = {
  relevance: null,
  records: new Map(),
  rules: [],
  filters: [],
  etags: {},
  revision: 0,
  synonymCount: 0,
};

// Returns the saved state of a resource; null if it is known to be gone, undefined if it was not read.
export function savedOf(resource) {
  return resource === "relevance" ? saved.relevance : saved.records.get(resource);
}

function keep(kind, list) {
  for (const record of list) saved.records.set(`${kind}/${record.id}`, record);
}

// Reads a resource with its entity tag.
export async function refresh(resource) {
  try {
    const { data, etag } = await call("GET", `${base}/${resource}`);
    saved.etags[resource] = etag;
    if (resource === "relevance") saved.relevance = data;
    else saved.records.set(resource, data);
    return data;
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 404 || resource === "relevance") throw error;
    saved.records.set(resource, null);
    delete saved.etags[resource];
    return null;
  }
}

// Reads a page of synonym groups in the chosen language.
export async function synonymPage(q, page) {
  const query = new URLSearchParams({ lang: state.query.lang, limit: "50", page: String(page), ...(q ? { q } : {}) });
  const found = await call("GET", `${base}/synonyms?${query}`);
  keep("synonyms", found.data);
  return found;
}

async function loadList(kind) {
  const list = await get(`${base}/${kind}`);
  for (const resource of saved.records.keys()) if (resource.startsWith(`${kind}/`)) saved.records.set(resource, null);
  keep(kind, list);
  saved[kind] = list;
}

// Reads all that is saved; `touched` are records to read besides the lists.
export async function loadSaved(touched = []) {
  const head = await get(`${base}/head`);
  const groups = touched.filter((resource) => resource.startsWith("synonyms/"));
  await Promise.all([refresh("relevance"), loadList("rules"), loadList("filters"), ...groups.map(refresh)]);
  saved.revision = head.configRevision;
  emit("saved");
}
