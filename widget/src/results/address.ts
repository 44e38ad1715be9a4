//! The page's state as it stands in the address: query, pages, sort, filters.

import type { Asked, Filters, Range } from "../contract";

const PAGES_MAX = 100;
const FIELDS_MAX = 64;

/** Reads what is asked; `name` is the parameter of the query. */
export function read(search: string, name: string): Asked | undefined {
  const given = new URLSearchParams(search);
  const q = given.get(name);
  if (q === null) return undefined;
  const filters: Filters = {};
  for (const [key, value] of given) {
    if (!key.startsWith("fw_f.") || Object.keys(filters).length >= FIELDS_MAX) continue;
    const filter = readFilter(value);
    if (filter) filters[key.slice(5)] = filter;
  }
  const pages = Math.min(Math.max(Math.trunc(Number(given.get("fw_n"))) || 1, 1), PAGES_MAX);
  return { q: [...q].slice(0, 500).join(""), sort: given.get("fw_sort") || "relevance", filters, pages };
}

/** The address with what is asked; without it, if undefined. */
export function write(href: string, name: string, asked: Asked | undefined): string {
  const url = new URL(href);
  const own = url.searchParams;
  for (const key of [...own.keys()]) if (key.startsWith("fw_")) own.delete(key);
  if (!asked) {
    own.delete(name);
    return url.href;
  }
  own.set(name, asked.q);
  if (asked.pages > 1) own.set("fw_n", String(asked.pages));
  if (asked.sort !== "relevance") own.set("fw_sort", asked.sort);
  for (const [field, filter] of Object.entries(asked.filters)) own.set(`fw_f.${field}`, writeFilter(filter));
  url.search = own.toString().replaceAll("%2C", ",");
  return url.href;
}

// A value that looks like a range is told apart by an escaped dash.
const RANGE = /^(\d+(?:\.\d+)?)?-(\d+(?:\.\d+)?)?$/;

function readFilter(text: string): string[] | Range | undefined {
  const range = RANGE.exec(text);
  if (range && (range[1] || range[2])) {
    return { ...(range[1] ? { min: Number(range[1]) } : {}), ...(range[2] ? { max: Number(range[2]) } : {}) };
  }
  const values = [...text.matchAll(/(?:\\.|[^,\\])+/gs)].map(([one]) => one.replace(/\\(.)/gs, "$1")).slice(0, 200);
  return values.length ? values : undefined;
}

function writeFilter(filter: string[] | Range): string {
  if (!Array.isArray(filter)) return `${filter.min ?? ""}-${filter.max ?? ""}`;
  const text = filter.map((value) => value.replace(/[\\,]/g, "\\$&")).join(",");
  return RANGE.test(text) ? text.replace("-", "\\-") : text;
}
