// What changed, as sentences: for overview, history, audit and what others saved.

import { fieldName, partText, recordName } from "./change-values.js";
import { namePartsOf, learn } from "./product-names.js";
import { say } from "./words.js";

export const RECORDS = ["synonyms", "rules", "filters"];
const RESOURCE = /^(relevance|store|widget\/custom|widget|(?:synonyms|rules|filters)\/[^./]+)(?:\.(.*))?$/s;
const NAMED_BY = ["name", "input", "terms", "field", "label"];
const IN_SENTENCE = 120;

const kindOf = (resource) => resource.split("/")[0];
export const isRecord = (resource) => RECORDS.includes(kindOf(resource));

// The fields of a record that stands in one change as a whole.
const fieldsOf = ({ before, after }) =>
  [...new Set([before, after].flatMap((one) => Object.keys(one ?? {})))].map((path) => ({
    path,
    before: before?.[path],
    after: after?.[path],
  }));

// Returns the changes of a write by resource. Those of a draft name theirs, those of an import are records by id.
export function byResource(resource, changes) {
  const groups = new Map();
  for (const change of changes) {
    const found = RESOURCE.exec(change.path);
    const [at, path] =
      found && (resource === "configuration" || found[1] === resource)
        ? [found[1], found[2] ?? ""]
        : RECORDS.includes(resource)
          ? [`${resource}/${change.path}`, ""]
          : [resource, change.path];
    groups.set(at, [...(groups.get(at) ?? []), ...(path === "" ? fieldsOf(change) : [{ ...change, path }])]);
  }
  return groups;
}

// Returns whether a record was created or deleted, or else updated.
export function verbOf(fields) {
  const named = fields.filter(({ path }) => NAMED_BY.includes(path));
  if (named.length === 0) return "update";
  if (fields.every(({ before }) => before === undefined)) return "create";
  return fields.every(({ after }) => after === undefined) ? "delete" : "update";
}

// Returns the name of a record as it was after these changes.
function nameOf(at, fields) {
  const record = { ...namePartsOf(at) };
  if (!namePartsOf(at) && verbOf(fields) === "update" && !fields.some(({ path }) => NAMED_BY.includes(path)))
    return recordName(kindOf(at), null);
  for (const { path, before, after } of fields) if (NAMED_BY.includes(path)) record[path] = after ?? before;
  return recordName(kindOf(at), record);
}

const short = (text) => (text.length > IN_SENTENCE ? `${text.slice(0, IN_SENTENCE)}…` : text);

// Returns a change of one field, such as “Units sold 0.5 → 0”.
function difference(kind, { path, before, after }) {
  return `${fieldName(kind, path)} ${short(partText(path, before))} → ${short(partText(path, after))}`;
}

function ofRecord(at, fields) {
  const kind = kindOf(at);
  const name = nameOf(at, fields);
  const verb = verbOf(fields);
  if (verb !== "update") return [say(`did.${kind}.${verb}`, { name })];
  if (fields.length === 1 && fields[0].path === "active")
    return [say(fields[0].after === false ? "did.switchedOff" : "did.switchedOn", { name })];
  return [say(`did.${kind}.update`, { name, what: fields.map((one) => difference(kind, one)).join("; ") })];
}

// Returns what a write changed, a sentence each; none if there are no words for its resource.
export function sentences(resource, changes) {
  return [...byResource(resource, changes)].flatMap(([at, fields]) => {
    if (isRecord(at)) return ofRecord(at, fields);
    if (at === "widget/custom") return [say("did.custom")];
    if (at === "relevance") return fields.map((one) => difference("relevance", one));
    if (at === "widget" || at === "store")
      return [say(`did.${at}`, { what: fields.map((one) => difference(at, one)).join("; ") })];
    return [];
  });
}

// Returns the name of a resource, as the heading of its changes; empty if there is none.
export function resourceName(at, fields) {
  if (isRecord(at)) return say(`change.${kindOf(at)}.${verbOf(fields)}`, { name: nameOf(at, fields) });
  return ["relevance", "widget", "store", "widget/custom"].includes(at)
    ? say(`restorePart.${at.replace(/.*\//, "")}`)
    : "";
}

// Returns the ids of the products that a change names.
export function productsOf({ path, before, after }) {
  const of = (value) => {
    if (path === "actions" || path === "") return [value?.pin, value?.hide, value?.actions?.pin, value?.actions?.hide];
    return ["actions.pin", "actions.hide"].includes(path) ? [value] : [];
  };
  return [before, after].flatMap(of).flatMap((ids) => (Array.isArray(ids) ? ids : []));
}

// Returns the first changes of these revisions by number, with the names learnt that their words need.
export async function outlinesOf(store, revisions, outlines) {
  const changes = new Map(outlines.map((one) => [one.revision, one.changes]));
  await learnNames(
    store,
    revisions.map(({ resource, revision }) => ({ resource, changes: changes.get(revision) })),
  );
  return changes;
}

// Learns the names that the words for these writes of a store need: each has a resource and changes.
export async function learnNames(store, writes) {
  const groups = writes.flatMap(({ resource, changes }) => [...byResource(resource, changes ?? [])]);
  const updated = groups.filter(([at, fields]) => isRecord(at) && verbOf(fields) === "update");
  await learn(store, {
    ids: groups.flatMap(([, fields]) => fields.flatMap(productsOf)),
    resources: updated.map(([at]) => at),
  });
}
