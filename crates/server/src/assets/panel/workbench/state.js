// What the parts of the workbench share: the store and its user, what is tried, and who hears of changes.

import { parts } from "../frame.js";

export const id = parts[1];
export const base = `/stores/${id}`;

// `me` and `store` are set once; `query` is the query with its language, shopper and instant; `restore` is the revision
// that is tried in place of a draft; `currency` is that of prices that name none; `catalogue` the latest change of the catalogue that was heard of.
export const state = {
  me: null,
  store: null,
  restore: null,
  currency: undefined,
  query: { q: "", lang: "", visitor: undefined, at: undefined },
  catalogue: null,
  view: "draft",
  onlyMoved: false,
  cards: 48,
  last: null,
};

const listeners = new Map();

// Calls `action` whenever `event` happens: "draft", "saved", "query", "result", "edit".
export function on(event, action) {
  listeners.set(event, [...(listeners.get(event) ?? []), action]);
}

export function emit(event, ...values) {
  for (const action of listeners.get(event) ?? []) action(...values);
}

// Whether two JSON values are equal, whatever the order of their keys.
export function equal(a, b) {
  if (a === b) return true;
  if (
    typeof a !== "object" ||
    typeof b !== "object" ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return false;
  const keys = Object.keys(a).filter((key) => a[key] !== undefined);
  return (
    keys.length === Object.keys(b).filter((key) => b[key] !== undefined).length &&
    keys.every((key) => equal(a[key], b[key]))
  );
}

export const copy = (value) => JSON.parse(JSON.stringify(value));

// Names of products that were seen, so that those that left can be named, too.
export { productName, remember } from "../product-names.js";
