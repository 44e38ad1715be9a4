// What the columns of a file are taken as, to correct: a list of columns with an example, and what each can be.

import { el } from "./element.js";
import { input, table, field, select } from "./form.js";
import { percent, say } from "./catalogue-words.js";
import { languageOption } from "./language-names.js";

// What a column can be taken as, in the order in which it is offered.
const TARGETS = [
  "id",
  "name",
  "description",
  "short_description",
  "url",
  "image",
  "images",
  "priceInclTax",
  "salePrice",
  "formerPrice",
  "availability",
  "quantity",
  "manufacturer",
  "reference",
  "gtin",
  "mpn",
  "categories",
  "tags",
  "group",
];
const NEAR = 0.34;

const plain = (text) =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

function pairs(text) {
  const found = new Set();
  for (let at = 0; at + 1 < text.length; at += 1) found.add(text.slice(at, at + 2));
  return found;
}

// How near two names are, from 0 to 1: the share of their pairs of characters.
function nearness(one, other) {
  const [a, b] = [pairs(plain(one)), pairs(plain(other))];
  if (a.size === 0 || b.size === 0) return 0;
  const common = [...a].filter((pair) => b.has(pair)).length;
  return (2 * common) / (a.size + b.size);
}

const near = (column, target) => Math.max(nearness(column, target), nearness(column, say(`target.${target}`)));

// Returns the control that chooses what a column is.
function choice(column, mapping, changed) {
  const chosen = [mapping.columns?.[column.column]].flat()[0];
  const label = column.column;
  const isOther = chosen && !TARGETS.includes(chosen) && !["extra", "-"].includes(chosen);
  const taken = column.targets.map((name) => (TARGETS.includes(name) ? say(`target.${name}`) : name)).join(", ");
  const automatic = ["", taken ? say("takenAs", { what: taken }) : say("takenAsNothing")];
  const nearest = TARGETS.filter((name) => near(column.column, name) >= NEAR);
  nearest.sort((a, b) => near(column.column, b) - near(column.column, a));
  const named = (name) => [name, say(`target.${name}`)];
  const options = [
    automatic,
    isOther ? [chosen, chosen] : null,
    ...[...nearest, ...TARGETS.filter((name) => !nearest.includes(name))].map(named),
    [`attributes.${label}`, say("targetAttribute", { label })],
    [`features.${label}`, say("targetFeature", { label })],
    ["extra", say("target.extra")],
    ["-", say("target.nothing")],
  ].filter(Boolean);
  const control = select(options, chosen ?? "");
  control.setAttribute("aria-label", say("columnIs", { column: column.column }));
  control.dataset.column = column.column;
  control.addEventListener("change", () => changed(column.column, control.value));
  return control;
}

// Returns the list of columns. `changed` hears of a column and what it is to be; empty text stands for nothing chosen.
export function mappingTable(result, mapping, changed) {
  const heads = [say("column"), say("columnExample"), say("columnFilled"), say("columnTarget")];
  const rows = result.columns.map((column) => [
    column.column,
    el("span", { className: "example" }, column.example ?? "–"),
    result.received > 0 ? percent(column.filled / result.received) : "–",
    choice(column, mapping, changed),
  ]);
  return table(say("columns"), heads, rows);
}

// Returns the fields of what else can be said about a file.
export function furtherFields(store, detail, choices, changed) {
  const language = select(store.languages.map(languageOption), choices.language);
  language.addEventListener("change", () => changed({ language: language.value }));
  const currency = input({ value: choices.mapping.currency ?? "", maxLength: 3, autocapitalize: "characters" });
  currency.addEventListener("change", () => changed({ currency: currency.value.trim().toUpperCase() }));
  const decimal = select(
    [
      ["", say("automatic")],
      [".", "1234.56"],
      [",", "1234,56"],
    ],
    choices.mapping.decimal ?? "",
  );
  decimal.addEventListener("change", () => changed({ decimal: decimal.value }));
  return el(
    "div",
    { className: "columns" },
    store.languages.length > 1 ? field("language", say("language"), language) : null,
    detail.config.currency ? null : field("currency", say("importCurrency"), currency, say("importCurrencyHint")),
    field("decimal", say("importDecimal"), decimal),
  );
}
