// The form of a filter: its field, its names, and how its options are shown.

import { get } from "./call.js";
import { productField } from "./change-values.js";
import { FILTER_FIELDS, FILTER_TYPES, OPTION_SORTS } from "./choices.js";
import { el } from "./element.js";
import { field, input, select } from "./form.js";
import { groupFields, groupsIn } from "./value-groups.js";
import { say } from "./words.js";
import { languageName } from "./language-names.js";

// What of a saved filter the form changes.
export const PATHS = [
  "type",
  "label",
  "active",
  "config.sort",
  "config.limit",
  "config.hideEmpty",
  "config.valueGroups",
];

// Returns the field that was typed, by its name or as the catalogue has it.
function fieldOf(typed) {
  const name = typed.trim();
  return FILTER_FIELDS.find((code) => productField(code).toLowerCase() === name.toLowerCase()) ?? name;
}

// Returns the values that products have in a field, with their labels; none for a field of numbers.
async function valuesOf(store, field, lang) {
  return get(`/stores/${store}/filters/values?${new URLSearchParams({ field, lang })}`).catch(() => []);
}

// Returns the controls of a filter. `used` are fields that have one already.
export function filterFields(record, { store, saved, languages, used }) {
  const config = record.config ?? {};
  const suggestions = el(
    "datalist",
    { id: "known-fields" },
    FILTER_FIELDS.filter((code) => !used.includes(code)).map((code) => el("option", { value: productField(code) })),
  );
  const groups = groupFields(config.valueGroups ?? []);
  const shown = FILTER_FIELDS.includes(record.field) ? productField(record.field) : record.field;
  const name = input({ value: shown, maxLength: 255, list: "known-fields" });
  // Values of another field than the one that is typed are not offered, however late they come.
  const learn = async () => {
    const typed = fieldOf(name.value);
    groups.learn([]);
    const values = typed === "" ? [] : await valuesOf(store, typed, languages[0]);
    if (typed === fieldOf(name.value)) groups.learn(values);
  };
  name.addEventListener("change", learn);
  learn();
  return [
    saved
      ? el("p", {}, el("b", {}, productField(record.field)), " ", el("span", { className: "quiet" }, record.field))
      : [field("field", say("part.field"), name, say("fieldHint")), suggestions],
    saved
      ? field(
          "type",
          say("filterType"),
          select(
            FILTER_TYPES.map((type) => [type, say(`filterType.${type}`)]),
            record.type,
          ),
        )
      : null,
    languages.map((code) =>
      field(
        `label.${code}`,
        say("labelIn", { lang: languageName(code) }),
        input({ value: record.label?.[code] ?? "", maxLength: 255 }),
        say("labelHint"),
      ),
    ),
    field(
      "config.sort",
      say("part.sort"),
      select(
        [["", say("automatic")], ...OPTION_SORTS.map((one) => [one, say(`optionSort.${one}`)])],
        config.sort ?? "",
      ),
    ),
    field(
      "config.limit",
      say("part.limit"),
      input({ type: "number", min: 1, max: 1000, value: config.limit ?? "" }),
      say("limitHint"),
    ),
    field(
      "config.hideEmpty",
      say("part.hideEmpty"),
      select(
        [
          ["", say("automatic")],
          ["true", say("yes")],
          ["false", say("no")],
        ],
        String(config.hideEmpty ?? ""),
      ),
    ),
    groups.whole,
    el(
      "label",
      { className: "check" },
      el("input", { type: "checkbox", name: "active", checked: record.active !== false }),
      say("part.active"),
    ),
  ];
}

// Returns the filter that the controls of a form say.
export function readFilter(values, record, form, languages) {
  const label = { ...record.label };
  for (const code of languages) {
    const text = values[`label.${code}`].trim();
    if (text) label[code] = text;
    else delete label[code];
  }
  const config = { ...record.config };
  const set = (key, text, value) => {
    if (text) config[key] = value;
    else delete config[key];
  };
  set("sort", values["config.sort"], values["config.sort"]);
  set("limit", values["config.limit"], Number(values["config.limit"]));
  set("hideEmpty", values["config.hideEmpty"], values["config.hideEmpty"] === "true");
  const groups = groupsIn(form);
  set("valueGroups", groups, groups);
  return {
    field: values.field === undefined ? record.field : fieldOf(values.field),
    ...(values.type ? { type: values.type } : {}),
    ...(Object.keys(label).length > 0 ? { label } : {}),
    active: form.querySelector("[name=active]").checked,
    config,
  };
}
