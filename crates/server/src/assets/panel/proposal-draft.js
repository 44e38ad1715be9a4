// A proposal opened as a draft of the workbench, which merges what only one side changed.

import { get } from "./call.js";
import { valueAt } from "./paths.js";

const KINDS = ["synonyms", "rules", "filters"];

// Whether the workbench can show all that a proposal changes.
export const opens = (proposal) =>
  proposal.kind === "draft" &&
  proposal.resources.every((one) => one === "relevance" || KINDS.includes(one.split("/")[0]));

// The paths of an update as the workbench keeps them.
const paths = (patch) =>
  Object.entries(patch).flatMap(([key, value]) =>
    key === "config" ? Object.keys(value).map((inner) => `config.${inner}`) : [key],
  );

// Returns a field with the value that the proposal began from, if that is known, or the saved one.
function fieldOf(proposal, resource, path, record, to) {
  const change = proposal.changes.find((one) => one.path === `${resource}.${path}`);
  return { from: (change ? change.before : valueAt(record, path)) ?? null, to: to ?? null };
}

function relevance(proposal) {
  const changes = proposal.changes.filter((one) => one.path.startsWith("relevance."));
  return Object.fromEntries(
    changes.map(({ path, before, after }) => [
      path.slice("relevance.".length),
      { from: before ?? null, to: after ?? null },
    ]),
  );
}

// Puts a proposal into the tab as the draft of the workbench.
export async function keepAsDraft(me, store, proposal, etag) {
  const draft = proposal.draft;
  const kept = { set: {}, drop: {}, base: {}, add: {}, proposal: { id: proposal.id, etag } };
  if (draft.relevance) kept.set.relevance = relevance(proposal);
  for (const kind of KINDS) {
    kept.add[kind] = draft[kind]?.create ?? [];
    for (const [id, patch] of Object.entries(draft[kind]?.update ?? {})) {
      const resource = `${kind}/${id}`;
      const record = await get(`/stores/${store}/${resource}`);
      const fields = paths(patch).map((path) => [
        path,
        fieldOf(proposal, resource, path, record, valueAt(patch, path)),
      ]);
      kept.set[resource] = Object.fromEntries(fields);
      kept.base[resource] = record;
    }
    for (const id of draft[kind]?.delete ?? [])
      kept.drop[`${kind}/${id}`] = await get(`/stores/${store}/${kind}/${id}`);
  }
  sessionStorage.setItem(`findwell-draft:${me.user.id}:${store}`, JSON.stringify({ now: kept, past: [] }));
}
