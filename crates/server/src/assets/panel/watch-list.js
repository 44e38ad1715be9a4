// The watched queries of a store: read, and changed from what is saved.

import { CallError, call } from "./call.js";

export const watchKey = ({ q, lang }) => `${lang} ${q}`;

// Returns the list with its entity tag.
export async function readWatched(store) {
  const { data, etag } = await call("GET", `/stores/${store}/watched`);
  return { queries: data.queries, etag };
}

async function save(store, { queries, etag }, change) {
  const done = await call("PUT", `/stores/${store}/watched`, { queries: change(queries) }, etag);
  return { queries: done.data.queries, etag: done.etag };
}

// Changes a list and returns the saved one; if somebody else has changed it, once more from theirs.
export async function changeWatched(store, list, change) {
  try {
    return await save(store, list, change);
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 412) throw error;
    return save(store, await readWatched(store), change);
  }
}

// Returns a change that adds a query.
export const watching = (one) => (all) =>
  all.some((other) => watchKey(other) === watchKey(one)) ? all : [...all, one];
