// The texts of the panel in the language of the user, with numbers and times in the form of that language.

import { en } from "./en.js";
import { enForms } from "./en-forms.js";
import { enPages } from "./en-pages.js";
import { es } from "./es.js";
import { esForms } from "./es-forms.js";
import { esPages } from "./es-pages.js";

const TEXTS = { en: { ...en, ...enPages, ...enForms }, es: { ...es, ...esPages, ...esForms } };
// Adds texts of a part of the panel, by language.
export function addTexts(more) {
  for (const [code, texts] of Object.entries(more)) Object.assign(TEXTS[code], texts);
}

const STORED = "findwell-language";

export const LANGUAGES = { en: "English", es: "Español" };

let language = "en";
let messages = null;

// Loads what only this language needs.
export async function prepare() {
  if (language === "es") messages ??= (await import("./messages-es.js").catch(() => null))?.messages ?? null;
}

// Returns the language for somebody who has not signed in: the one chosen before, or that of the browser.
export function initialLanguage() {
  const chosen = localStorage.getItem(STORED);
  if (chosen in TEXTS) return chosen;
  return navigator.language.startsWith("es") ? "es" : "en";
}

export function speak(code) {
  language = code in TEXTS ? code : "en";
  document.documentElement.lang = language;
}

export function choose(code) {
  localStorage.setItem(STORED, code);
  speak(code);
}

export const spoken = () => language;

// Returns a text with its placeholders filled; `n` also chooses between singular and plural, written `one|many`.
export function say(key, values = {}) {
  const text = TEXTS[language][key] ?? key;
  const forms = text.split("|");
  const form = forms.length === 2 && new Intl.PluralRules(language).select(values.n) !== "one" ? forms[1] : forms[0];
  return form.replace(/\{(\w+)\}/g, (hole, name) => {
    const value = values[name] ?? hole;
    return typeof value === "number" ? new Intl.NumberFormat(language).format(value) : value;
  });
}

// Returns a message of the service, its key and values, in the language of the user; undefined if that has none.
function translation(message) {
  const template = language === "en" ? undefined : messages?.[message?.key];
  return template?.replace(/\{(\w+)\}/g, (hole, name) => (name in message.values ? shown(message.values[name]) : hole));
}

// A value of a message: a number, a text, a list of values, or a message.
function shown(value) {
  if (typeof value === "number") return new Intl.NumberFormat(language, { maximumFractionDigits: 20 }).format(value);
  if (Array.isArray(value)) return value.map(shown).join(", ");
  return typeof value === "object" ? (translation(value) ?? value.key) : value;
}

const INSTANTS = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const DATES = /\b(?:startDate|endDate)\b/g;

// Returns what the service says in the language of the user; `text` is the English of `message`, its key and values.
// Instants are in the time zone of the browser, and dates of a rule are called as in its form.
export const reason = (text, message) =>
  (translation(message) ?? text).replace(INSTANTS, time).replace(DATES, (name) => `“${say(`part.${name}`)}”`);

// Whether a message of the service stays English although the user reads another language.
export const isForeign = (message) => language !== "en" && translation(message) === undefined;

export const number = (value) => new Intl.NumberFormat(language).format(value);

// Returns a price in its currency; without one, a number with the digits of a price.
export function money(value, currency) {
  if (value === undefined || value === null) return "–";
  const digits = Number.isInteger(value) ? {} : { minimumFractionDigits: 2 };
  /** @type {any} */
  const form = currency ? { style: "currency", currency } : digits;
  return new Intl.NumberFormat(language, form).format(value);
}

// Returns a share between 0 and 1 as percent; a dash if there is none.
export function percent(share) {
  if (share === undefined || share === null) return "–";
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(share);
}

/** @type {any} */
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

// Returns how long ago an instant was.
export function ago(text) {
  const passed = Date.now() - new Date(text).getTime();
  const [unit, length] = UNITS.find(([, least]) => Math.abs(passed) >= least) ?? UNITS[2];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-Math.round(passed / length), unit);
}

// Returns the day of an instant in the time zone of the browser, and its time of day.
export const day = (text) => new Intl.DateTimeFormat(language, { dateStyle: "full" }).format(new Date(text));
export const clock = (text) => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(new Date(text));

// Returns a day without time, such as 2026-11-20, which has no time zone.
export const plainDay = (text) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${text}T00:00:00Z`));

// Converts between an instant and the value of a control for date and time.
export const fromLocal = (value) => (value ? new Date(value).toISOString() : "");
export function toLocal(text) {
  const at = new Date(text);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

// Returns an instant in the time zone of the browser.
export function time(text) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));
}
