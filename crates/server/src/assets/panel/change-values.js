// What fields of the configuration and their values are called.

import { enChanges } from "./en-changes.js";
import { esChanges } from "./es-changes.js";
import { languageName } from "./language-names.js";
import { productName } from "./product-names.js";
import { addTexts, number, percent, say, time } from "./words.js";

addTexts({ en: enChanges, es: esChanges });

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
// The families of texts for choices.
const FAMILIES = {
  alternative: (one) => say(`alternative.${one}`),
  bannerAt: (one) => say(`bannerAt.${one}`),
  fuzziness: (one) => say(`choice.fuzziness.${one}`),
  keyKind: (one) => say(`kind.${one}`),
  keyScope: (one) => say(`keyScope.${one}`),
  referenceMode: (one) => say(`choice.referenceMode.${one}`),
  filterType: (one) => say(`filterType.${one}`),
  layerAt: (one) => say(`layerAt.${one}`),
  layout: (one) => say(`layout.${one}`),
  match: (one) => say(`match.${one}`),
  mode: (one) => say(`mode.${one}`),
  optionSort: (one) => say(`optionSort.${one}`),
  role: (one) => say(`role.${one}`),
  ruleType: (one) => say(`ruleType.${one}`),
  sort: (one) => say(`sort.${one}`),
  status: (one) => say(`status.${one}`),
  synonymType: (one) => say(`synonymType.${one}`),
  theme: (one) => say(`theme.${one}`),
};
// The families of the values of a field, by the end of its path.
const CHOSEN = {
  alternatives: ["alternative"],
  displayMode: ["mode"],
  fuzziness: ["fuzziness"],
  kind: ["keyKind"],
  layout: ["layout"],
  match: ["match"],
  position: ["layerAt", "bannerAt"],
  referenceMode: ["referenceMode"],
  role: ["role"],
  scope: ["keyScope"],
  sort: ["optionSort", "sort"],
  status: ["status"],
  theme: ["theme"],
  type: ["ruleType", "synonymType", "filterType"],
};

// Returns the text of a key; undefined if there is none.
function textOf(key) {
  const text = say(key);
  return text === key ? undefined : text;
}

// Returns the name of a choice of the first of these families that has it; the choice itself if none does.
export function choiceName(families, value) {
  const texts = families.map((family) => [family, FAMILIES[family](value)]);
  const found = texts.find(([, text]) => !text.endsWith(`.${value}`));
  return found ? found[1].replace(/\.$/, "") : String(value);
}

// Returns the name of a field of products, such as manufacturer or attributes.colour.
export const productField = (code) => textOf(`field.${code}`) ?? code.replace(/^(attributes|features)\./, "");

// Returns the name of a field by its path in a resource of this kind, such as boosts.name of relevance.
export function fieldName(kind, path) {
  const rest = path.slice(path.indexOf(".") + 1);
  if (kind === "relevance")
    return path.startsWith("boosts.") ? productField(rest) : (textOf(`setting.${rest}`) ?? rest);
  if (kind === "widget") return widgetField(path, rest);
  if (kind === "store") return textOf(`fact.${path}`) ?? path;
  if (path.startsWith("actions.")) return choiceName(["ruleType"], path.split(".")[1].toUpperCase());
  if (path.startsWith("label.")) return say("labelOf", { language: languageName(rest) });
  return textOf(`part.${path.replace(/^config\./, "")}`) ?? textOf(`fact.${path}`) ?? path;
}

// The names of parts of the widget, as its form calls them.
const WIDGET = {
  theme: () => say("widgetTheme"),
  layout: () => say("widgetLayout"),
  position: () => say("widgetPosition"),
  "features.displayMode": () => say("widgetMode"),
  "features.minChars": () => say("minChars"),
  "features.sorts": () => say("widgetSorts"),
  colors: () => say("widgetColours"),
  typography: () => say("widgetType"),
  defaultSearch: () => say("widgetFirst"),
  translations: () => say("widgetTexts"),
  customCSS: () => "CSS",
  customJS: () => "JavaScript",
};

// Returns the name of a text of the widget, whose path begins with its language.
function translationOf(path) {
  const [code] = path.split(".");
  const key = path.slice(code.length + 1);
  return say("textOf", { name: [key, `(${languageName(code)})`].filter(Boolean).join(" ") });
}

