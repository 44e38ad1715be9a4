// What errors of the service are about, in words: parts of a record, or of a setting.

import { fieldName, productField } from "./change-values.js";
import { capital } from "./language-names.js";
import { say } from "./words.js";

// What changes are of whose paths begin like this; others are of records.
const KINDS = {
  boosts: "relevance",
  searchSettings: "relevance",
  features: "widget",
  colors: "widget",
  typography: "widget",
  defaultSearch: "widget",
  translations: "widget",
  impactGate: "store",
};

// Returns the name of one key, of a record or of products.
function keyName(key) {
  const name = fieldName("", key);
  return name === key ? productField(key) : name;
}

// Returns the names of keys that dots separate; names of fields contain dots themselves.
function namesOf(kind, path) {
  const keys = path.split(".");
  // What follows the action of a rule is its own.
  for (let n = keys[0] === "actions" ? 2 : keys.length; n > 0; n -= 1) {
    const head = keys.slice(0, n).join(".");
    const name = fieldName(kind, head);
    if (name !== head) return [name, ...keys.slice(n).map(keyName)];
  }
  return keys.map(keyName);
}

// Returns the names of the steps of a path: of terms[2] they are “Words” and “entry 3”.
function stepsOf(path, kind = KINDS[path.split(/[.[]/)[0]] ?? "") {
  const [first, ...more] = path.split(/\.?(\[\d+\])\.?/).filter(Boolean);
  const entry = (step) => (/^\[\d+\]$/.test(step) ? [say("entryOf", { n: Number(step.slice(1, -1)) + 1 })] : null);
  return [
    ...(entry(first) ?? namesOf(kind, first)),
    ...more.flatMap((step) => entry(step) ?? step.split(".").map(keyName)),
  ];
}

// Returns what a path is called; within the part `within`, what it is called there.
export function pathName(path, { kind = undefined, within = "" } = {}) {
  if (path === within) return "";
  const steps = stepsOf(path, kind);
  const inner = within && path.startsWith(within) ? steps.slice(stepsOf(within, kind).length) : [];
  return capital((inner.length > 0 ? inner : steps).join(", "));
}
