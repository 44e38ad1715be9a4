// Who changed what: names, sentences, and the values of fields before and after.

import { fieldName, partText } from "./change-values.js";
import { RECORDS, byResource, isRecord, resourceName, sentences, verbOf } from "./change-words.js";
import { el } from "./element.js";
import { translated } from "./form.js";
import { say } from "./words.js";

const SHOWN_CHARACTERS = 600;
const SENTENCES = 2;

// Returns who wrote, and what they are.
export function author(actor) {
  const kind = actor.userId ? "user" : actor.keyId ? "key" : "server";
  return el("span", {}, actor.name, el("span", { className: "quiet" }, ` (${say(`author.${kind}`)})`));
}

// Returns what a revision or a record of the audit trail changed, in a line; what has no words of its fields says what the
// service says. `changes` may be the first of them only.
export function headline(one, changes = []) {
  const imported = RECORDS.includes(one.resource);
  const all = imported ? [] : sentences(one.resource, changes);
  const large = all.length === 0 && ["configuration", "relevance"].includes(one.resource) && changes.length === 0;
  const unchanged = /unchanged|nothing/.test(one.translatable?.key ?? "");
  if (large && !unchanged) return el("span", {}, say("did.large"));
  if (all.length === 0) return translated(one.summary, one.translatable);
  const rest = all.length - SENTENCES;
  const text = [all.slice(0, SENTENCES).join("; "), rest > 0 ? say("did.more", { n: rest }) : ""]
    .filter(Boolean)
    .join(" ");
  return el("span", {}, one.restores === undefined ? text : say("did.restored", { n: one.restores, what: text }));
}

// Returns why a write was made, in the words of its author: marked as such, because anybody may have written it.
// What the gate would have rejected says so.
export const noteOf = (one) => {
  if (!one.note && !one.forced) return null;
  const about = one.forced ? say("pastGate") : say("noted");
  return el("p", { className: "noted" }, el("span", { className: "quiet" }, `${about}: `), el("bdi", {}, one.note));
};

function value(path, any) {
  const text = partText(path, any);
  return el(
    "span",
    { className: any === undefined ? "quiet" : "value" },
    text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text,
  );
}

const becomes = () => el("span", { className: "quiet", "aria-label": say("becomes") }, " → ");

// A field with its values; of what was created it has the one.
const field = (kind, { path, before, after }, created) =>
  el(
    "div",
    {},
    el("dt", {}, fieldName(kind, path)),
    el(
      "dd",
      {},
      created ? null : [before === undefined ? value(path, before) : el("del", {}, value(path, before)), becomes()],
      after === undefined ? value(path, after) : el("ins", {}, value(path, after)),
    ),
  );

// Returns the changed fields of a write as lists, each with its values, below the name of what they belong to.
export function changeList(changes, resource = "configuration") {
  if (changes.length === 0) return el("p", { className: "quiet" }, say("noChanges"));
  return [...byResource(resource, changes)].map(([at, fields]) => {
    const name = resourceName(at, fields);
    const created = isRecord(at) && verbOf(fields) === "create";
    return el(
      "div",
      { className: "stack" },
      name ? el("p", {}, el("strong", {}, name)) : null,
      el(
        "dl",
        { className: "changes" },
        fields.map((one) => field(at.split("/")[0], one, created)),
      ),
    );
  });
}
