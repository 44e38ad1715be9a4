// The explanation of a score in one sentence, in the language of the user.

import { say, spoken } from "./words.js";

const CODES = ["reference", "ean13", "upc", "mpn", "combinationReferences", "combinationEans", "combinationMpns"];
// Fields that go by the name of another one.
const ALIKE = { "name.autocomplete": "name", "name.partial": "name", ai_description_manual: "ai_description" };
const FIELDS_NAMED_MAX = 3;

const fieldIn = (field) => say(`in.${ALIKE[field] ?? field}`);

function joined(names) {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} ${say("whyAnd")} ${names.at(-1)}`;
}

// The text for how a word matched.
function foundAs({ kind, field, matched }) {
  if (kind === "partial" && CODES.includes(field)) return "code";
  return kind === "split" && matched.includes(" ") ? "apart" : kind;
}

// How a word matched, by its best match, and where.
function word(best, matches) {
  const kind = foundAs(best);
  const fields = [...new Set(matches.filter((one) => one.word === best.word).map((one) => fieldIn(one.field)))].slice(
    0,
    FIELDS_NAMED_MAX,
  );
  return say(`found.${kind}`, { word: best.word, matched: best.matched, fields: joined(fields) });
}

function clauses({ score, matches, phrase, exactReference }) {
  const list = exactReference ? [say("whyCode", { field: fieldIn(exactReference.field) })] : [];
  for (const [at, one] of matches.entries()) {
    if (matches.findIndex((other) => other.word === one.word) === at) list.push(word(one, matches));
  }
  if (phrase) list.push(say("whyPhrase", { field: fieldIn(phrase.field) }));
  if (list.length === 0) list.push(say(score === 0 ? "whyNoWord" : "whyEmpty"));
  return list.join("; ");
}

const times = (value) =>
  new Intl.NumberFormat(spoken(), { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false }).format(
    value,
  );

// Returns name and value of each factor, without their multiplier.
export const factorsOf = (factors) => Object.entries(factors).filter(([name]) => name !== "multiplier");

// Returns the sentence of a breakdown.
export function sentence({ text, factors, rules, pinned }) {
  const named = factorsOf(factors)
    .filter(([, value]) => value > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name]) => name);
  const whole = [
    clauses(text),
    named.length > 0
      ? say("whyCounted", {
          times: times(factors.multiplier),
          reasons: joined(named.map((name) => say(`counts.${name}`))),
        })
      : "",
    rules.length > 0
      ? say("whyRules", { times: times(rules.reduce((product, one) => product * one.multiplier, 1)) })
      : "",
  ].join("");
  return `${pinned ? `${say("whyPinned")} ` : ""}${whole[0].toUpperCase()}${whole.slice(1)}.`;
}
