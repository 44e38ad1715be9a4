// Pages of a list: links to the one before and after, which keep the other parameters of the address.

import { el } from "./element.js";
import { say } from "./words.js";

function address(page) {
  const next = new URLSearchParams(location.search);
  next.set("page", page);
  return `${location.pathname}?${next}`;
}

export function pager({ page: at, totalPages }) {
  if (totalPages < 2) return null;
  const link = (page, text) => el("a", { className: "button slim", href: address(page) }, text);
  const where = say("pageOf", { page: at, pages: totalPages });
  return el(
    "nav",
    { className: "row", "aria-label": where },
    at > 1 ? link(at - 1, say("previous")) : null,
    el("span", {}, where),
    at < totalPages ? link(at + 1, say("next")) : null,
  );
}

// Returns those parameters of the address that are set, for a call.
export function wanted(names) {
  const here = new URLSearchParams(location.search);
  return new URLSearchParams(names.filter((name) => here.get(name)).map((name) => [name, here.get(name)]));
}

// Loads the page again with other parameters, from its first page.
export function reload(values) {
  const set = Object.entries(values).filter(([, value]) => value !== "" && value !== undefined);
  location.assign(`${location.pathname}?${new URLSearchParams(set)}`);
}
