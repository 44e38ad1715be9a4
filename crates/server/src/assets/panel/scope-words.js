// Types of documents and languages in words.

import { languageName } from "./language-names.js";
import { say, spoken } from "./words.js";

const capital = (text) => text.charAt(0).toLocaleUpperCase(spoken()) + text.slice(1);

// Documents of a type in a language, within a sentence.
export const scopeName = (type, language) =>
  say("scopeName", { type: say(`documentsOf.${type}`), language: languageName(language) });

// The same at the beginning of a row.
export const scopeTitle = (type, language) => capital(scopeName(type, language));

// A type of documents at the beginning of a row.
export const typeTitle = (type) => capital(say(`documentsOf.${type}`));
