// Words for what the service says of an import: sizes, formats, errors, warnings and notices by their codes.

import { el } from "./element.js";
import { isForeign, reason, spoken } from "./words.js";
import { number, say } from "./catalogue-words.js";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"];
const FORMATS = { csv: "CSV", json: "JSON", ndjson: "JSON", rss: "RSS", atom: "Atom" };
const PROFILES = {
  google: "Google",
  shopify: "Shopify",
  woocommerce: "WooCommerce",
  magento: "Magento",
  shopware: "Shopware",
};

// Returns a number of bytes in the largest fitting unit.
export function sizeOf(bytes) {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  /** @type {any} */
  const format = { style: "unit", unit: UNITS[power], maximumFractionDigits: 1 };
  return new Intl.NumberFormat(spoken(), format).format(bytes / 1000 ** power);
}

// Returns a text by the code of something; what the service says where there is none.
function byCode(family, code, message) {
  const key = `${family}.${code}`;
  const text = family === "importError" ? say(`importError.${code}`) : say(`importCode.${code}`);
  return text === key ? message : text;
}

// Returns why a fetch failed, or why a source is not fetched.
export function troubleOf({ code, message, translatable }) {
  const byCodeAlone = say(`importError.${code}`);
  const text =
    byCodeAlone === `importError.${code}` || translatable ? reason(message ?? code, translatable) : byCodeAlone;
  return el("span", { lang: isForeign(translatable) && text === message ? "en" : undefined }, text);
}

// Returns what a file is, in one line.
export function about(file, result) {
  const facts = [FORMATS[file.format] ?? file.format, PROFILES[file.profile], file.encoding];
  if (file.delimiter) facts.push(say("delimiterIs", { mark: file.delimiter === "\t" ? say("tab") : file.delimiter }));
  return say(result.sampled ? "rowsSampled" : "rowsRead", {
    n: result.documents,
    rows: number(result.received),
    facts: facts.filter(Boolean).join(" · "),
  });
}

// Returns why a file cannot be read, with the place.
export function errorOf(error) {
  if (error.translatable) return reason(error.message, error.translatable);
  const text = byCode("importError", error.code, error.message);
  return error.line ? say("importErrorAt", { text, line: number(error.line) }) : text;
}

// Returns the name of a field of the feed; the field itself where it has none.
export const fieldName = (name) => {
  const text = say(`target.${name}`);
  return text === `target.${name}` ? name : text;
};

// Returns what is missing or was not understood, as a list; null if nothing is.
export function problems(result) {
  const items = [];
  if (result.missingFields.length > 0)
    items.push(say("missingFields", { fields: result.missingFields.map(fieldName).join(", ") }));
  for (const warning of result.warnings)
    items.push(
      say("warningLine", {
        n: warning.count,
        text: byCode("importCode", warning.code, warning.message),
        where: warning.column ? say("inColumn", { column: warning.column }) : "",
        example: warning.example
          ? say("suchAs", { example: warning.example, line: number(warning.lines[0] ?? 0) })
          : "",
      }),
    );
  for (const notice of result.notices) items.push(byCode("importCode", notice.code, notice.message));
  const left = Object.entries(result.skipped);
  for (const [code, n] of left) items.push(say("skippedRows", { n, text: say(`importCode.${code}`) }));
  if (result.droppedColumns.length > 0)
    items.push(say("droppedColumns", { columns: result.droppedColumns.join(", ") }));
  if (items.length === 0) return null;
  return el(
    "div",
    { className: "stack problems" },
    el("h3", {}, say("importProblems")),
    el(
      "ul",
      {},
      items.map((text) => el("li", {}, text)),
    ),
  );
}

// Returns why a row was rejected.
export const rejection = (row) => byCode("importCode", row.code, row.message);
