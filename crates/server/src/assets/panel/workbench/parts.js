// The parts of a product's score, each with the lever that makes it.

import { el } from "../element.js";
import { factorsOf, sentence } from "./sentence.js";
import { emit, state } from "./state.js";
import { change, current, isTouched } from "./draft.js";
import { savedOf } from "./saved.js";
import { number, say } from "./words.js";

const BONUSES = { phrase: "phraseBoost", exactReference: "exactRefBoost", crossFields: "crossFieldsBoost" };

// Returns the parts of the text score: they add up to it.
export function textParts({ text }) {
  const parts = text.matches.map((one) => ({
    key: `${one.word} ${one.field}`,
    title: say("wordIn", { word: one.word, field: say(`field.${one.field}`) }),
    note:
      one.kind === "exact" ? say("kind.exact") : say("kindOf", { kind: say(`kind.${one.kind}`), matched: one.matched }),
    value: one.score,
    path: `boosts.${one.field}`,
  }));
  for (const [name, setting] of Object.entries(BONUSES)) {
    const bonus = text[name];
    if (bonus)
      parts.push({
        key: name,
        title: say(`setting.${setting}`),
        note: bonus.field ? say(`field.${bonus.field}`) : "",
        value: bonus.score,
        path: `searchSettings.${setting}`,
      });
  }
  return parts.sort((a, b) => b.value - a.value);
}

// Returns what is added up to the multiplier, after the 1 with which every product starts. A factor is called as its
// setting, without "Boost".
export function factorParts({ factors }) {
  return factorsOf(factors).map(([name, value]) => ({
    key: name,
    title: say(`setting.${name}Boost`),
    note: "",
    value,
    path: `searchSettings.${name}Boost`,
  }));
}

function bar(part, largest) {
  const lead =
    state.restore !== null
      ? part.title
      : el(
          "button",
          { className: "link", type: "button", onclick: () => emit("lead", part.path) },
          part.title,
          el("span", { className: "unseen" }, ` ${say("leadsToLever")}`),
        );
  return el(
    "li",
    { className: "bar", "data-value": String(part.value), "data-leads": part.path },
    el("span", {}, lead, part.note ? el("small", { className: "quiet" }, part.note) : null),
    el("b", {}, number(part.value)),
    el("progress", { max: largest || 1, value: part.value, "aria-hidden": "true" }),
  );
}

function section(title, total, parts, before = null) {
  const largest = Math.max(1e-9, ...parts.map((part) => part.value));
  return el(
    "section",
    { className: "stack" },
    el("h3", { className: "row between" }, title, el("b", {}, total)),
    el(
      "ul",
      { className: "bars" },
      before,
      parts.map((part) => bar(part, largest)),
    ),
  );
}

function rule(one) {
  const resource = `rules/${one.id}`;
  const record = savedOf(resource);
  const off =
    record && state.store.editor && state.restore === null && current(resource, "active")
      ? el(
          "button",
          { className: "button slim", type: "button", onclick: () => change(resource, { active: false }) },
          say("switchOff"),
        )
      : null;
  return el(
    "li",
    { className: "row between" },
    el(
      "span",
      {},
      record?.name ?? say("draftRule"),
      record && isTouched(resource) ? el("small", { className: "quiet" }, ` ${say("inDraft")}`) : null,
    ),
    el("b", {}, `× ${number(one.multiplier)}`),
    off,
  );
}

// Returns the whole breakdown of a hit.
export function breakdown(hit) {
  const { text, factors, rules, pinned, tier } = hit.breakdown;
  const product = [text.score, factors.multiplier, ...rules.map((one) => one.multiplier)];
  const words = textParts(hit.breakdown);
  return [
    el("p", { className: "sentence" }, sentence(hit.breakdown)),
    pinned ? el("p", { className: "note" }, say("isPinned")) : null,
    tier ? el("p", { className: "note" }, say("hasCode")) : null,
    words.length > 0
      ? section(say("whyText"), number(text.score), words)
      : el("p", { className: "quiet" }, say("whyNoWords")),
    section(
      say("whyFactors"),
      `× ${number(factors.multiplier)}`,
      factorParts(hit.breakdown),
      el("li", { className: "bar" }, el("span", {}, say("startsWithOne")), el("b", {}, number(1))),
    ),
    rules.length > 0
      ? el(
          "section",
          { className: "stack" },
          el("h3", {}, say("rules")),
          el("ul", { className: "plain" }, rules.map(rule)),
        )
      : null,
    el(
      "p",
      { className: "equation" },
      product.map((value) => number(value)).join(" × "),
      " = ",
      el("b", {}, number(hit.score)),
    ),
  ];
}
