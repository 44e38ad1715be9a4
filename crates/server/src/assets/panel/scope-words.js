// Types of documents and languages in words.

import { capital, languageName } from "./language-names.js";
import { say } from "./words.js";

// Documents of a type in a language, within a sentence.
export const scopeName = (type, language) =>
  say("scopeName", { type: say(`documentsOf.${type}`), language: languageName(language) });

// The same at the beginning of a row.
export const scopeTitle = (type, language) => capital(scopeName(type, language));

// A type of documents at the beginning of a row.
export const typeTitle = (type) => capital(say(`documentsOf.${type}`));
