// Two editors at once: what the draft and the newly saved state both changed, and the ways to decide.

import { draft, replaceDraft } from "./draft.js";
import { setAt, valueAt } from "../paths.js";
import { savedOf } from "./saved.js";
import { copy, equal } from "./state.js";

// What a record says, without what the server adds.
function content(record) {
  const { id, createdAt, updatedAt, status, ...rest } = record ?? {};
  return rest;
}

// Takes out of the draft what was saved by others already: equal values, and deletions of what is gone.
export function settleEqual() {
  const next = copy(draft());
  let settled = false;
  for (const [resource, fields] of Object.entries(next.set)) {
    const theirs = savedOf(resource);
    if (!theirs) continue;
    for (const [path, { to }] of Object.entries(fields)) {
      if (!equal(valueAt(theirs, path) ?? null, to)) continue;
      delete fields[path];
      settled = true;
    }
    if (Object.keys(fields).length === 0) delete next.set[resource];
  }
  for (const resource of Object.keys(next.drop)) {
    if (savedOf(resource) !== null) continue;
    delete next.drop[resource];
    settled = true;
  }
  if (settled) replaceDraft(next);
}

// Returns what needs a decision, by the key of its change: values of both sides, or that the record is gone.
export function conflicts() {
  const found = new Map();
  for (const [resource, fields] of Object.entries(draft().set)) {
    const theirs = savedOf(resource);
    if (theirs === undefined) continue;
    if (theirs === null) {
      found.set(resource, { resource, gone: true });
      continue;
    }
    for (const [path, { from, to }] of Object.entries(fields)) {
      const value = valueAt(theirs, path) ?? null;
      if (equal(value, from) || equal(value, to)) continue;
      const key = resource === "relevance" ? `relevance ${path}` : resource;
      const entry = found.get(key) ?? { resource, fields: [] };
      entry.fields.push({ path, from, mine: to, theirs: value });
      found.set(key, entry);
    }
  }
  for (const [resource, record] of Object.entries(draft().drop)) {
    const theirs = savedOf(resource);
    if (theirs && !equal(content(theirs), content(record))) found.set(resource, { resource, deleted: true });
  }
  return found;
}

// Keeps the draft's side: it now begins from what the others saved.
export function keepMine(conflict) {
  const next = copy(draft());
  const { resource, fields = [] } = conflict;
  const theirs = copy(savedOf(resource));
  if (conflict.deleted) next.drop[resource] = theirs;
  for (const { path, theirs: value } of fields) next.set[resource][path].from = value;
  if (conflict.gone) {
    const kind = resource.split("/")[0];
    const record = next.base[resource] ?? {};
    for (const [path, { to }] of Object.entries(next.set[resource])) setAt(record, path, to ?? undefined);
    next.add[kind].push(content(record));
    delete next.set[resource];
    delete next.base[resource];
  }
  replaceDraft(next);
}

// Takes the others' side: the draft lets its own go.
export function takeTheirs(conflict) {
  const next = copy(draft());
  const { resource, fields } = conflict;
  if (fields) for (const { path } of fields) delete next.set[resource][path];
  if (!fields || Object.keys(next.set[resource]).length === 0) delete next.set[resource];
  delete next.drop[resource];
  replaceDraft(next);
}
