// The form of a rule, read as a sentence: when the query …, then …, from … until ….

import { alternativesField, chosenAlternatives } from "./alternatives.js";
import { MATCHES } from "./choices.js";
import { el, fill } from "./element.js";
import { field, input, select, textarea } from "./form.js";
import { jsonValue } from "./json.js";
import { productField, productsIn } from "./product-picker.js";
import { fromLocal, say, toLocal } from "./words.js";
import { languageName, languageOption } from "./language-names.js";

// What of a saved rule the form changes.
export const PATHS = ["name", "trigger", "actions", "priority", "active", "startDate", "endDate"];

const lines = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
const boostLine = (one) =>
  (one.mode ?? "term") === "term" ? `${one.field} = ${one.value} × ${one.weight}` : JSON.stringify(one);
const filterLine = ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : JSON.stringify(value)}`;

function boost(line) {
  if (line.startsWith("{")) return jsonValue(line);
  const match = /^(\S+)\s*=\s*(.+?)\s*[×x*]\s*([\d.,]+)$/.exec(line);
  return match
    ? { mode: "term", field: match[1], value: match[2], weight: Number(match[3].replace(",", ".")) }
    : { mode: "term", field: line, value: "", weight: 2 };
}

function filter(line) {
  const at = line.indexOf(":");
  const rest = line.slice(at + 1).trim();
  return [
    line.slice(0, Math.max(at, 0)).trim(),
    /^[{[]/.test(rest)
      ? jsonValue(rest)
      : rest
          .split(",")
          .map((text) => text.trim())
          .filter(Boolean),
  ];
}

const list = (name, label, hint, value) => field(`actions.${name}`, label, textarea({ rows: 5 }, value), hint);

// The controls of each type of rule, and how they are read.
const EFFECTS = {
  PIN: {
    draw: (value, about) => productField("actions.pin", say("pinIds"), { ...about, ids: value ?? [], ordered: true }),
    read: (values, form) => productsIn(form, "actions.pin"),
  },
  HIDE: {
    draw: (value, about) =>
      productField("actions.hide", say("hideIds"), { ...about, ids: value ?? [], ordered: false }),
    read: (values, form) => productsIn(form, "actions.hide"),
  },
  BOOST: {
    draw: (value) => list("boost", say("boostLines"), say("boostHint"), (value ?? []).map(boostLine).join("\n")),
    read: (values) => lines(values["actions.boost"]).map(boost),
  },
  FILTER: {
    draw: (value) =>
      list(
        "filter",
        say("filterLines"),
        say("filterHint"),
        Object.entries(value ?? {})
          .map(filterLine)
          .join("\n"),
      ),
    read: (values) => Object.fromEntries(lines(values["actions.filter"]).map(filter)),
  },
  REDIRECT: {
    draw: (value) => field("actions.redirect", say("redirectTo"), input({ value: value ?? "", maxLength: 2000 })),
    read: (values) => values["actions.redirect"],
  },
  BANNER: {
    draw: (value) => [
      field("actions.banner.imageUrl", say("bannerPicture"), input({ value: value?.imageUrl ?? "", maxLength: 2000 })),
      field("actions.banner.text", say("bannerText"), input({ value: value?.text ?? "", maxLength: 200 })),
      field("actions.banner.link", say("bannerLink"), input({ value: value?.link ?? "", maxLength: 2000 })),
      field(
        "actions.banner.position",
        say("part.position"),
        select(
          ["top", "bottom"].map((one) => [one, say(`bannerAt.${one}`)]),
          value?.position ?? "top",
        ),
      ),
    ],
    read: (values) => ({
      ...(values["actions.banner.imageUrl"] || !values["actions.banner.text"]
        ? { imageUrl: values["actions.banner.imageUrl"] }
        : {}),
      ...(values["actions.banner.text"] ? { text: values["actions.banner.text"] } : {}),
      ...(values["actions.banner.link"] ? { link: values["actions.banner.link"] } : {}),
      position: values["actions.banner.position"],
    }),
  },
};

// The types of rules, in the order in which they are offered.
export const TYPES = Object.keys(EFFECTS);

const when = (text) => (text ? toLocal(text) : "");

// Returns the controls of a rule of a store. `saved` rules keep their type; `languages` are those to choose from, if
// there is a choice.
export function ruleFields(record, { store, saved, languages = null }) {
  const type = select(
    TYPES.map((one) => [one, say(`ruleType.${one}`)]),
    record.type,
  );
  type.disabled = saved;
  const language = languages ? select(languages.map(languageOption), record.language) : null;
  const effect = el("div", { className: "stack" });
  const about = { store, lang: () => language?.value ?? record.language };
  const draw = () =>
    fill(
      effect,
      EFFECTS[type.value].draw(
        record.type === type.value ? record.actions[type.value.toLowerCase()] : undefined,
        about,
      ),
    );
  type.addEventListener("change", draw);
  draw();
  const match = select(
    MATCHES.map((one) => [one, say(`match.${one}`)]),
    record.trigger.match,
  );
  const alternatives = alternativesField("trigger.alternatives", record.trigger.alternatives);
  // A regular expression has no words of which there are alternatives.
  const show = () => {
    alternatives.hidden = match.value === "regex";
  };
  match.addEventListener("change", show);
  show();
  return [
    field("name", say("part.name"), input({ value: record.name, maxLength: 255 })),
    language ? field("language", say("part.language"), language) : null,
    el(
      "div",
      { className: "columns" },
      field("trigger.match", say("whenQuery"), match),
      field(
        "trigger.query",
        languages ? say("thisTrigger") : say("thisText", { lang: languageName(record.language) }),
        input({ value: record.trigger.query, maxLength: 500 }),
        say("emptyTrigger"),
      ),
    ),
    alternatives,
    field("type", say("then"), type),
    effect,
    el(
      "div",
      { className: "columns" },
      field("startDate", say("part.startDate"), input({ type: "datetime-local", value: when(record.startDate) })),
      field("endDate", say("part.endDate"), input({ type: "datetime-local", value: when(record.endDate) })),
      field("priority", say("beforeOthers"), input({ type: "number", min: 0, max: 1000, value: record.priority ?? 0 })),
    ),
    el(
      "label",
      { className: "check" },
      el("input", { type: "checkbox", name: "active", checked: record.active !== false }),
      say("part.active"),
    ),
  ];
}

// A date that was not touched keeps its seconds.
const date = (value, before) => (before && value === when(before) ? before : fromLocal(value)) || undefined;

// Returns the rule that the controls of a form say.
export function readRule(values, record, form) {
  const type = form.querySelector("[name=type]").value;
  return {
    name: values.name,
    language: values.language ?? record.language,
    type,
    trigger: { query: values["trigger.query"], match: values["trigger.match"], ...chosenAlternatives(form) },
    actions: { [type.toLowerCase()]: EFFECTS[type].read(values, form) },
    priority: Number(values.priority),
    active: form.querySelector("[name=active]").checked,
    ...Object.fromEntries(
      ["startDate", "endDate"].map((name) => [name, date(values[name], record[name])]).filter(([, value]) => value),
    ),
  };
}
