// A draft as a list of changes, in parts, and as the calls take it.

import { draft, empty } from "./draft.js";
import { patchOf } from "../paths.js";
import { saved } from "./saved.js";
import { state } from "./state.js";

const KINDS = ["synonyms", "rules", "filters"];

// Returns all changes, each with a key of its own: fields of relevance one by one, records as a whole.
export function changes(of = draft()) {
  const list = [];
  for (const [resource, fields] of Object.entries(of.set)) {
    if (resource === "relevance")
      list.push(
        ...Object.entries(fields).map(([path, { from, to }]) => ({
          key: `relevance ${path}`,
          kind: "relevance",
          resource,
          fields: { [path]: { from, to } },
          path,
        })),
      );
    else
      list.push({
        key: resource,
        kind: resource.split("/")[0],
        resource,
        verb: "update",
        fields,
        record: of.base[resource],
      });
  }
  for (const kind of KINDS)
    list.push(...of.add[kind].map((record, at) => ({ key: `${kind} ${at}`, kind, verb: "create", at, record })));
  list.push(
    ...Object.entries(of.drop).map(([resource, record]) => ({
      key: resource,
      kind: resource.split("/")[0],
      resource,
      verb: "delete",
      record,
    })),
  );
  return list;
}

// Returns the draft without the changes that `keep` rejects, and the one of those.
export function split(keep) {
  const parts = [empty(), empty()];
  for (const one of changes()) {
    const part = parts[keep(one.key) ? 0 : 1];
    if (one.verb === "create") part.add[one.kind].push(one.record);
    else if (one.verb === "delete") part.drop[one.resource] = one.record;
    else {
      part.set[one.resource] = { ...part.set[one.resource], ...one.fields };
      if (one.record) part.base[one.resource] = one.record;
    }
  }
  return parts;
}

const patch = (fields) => patchOf(Object.fromEntries(Object.entries(fields).map(([path, { to }]) => [path, to])));

// Returns a draft as the calls take it; undefined if it changes nothing.
export function body(of = draft()) {
  const sent = {};
  for (const [resource, fields] of Object.entries(of.set)) {
    if (resource === "relevance") {
      sent.relevance = patch(fields);
      // The weights are sent as a whole map.
      if (sent.relevance.boosts) sent.relevance.boosts = { ...saved.relevance.boosts, ...sent.relevance.boosts };
      continue;
    }
    const [kind, record] = resource.split("/");
    sent[kind] ??= {};
    sent[kind].update = { ...sent[kind].update, [record]: patch(fields) };
  }
  for (const resource of Object.keys(of.drop)) {
    const [kind, record] = resource.split("/");
    sent[kind] ??= {};
    sent[kind].delete = [...(sent[kind].delete ?? []), record];
  }
  for (const kind of KINDS) if (of.add[kind].length > 0) sent[kind] = { ...sent[kind], create: of.add[kind] };
  return Object.keys(sent).length > 0 ? sent : undefined;
}

// Returns the saved resources that a draft changes.
export const touched = (of = draft()) => [...Object.keys(of.set), ...Object.keys(of.drop)];

// Returns what is tried, as the calls take it: the draft, or a former revision.
export const tried = () => (state.restore === null ? { draft: body() } : { restore: state.restore });
