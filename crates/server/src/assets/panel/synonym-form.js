// The form of a synonym group: words that mean the same, or one that also finds others.

import { alternativesField, chosenAlternatives } from "./alternatives.js";
import { SYNONYM_TYPES } from "./choices.js";
import { el } from "./element.js";
import { field, input, select, textarea } from "./form.js";
import { say } from "./words.js";
import { languageOption } from "./language-names.js";

// What of a saved group the form changes.
export const PATHS = ["type", "input", "terms", "alternatives", "active"];

// Returns the controls of a group. `saved` groups can be switched off; `languages` are those to choose from, if there
// is a choice.
export function synonymFields(record, { saved, languages = null }) {
  const type = select(
    SYNONYM_TYPES.map((one) => [one, say(`synonymType.${one}`)]),
    record.type,
  );
  const typed = field("input", say("typesThis"), input({ value: record.input ?? "", maxLength: 255 }));
  const show = () => {
    typed.hidden = type.value !== "UNIDIRECTIONAL";
  };
  type.addEventListener("change", show);
  show();
  const terms = textarea({ rows: 5 }, record.terms.join("\n"));
  // What is missing of a new group with a word is the next one: people begin to type there.
  if (!saved && record.terms.length === 1) {
    terms.value += "\n";
    terms.dataset.begin = "";
    terms.setSelectionRange(terms.value.length, terms.value.length);
  }
  return [
    languages ? field("language", say("part.language"), select(languages.map(languageOption), record.language)) : null,
    field("type", say("part.type"), type),
    typed,
    field("terms", say("part.terms"), terms, say("onePerLine")),
    alternativesField("alternatives", record.alternatives),
    saved
      ? el(
          "label",
          { className: "check" },
          el("input", { type: "checkbox", name: "active", checked: record.active !== false }),
          say("part.active"),
        )
      : null,
  ];
}

// Returns the group that the controls of a form say. A term may have commas.
export function readSynonym(values, record, form) {
  const active = form.querySelector("[name=active]");
  const terms = values.terms
    .split("\n")
    .map((text) => text.trim())
    .filter(Boolean);
  return {
    language: values.language ?? record.language,
    type: values.type,
    ...(values.type === "UNIDIRECTIONAL" ? { input: values.input } : {}),
    terms,
    ...chosenAlternatives(form),
    ...(active ? { active: active.checked } : {}),
  };
}
