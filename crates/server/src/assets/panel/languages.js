// The languages of a store, by name or code as people write them.

import { el } from "./element.js";
import { field, input } from "./form.js";
import { languageName } from "./language-names.js";
import { say, spoken } from "./words.js";

// Those with an analysis of their own; others are typed as codes.
const CODES =
  "ar az bg bs ca cs da de el en eo es et eu fa fi fr ga gl he hi hr hu hy id is it ja kk km ko lo lt lv mk ms my nb ne nl nn no pl pt ro ru sk sl sr st sv ta th tr uk ur vi yi zh";

// Returns the codes of what was typed: codes, and names in the language of the panel, in English or in their own.
export function languageCodes(text) {
  const named = new Map();
  for (const code of CODES.split(" "))
    for (const inLanguage of [code, "en", spoken()]) named.set(languageName(code, inLanguage).toLowerCase(), code);
  const parts = text
    .toLowerCase()
    .split(/[,;]+/)
    .map((part) => part.trim())
    .filter(Boolean);
  const codes = parts.flatMap((part) => (named.has(part) ? [named.get(part)] : part.split(/\s+/)));
  return [...new Set(codes.map((code) => named.get(code) ?? code))];
}

// The field of the languages of a new store, which says what was read.
export function languagesField() {
  const control = input({ placeholder: [languageName("es"), languageName("en")].join(", "), required: true });
  const read = el("p", { className: "quiet", role: "status" });
  // While one types: what appears when a press ends the typing would move the button away from under it.
  control.addEventListener("input", () => {
    read.textContent = languageCodes(control.value)
      .map((code) => `${languageName(code)} (${code})`)
      .join(", ");
  });
  return [field("languages", say("languages"), control, say("languagesHint")), read];
}
