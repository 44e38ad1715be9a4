// The draft: changes of fields and records with what they began from, kept in the tab, with a hundred steps back.

import { setAt, valueAt } from "../paths.js";
import { savedOf } from "./saved.js";
import { copy, emit, equal, id, state } from "./state.js";

const STEPS = 100;
const SAME_MOVE_MS = 900;

// Changed fields and dropped records by resource, added records by kind, and what changed records were before.
export const empty = () => ({ set: {}, drop: {}, add: { synonyms: [], rules: [], filters: [] }, base: {} });

export const count = (of = now) =>
  Object.entries(of.set).reduce(
    (sum, [resource, fields]) => sum + (resource === "relevance" ? Object.keys(fields).length : 1),
    Object.keys(of.drop).length + Object.values(of.add).flat().length,
  );

let now = empty();
let past = [];
let future = [];
let last = { key: "", at: 0 };

const place = () => `findwell-draft:${state.me.user.id}:${id}`;

function store() {
  try {
    if (count() === 0 && past.length === 0) sessionStorage.removeItem(place());
    else sessionStorage.setItem(place(), JSON.stringify({ now, past }));
  } catch {
    // The tab's memory is full: the steps back are given up before the draft is.
    past = past.slice(-5);
    try {
      sessionStorage.setItem(place(), JSON.stringify({ now, past }));
    } catch {
      sessionStorage.removeItem(place());
    }
  }
}

// Takes up what the tab kept; returns whether there was a draft.
export function restoreDraft() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place()));
    if (kept?.now?.set && kept.now.add) [now, past] = [{ ...empty(), ...kept.now }, kept.past ?? []];
  } catch {
    now = empty();
  }
  return count() > 0;
}

function changed() {
  store();
  emit("draft");
}

// Begins a step; moves of one control in quick succession are one.
function step(key) {
  const at = performance.now();
  const same = key !== "" && key === last.key && at - last.at < SAME_MOVE_MS;
  last = { key, at };
  if (!same) past = [...past, copy(now)].slice(-STEPS);
  future = [];
}

function travel(from, to) {
  if (from.length === 0) return;
  to.push(copy(now));
  now = from.pop();
  last = { key: "", at: 0 };
  changed();
}

export const undo = () => travel(past, future);
export const redo = () => travel(future, past);
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

export function discard() {
  step("");
  now = empty();
  changed();
}

function lay(resource, path, from, to) {
  const fields = { ...now.set[resource] };
  if (equal(from, to)) delete fields[path];
  else fields[path] = { from, to };
  if (Object.keys(fields).length > 0) now.set[resource] = fields;
  else {
    delete now.set[resource];
    delete now.base[resource];
  }
}

function set(resource, values) {
  const record = savedOf(resource);
  if (resource !== "relevance") now.base[resource] ??= copy(record);
  for (const [path, to] of Object.entries(values)) {
    const began = now.set[resource]?.[path];
    lay(resource, path, copy(began ? began.from : (valueAt(record, path) ?? null)), to ?? null);
  }
}

// Sets fields of a saved resource; `values` are new values by path.
export function change(resource, values) {
  step(`${resource} ${Object.keys(values)}`);
  set(resource, values);
  changed();
}

// Sets fields of several saved resources in one step.
export function changeAll(list) {
  step("");
  for (const [resource, values] of list) set(resource, values);
  changed();
}

// Returns a field as the draft has it.
export function current(resource, path) {
  const change = now.set[resource]?.[path];
  return change ? change.to : valueAt(savedOf(resource), path);
}

export const isChanged = (resource, path) => Boolean(now.set[resource]?.[path]);

// Returns a saved record with the draft's changes.
export function withDraft(resource) {
  const record = copy(savedOf(resource) ?? now.base[resource] ?? {});
  for (const [path, { to }] of Object.entries(now.set[resource] ?? {})) setAt(record, path, to ?? undefined);
  return record;
}

export const isDropped = (resource) => resource in now.drop;
export const isTouched = (resource) => resource in now.set || resource in now.drop;
export const added = (kind) => now.add[kind];
export const draft = () => now;

export function drop(resource) {
  step("");
  delete now.set[resource];
  delete now.base[resource];
  now.drop[resource] = copy(savedOf(resource));
  changed();
}

// Takes back all changes of a resource.
export function leave(resource) {
  step("");
  for (const part of ["set", "drop", "base"]) delete now[part][resource];
  changed();
}

// Adds a record, or replaces the added one at `index`.
export function add(kind, record, index = now.add[kind].length) {
  step("");
  now.add[kind] = [...now.add[kind].slice(0, index), record, ...now.add[kind].slice(index + 1)];
  changed();
}

export function removeAdded(kind, index) {
  step("");
  now.add[kind] = now.add[kind].filter((_, at) => at !== index);
  changed();
}

// Replaces the draft in one step.
export function replaceDraft(next) {
  step("");
  now = next;
  changed();
}

// Forgets what was saved; no step leads back before it.
export function settle(rest) {
  now = rest;
  past = [];
  future = [];
  changed();
}
