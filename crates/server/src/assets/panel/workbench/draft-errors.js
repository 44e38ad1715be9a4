// Errors of a draft: which change each is about, and what it is called.

import { pathName } from "../error-words.js";
import { changeName } from "./labels.js";
import { say } from "./words.js";

// The other parameters of a preview, each with the key of its name.
const PARAMETERS = { q: "query", lang: "language", at: "shopper.at" };

// Returns the paths in which the server reports errors of changes that are sent together.
function pathsOf(changes) {
  const counts = {};
  return changes.map((one) => {
    if (one.kind === "relevance") return `draft.relevance.${one.path}`;
    const verb = `draft.${one.kind}.${one.verb}`;
    if (one.verb === "update") return `${verb}.${one.resource.split("/")[1]}`;
    counts[verb] = (counts[verb] ?? -1) + 1;
    return `${verb}[${counts[verb]}]`;
  });
}

// Returns the change that an error is about, with what the part of it is called; null for an error of no change.
export function placeOf(changes, path) {
  const paths = pathsOf(changes);
  const whole = paths.indexOf(path);
  const at = whole < 0 ? paths.findIndex((one) => path.startsWith(`${one}.`)) : whole;
  if (at < 0) return null;
  const rest = path.slice(paths[at].length + 1);
  return { change: changes[at], part: rest && pathName(rest, { kind: changes[at].kind }) };
}

// Returns what an error of these changes, or of what is tried besides, is about.
export function errorName(changes, path) {
  const place = placeOf(changes, path);
  if (place) return [changeName(place.change), place.part].filter(Boolean).join(" · ");
  const [head, kind] = path.split(/[.[]/);
  if (head === "draft" && kind) return say(`restorePart.${kind}`);
  if (head === "visitor" && kind) return say(`shopper.${kind}`);
  return Object.hasOwn(PARAMETERS, path) ? say(PARAMETERS[path]) : pathName(path);
}
