// Names of languages, in the language of the panel.

import { spoken } from "./words.js";

// Returns the name of a language; its code if it has none.
export function languageName(code, inLanguage = spoken()) {
  try {
    return new Intl.DisplayNames(inLanguage, { type: "language", fallback: "code" }).of(code);
  } catch {
    return code;
  }
}

// Returns the names of languages in one text.
export const languageNames = (codes) => codes.map((code) => languageName(code)).join(", ");

// Returns a text as it begins a cell, an option or a row.
export const capital = (text) => text.charAt(0).toLocaleUpperCase(spoken()) + text.slice(1);

// Returns the name of a language at the beginning of a cell or an option.
export const languageTitle = (code) => capital(languageName(code));

// A language as an option of a select.
export const languageOption = (code) => [code, languageTitle(code)];
