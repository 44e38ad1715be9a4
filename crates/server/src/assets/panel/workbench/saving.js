// Saves parts of the draft as one revision, and takes a save back.

import { CallError, call, get, post } from "../call.js";
import { body, changes, split, touched } from "./draft-parts.js";
import { draft as drafted, settle, withDraft } from "./draft.js";
import { conflicts, settleEqual } from "./merge.js";
import { loadSaved, refresh, saved } from "./saved.js";
import { base, emit } from "./state.js";

const ATTEMPTS = 4;

// Who changed a resource last, by resource, as far as the server said so.
export const others = new Map();

// The last save, which can be taken back. `later` is the first instant at which a rule of it begins that shoppers do not
// get now, `only` whether all of it is such rules.
export const lastSave = { revision: null, resources: [], later: null, only: false };

const begins = (record) => (record && Date.parse(record.startDate) > Date.now() ? record.startDate : null);

// Returns when a part of a draft begins that does not begin now; null for others.
function startOf({ kind, verb, record, resource }) {
  if (kind !== "rules" || verb === "delete") return null;
  if (verb === "create") return begins(record);
  // One that shoppers have by now ends now if it begins later.
  return begins(record) && begins(withDraft(resource));
}

// The proposal that the draft was made of, which is decided with it.
const proposed = () => (drafted().proposal ? { proposal: drafted().proposal } : {});

async function prepare(resources) {
  await Promise.all(resources.filter((one) => !saved.etags[one]).map(refresh));
  settleEqual();
}

// Finds out who changed what is in conflict, where the server has not said so.
async function nameOthers() {
  const unknown = [...conflicts().values()].map((one) => one.resource).filter((resource) => !others.has(resource));
  if (unknown.length === 0) return;
  const revisions = await get(`${base}/revisions?limit=50`);
  for (const resource of unknown) {
    const found = revisions.find((one) => one.resource === resource);
    if (found) others.set(resource, found);
  }
}

async function reread(error) {
  const stale = error.details?.stale ?? [];
  for (const one of stale) others.set(one.resource, one);
  await Promise.all(stale.map((one) => refresh(one.resource)));
  emit("saved");
  settleEqual();
}

// Saves the changes that `keep` selects by their keys. Returns the revision; null if others' changes need a decision
// first, with nothing saved.
export async function save(keep, note) {
  await prepare(touched(split(keep)[0]));
  for (let attempt = 1; ; attempt += 1) {
    const [mine, rest] = split(keep);
    if ([...conflicts().keys()].some(keep)) {
      await nameOthers();
      return null;
    }
    const draft = body(mine);
    // Others have saved the same.
    if (!draft) return saved.revision;
    const starts = changes(mine).map(startOf);
    const ifMatch = Object.fromEntries(touched(mine).map((resource) => [resource, saved.etags[resource]]));
    try {
      const done = await post(`${base}/changes`, { draft, ifMatch, ...(note ? { note } : {}), ...proposed() });
      const changed = done.changes.length > 0;
      lastSave.revision = changed ? done.revision : null;
      lastSave.later = starts.filter(Boolean).sort()[0] ?? null;
      lastSave.only = starts.every(Boolean);
      lastSave.resources = [
        ...touched(mine),
        ...Object.keys(done.created).map((name) => `${name.split("/")[0]}/${done.created[name].split("/").at(-1)}`),
      ];
      settle(rest);
      await loadSaved(touched(rest));
      Object.assign(saved.etags, done.etags);
      return done.revision;
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 412 || attempt === ATTEMPTS) throw error;
      await reread(error);
    }
  }
}

// Makes the resources of the last save what they were before it.
export async function takeBack() {
  const { revision, resources } = lastSave;
  const done = await call("POST", `${base}/revisions/${revision - 1}/restore`, { resources, ifRevision: revision });
  lastSave.revision = null;
  await loadSaved(touched());
  return done.data.revision;
}
