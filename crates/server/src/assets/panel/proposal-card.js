// One proposal: who proposed what and why, every change in full, what it does to queries, what contradicts it.

import { get } from "./call.js";
import { fieldName, partText } from "./change-values.js";
import { byResource, isRecord, resourceName, verbOf } from "./change-words.js";
import { noteOf } from "./changes.js";
import { el, fill, freshId } from "./element.js";
import { pathName } from "./error-words.js";
import { messageOf, translated } from "./form.js";
import { number, say, time } from "./words.js";
import { languageName } from "./language-names.js";

// Returns a value as text, never cut, and never as a link: whoever decides has to see all of it.
const value = (path, any) =>
  el("span", { className: any === undefined ? "quiet" : "value" }, el("bdi", {}, partText(path, any)));

const becomes = () => el("span", { className: "quiet", "aria-label": say("becomes") }, " → ");

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

const LISTS = { "watched": "proposalKind.watched", "hidden-queries": "proposalKind.hiddenQueries" };

// A list of queries, of which the words of other resources know nothing.
const listText = (queries) =>
  (queries ?? []).map((one) => (typeof one === "string" ? one : `${one.q} (${languageName(one.lang)})`)).join(", ");

const list = ({ before, after }) =>
  el(
    "p",
    {},
    el("del", {}, listText(before) || say("noValue")),
    becomes(),
    el("ins", {}, listText(after) || say("noValue")),
  );

// Returns the changes by resource, each with a box if it can be chosen.
export function changesOf(proposal, choice) {
  const [first] = proposal.changes;
  const resource = first?.path.split(".")[0];
  if (resource in LISTS)
    return [el("section", { className: "stack" }, el("h3", {}, say(LISTS[resource])), list(first))];
  return [...byResource("configuration", proposal.changes)].map(([at, fields]) => {
    const name = resourceName(at, fields) ?? at;
    const created = isRecord(at) && verbOf(fields) === "create";
    const head = freshId("change");
    const box = choice
      ? el("input", {
          type: "checkbox",
          checked: true,
          "aria-label": say("selectChange", { name }),
          onchange: (event) => choice(at, event.target.checked),
        })
      : null;
    return el(
      "section",
      { className: "stack", "aria-labelledby": head },
      el("div", { className: "row" }, box, el("h3", { id: head }, el("bdi", {}, name))),
      el(
        "dl",
        { className: "changes" },
        fields.map((one) => field(at.split("/")[0], one, created)),
      ),
    );
  });
}

function impactText(impact) {
  if (!impact || impact.measured === 0) return say("impactNone");
  const text = say("impactOf", {
    changed: number(impact.changed.top10),
    measured: number(impact.measured),
    lost: number(impact.lostAllResults),
    watched: number(impact.watched.changedTop3),
    of: number(impact.watched.queries),
  });
  return impact.complete ? text : `${text} ${say("impactPart")}`;
}

// Returns whether the gate of the store lets it through; nothing where there is no gate.
function gateText(gate) {
  if (!gate) return null;
  const text = gate.exceeded ? "gateExceeded" : "gatePassed";
  return el("p", { className: gate.exceeded ? "wrong" : "quiet" }, say(text, { max: gate.maxChangedTop3Percent }));
}

const effectOf = ({ impact, gate }) => [impactText(impact), gateText(gate)];

// Returns what the proposal did to queries when it was made, with a button that measures it again.
export function impactOf(proposal, path) {
  if (!["draft", "restore"].includes(proposal.kind)) return null;
  const measured = proposal.impact || proposal.gate;
  const text = el("div", { role: "status" }, measured ? effectOf(proposal) : "");
  const again = el(
    "button",
    {
      className: "button slim",
      type: "button",
      onclick: async () => {
        again.disabled = true;
        try {
          fill(text, effectOf(await get(`${path}?impact=true`)));
        } catch (error) {
          fill(text, messageOf(error));
        } finally {
          again.disabled = false;
        }
      },
    },
    say("impactMeasure"),
  );
  return el("section", { className: "stack" }, el("h3", {}, say("proposalImpact")), text, again);
}

// Returns what its records name that the store does not have.
export function adviceOf({ advice }) {
  if (!advice) return null;
  const item = (one) => el("li", {}, el("bdi", {}, pathName(one.field)), ": ", translated(one.text, one.translatable));
  return el("section", { className: "stack" }, el("h3", {}, say("proposalAdvice")), el("ul", {}, advice.map(item)));
}

// Returns what contradicts the proposal now.
export function conflictsOf({ changes, conflicts }) {
  if (conflicts.length === 0) return null;
  const names = new Map(
    [...byResource("configuration", changes)].map(([at, fields]) => [at, resourceName(at, fields)]),
  );
  const about = ({ resource, path }) => {
    const part = path && pathName(path.slice(resource.length + 1), { kind: resource.split("/")[0] });
    return [names.get(resource), part].filter(Boolean).join(" · ") || resource;
  };
  return el(
    "section",
    { className: "stack warning card" },
    el("h3", {}, say("proposalConflicts")),
    el(
      "ul",
      {},
      conflicts.map((one) =>
        el(
          "li",
          {},
          el("bdi", {}, about(one)),
          ": ",
          one.kind === "updated" && one.path ? say("conflictUpdated") : translated(one.message, one.translatable),
          one.by
            ? el("span", { className: "quiet" }, ` (${say("conflictBy", { name: one.by.name, n: one.revision })})`)
            : null,
        ),
      ),
    ),
  );
}

// Returns what a proposal is about, in a line.
export function titleOf(proposal) {
  const n = typeof proposal.changes === "number" ? proposal.changes : proposal.changes.length;
  const of = proposal.kind === "restore" ? (proposal.restore?.revision ?? "") : n;
  return say(`proposalKind.${proposal.kind}`, { n: of });
}

// Returns who proposed it, when and why, and whether the same was rejected before.
export function about(proposal) {
  const before = proposal.rejectedBefore;
  return [
    el(
      "p",
      { className: "quiet" },
      el(
        "bdi",
        {},
        say("proposedBy", {
          name: proposal.by.name,
          time: time(proposal.createdAt),
          until: time(proposal.expiresAt),
        }),
      ),
    ),
    noteOf(proposal),
    before
      ? el(
          "p",
          { className: "card warning" },
          say("rejectedBefore", { time: time(before.at) }),
          before.reason ? [" ", say("rejectedBecause"), el("bdi", {}, before.reason)] : null,
        )
      : null,
  ];
}

// Returns what was decided.
export function decisionOf(proposal) {
  const decision = proposal.decision;
  const outcome = decision?.outcome ? ` (${say(`outcome.${decision.outcome}`)})` : "";
  return el(
    "p",
    {},
    el("strong", {}, say(`proposalState.${proposal.state}`), outcome),
    decision ? [" · ", say("decidedBy", { name: decision.by.name, time: time(decision.at) })] : null,
    decision?.reason ? [" · ", say("rejectedBecause"), el("bdi", {}, decision.reason)] : null,
  );
}
