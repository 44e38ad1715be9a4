//! The page's state as it stands in the address: query, pages, sort, filters.

import type { SearchState, Filters, Range } from "../contract";

const PAGES_MAX = 100;
const FIELDS_MAX = 64;

/** Reads what is asked; `name` is the parameter of the query. */
export function read(search: string, name: string): SearchState | undefined {
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
export function write(href: string, name: string, state: SearchState | undefined): string {
  const url = new URL(href);
  const params = url.searchParams;
  for (const key of [...params.keys()]) if (key.startsWith("fw_")) params.delete(key);
  if (!state) {
    params.delete(name);
    return url.href;
  }
  params.set(name, state.q);
  if (state.pages > 1) params.set("fw_n", String(state.pages));
  if (state.sort !== "relevance") params.set("fw_sort", state.sort);
  for (const [field, filter] of Object.entries(state.filters)) params.set(`fw_f.${field}`, writeFilter(filter));
  url.search = params.toString().replaceAll("%2C", ",");
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