function widgetField(path, rest) {
  const [head] = path.split(".");
  if (Object.hasOwn(WIDGET, path)) return WIDGET[path]();
  if (head === "features") return textOf(`feature.${rest}`) ?? rest;
  if (head === "colors") return textOf(`colour.${rest}`) ?? rest;
  if (head === "typography") return textOf(`typeface.${rest}`) ?? rest;
  if (head === "translations" && path !== head) return translationOf(rest);
  return path;
}

const listed = (list) => list.join(", ") || say("noValue");

// Returns any value as text.
function valueText(value) {
  if (value === null || value === undefined || value === "") return say("noValue");
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (typeof value === "number") return number(value);
  if (typeof value === "string") {
    if (/^\d+(\.\d+)?%$/.test(value)) return percent(parseFloat(value) / 100);
    return INSTANT.test(value) ? time(value) : value;
  }
  if (Array.isArray(value))
    return value.every((one) => typeof one === "string") ? listed(value) : value.map(valueText).join("; ");
  return listed(
    Object.entries(value).map(([key, one]) => `${textOf(`part.${key}`) ?? productField(key)}: ${valueText(one)}`),
  );
}

const FIRST_SEARCH = {
  q: (value) => `${say("defaultQuery")}: ${value}`,
  sort: (value) => `${say("defaultSort")}: ${choiceName(["sort"], value)}`,
  limit: (value) => `${say("defaultLimit")}: ${number(value)}`,
  filters: (value) => `${say("defaultFilters")}: ${valueText(value)}`,
};

const productNames = (ids) => listed(ids.map((id) => (typeof id === "string" ? productName(id) : valueText(id))));

const EFFECTS = {
  pin: productNames,
  hide: productNames,
  boost: (all) =>
    listed(
      all.map((one) =>
        one.value === undefined
          ? `${productField(one.field)} × ${number(one.weight)}`
          : `${productField(one.field)} = ${valueText(one.value)} × ${number(one.weight)}`,
      ),
    ),
  banner: ({ text, imageUrl, link, position }) =>
    listed([text ?? imageUrl, link, position && choiceName(["bannerAt"], position)].filter(Boolean)),
};

function effectText(kind, value) {
  try {
    return EFFECTS[kind]?.(value) ?? valueText(value);
  } catch {
    // A value of another version has another form.
    return valueText(value);
  }
}

function triggerText({ match, query, alternatives }) {
  const text = query === "" ? say("everyQuery") : `${choiceName(["match"], match)} “${query}”`;
  const also = (alternatives ?? []).map((one) => choiceName(["alternative"], one));
  return also.length > 0 ? `${text} (${say("part.alternatives")}: ${also.join(", ")})` : text;
}

// Returns the value of a field as text, by the path of the field.
export function partText(path, value) {
  if (value === null || value === undefined || value === "") return say("noValue");
  if (path === "trigger") return triggerText(value);
  if (["customCSS", "customJS"].includes(path) && value.bytes) return say("did.bytes", { n: value.bytes });
  if (path === "field") return productField(String(value));
  if (path === "actions")
    return Object.entries(value)
      .map(([kind, one]) => `${choiceName(["ruleType"], kind.toUpperCase())}: ${effectText(kind, one)}`)
      .join("; ");
  const [head, ...rest] = path.split(".");
  if (head === "actions" && rest.length === 1) return effectText(rest[0], value);
  if (path === "defaultSearch")
    return listed(Object.entries(value).map(([key, one]) => FIRST_SEARCH[key]?.(one) ?? `${key}: ${valueText(one)}`));
  if (path === "label")
    return listed(Object.entries(value).map(([language, name]) => `${valueText(name)} (${languageName(language)})`));
  const families = CHOSEN[path.split(".").at(-1)];
  if (families && typeof value !== "object") return choiceName(families, value);
  if (families && Array.isArray(value))
    return listed(value.map((one) => (typeof one === "string" ? choiceName(families, one) : valueText(one))));
  if (path === "features.sorts" && typeof value === "string")
    return listed(value.split(",").map((one) => choiceName(["sort"], one.trim())));
  return valueText(value);
}

// Returns the name of a record, from what it is named by.
export function recordName(kind, record) {
  if (!record) return say("unknownRecord");
  const terms = Array.isArray(record.terms) ? record.terms.map(valueText) : [];
  if (kind === "synonyms") return record.input ? `${valueText(record.input)} → ${terms.join(", ")}` : terms.join(" = ");
  if (kind === "rules") return record.name ? valueText(record.name) : say("unknownRecord");
  const [label] = Object.values(record.label ?? {});
  if (typeof label === "string") return label;
  return typeof record.field === "string" ? productField(record.field) : say("unknownRecord");
}
