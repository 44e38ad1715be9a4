// Lists of records with the draft's changes, and the form of one, which is tried before it becomes part of the draft.

import { CallError } from "../call.js";
import { el, fill } from "../element.js";
import { form } from "../form.js";
import { ask } from "./ask.js";
import { closeDrawer, openDrawer } from "./drawer.js";
import { errorName } from "./draft-errors.js";
import { body, changes } from "./draft-parts.js";
import { add, added, change, draft, drop, isDropped, isTouched, leave, removeAdded, withDraft } from "./draft.js";
import { recordName } from "../change-values.js";
import { valueAt } from "../paths.js";
import { refresh, savedOf } from "./saved.js";
import { copy, equal, state } from "./state.js";
import { say } from "./words.js";

// Returns the changed fields of a saved record by path.
function differences(resource, record, paths) {
  const before = savedOf(resource);
  return Object.fromEntries(
    paths
      .map((path) => [path, valueAt(record, path) ?? null])
      .filter(([path, to]) => !equal(to, valueAt(before, path) ?? null)),
  );
}

// Tries the draft with a record; errors of its fields are reported by their paths within it.
async function tried(kind, target, record, paths) {
  const next = copy(draft());
  let prefix;
  if (target.resource) {
    const values = differences(target.resource, record, paths);
    next.set[target.resource] = Object.fromEntries(
      Object.entries(values).map(([path, to]) => [path, { from: null, to }]),
    );
    if (Object.keys(values).length === 0) delete next.set[target.resource];
    prefix = `draft.${kind}.update.${target.resource.split("/")[1]}.`;
  } else {
    const at = target.at ?? next.add[kind].length;
    next.add[kind][at] = record;
    prefix = `draft.${kind}.create[${at}].`;
  }
  try {
    await ask("preview", () => ({ q: state.query.q, lang: state.query.lang, cards: 0, limit: 1, draft: body(next) }));
  } catch (error) {
    if (error instanceof CallError)
      error.errors = error.errors.map((one) =>
        one.field.startsWith(prefix)
          ? { ...one, field: one.field.slice(prefix.length) }
          : { ...one, about: errorName(changes(next), one.field) },
      );
    throw error;
  }
}

// Puts a record into the draft: a changed one, one that was added before, or a new one.
export function put(kind, target, record, paths) {
  if (target.resource) {
    change(target.resource, Object.fromEntries(paths.map((path) => [path, valueAt(record, path) ?? null])));
  } else add(kind, record, target.at);
}

// Opens the form of a record. `make` returns the fields for it, `read` the record from their values.
export async function edit(kind, target, { title, make, read, paths, initial }) {
  if (target.resource && (await refresh(target.resource)) === null) return;
  const record = target.resource
    ? withDraft(target.resource)
    : target.at === undefined
      ? initial
      : copy(added(kind)[target.at]);
  const content = openDrawer(title);
  const whole = form({
    fields: make(record, target),
    button: say("intoDraft"),
    send: async (values, element) => {
      const next = read(values, record, element);
      await tried(kind, target, next, paths);
      put(kind, target, next, paths);
      closeDrawer();
    },
  });
  fill(content, whole);
  (whole.querySelector("[data-begin]") ?? whole.querySelector("input, select, textarea"))?.focus({
    preventScroll: true,
  });
}

function act(text, name, action, className = "link") {
  return el(
    "button",
    { className, type: "button", onclick: action },
    text,
    el("span", { className: "unseen" }, ` ${name}`),
  );
}

function mark(resource) {
  if (isDropped(resource)) return say("mark.dropped");
  return isTouched(resource) ? say("mark.changed") : "";
}

// A saved record with its state in the draft. `more` are its own controls, `about` says what it does.
export function savedRow(kind, record, { open, about = null, more = null }) {
  const resource = `${kind}/${record.id}`;
  const shown = isTouched(resource) && !isDropped(resource) ? withDraft(resource) : record;
  const name = recordName(kind, shown);
  const dropped = isDropped(resource);
  const controls = state.store.editor
    ? [
        more,
        dropped ? null : act(say("edit"), name, () => open({ resource })),
        isTouched(resource)
          ? act(say("takeBack"), name, () => leave(resource))
          : act(say("delete"), name, () => drop(resource)),
      ]
    : null;
  return el(
    "li",
    { className: "record", "data-record": resource },
    el(
      "p",
      {},
      dropped ? el("del", {}, name) : el("b", {}, name),
      " ",
      el("small", { className: "dot" }, mark(resource)),
      shown.active === false ? el("small", { className: "quiet" }, ` ${say("inactiveNow")}`) : null,
    ),
    about ? el("p", { className: "hint" }, about(shown)) : null,
    el("div", { className: "row acts" }, controls),
  );
}

// The records that the draft adds.
export function addedRows(kind, { open, about }) {
  return added(kind).map((record, at) => {
    const name = recordName(kind, record);
    return el(
      "li",
      { className: "record", "data-record": `${kind}/draft:${at}` },
      el("p", {}, el("b", {}, name), " ", el("small", { className: "dot" }, say("mark.new"))),
      about ? el("p", { className: "hint" }, about(record)) : null,
      el(
        "div",
        { className: "row acts" },
        act(say("edit"), name, () => open({ at })),
        act(say("takeBack"), name, () => removeAdded(kind, at)),
      ),
    );
  });
}

export const part = (title, rows) =>
  rows.length === 0
    ? null
    : el("section", { className: "stack" }, title ? el("h2", {}, title) : null, el("ul", { className: "plain" }, rows));
