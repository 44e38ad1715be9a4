//! Where the results of a query are shown: the shop's results page, what its form leads to, or this page with the layer
//! open.

import type { Start } from "../contract";
import { safeAddress } from "../show/element";

/** The address that shows the results of `q`. */
export function resultsAddress({ settings, config, selector }: Start, q: string): string {
  const address = settings.results && safeAddress(settings.results.replaceAll("{q}", encodeURIComponent(q)));
  if (address) return address;
  const input = document.querySelector<HTMLInputElement>(selector());
  const submits =
    config.features.displayMode === "page" && input?.form && input.name && submitted(input.form, input.name, q);
  if (submits) return submits;
  const url = new URL(location.href);
  for (const name of [...url.searchParams.keys()]) if (name.startsWith("fw_")) url.searchParams.delete(name);
  url.searchParams.set("fw_q", q);
  return url.href;
}

/** Where a form leads with a text in one of its inputs; undefined unless its values go into the address. */
function submitted(form: HTMLFormElement, name: string, q: string): string | undefined {
  // An input that is named `action` or `method` stands in the place of the form's own property.
  if ((form.getAttribute("method") ?? "get").toLowerCase() !== "get") return undefined;
  const values = new URLSearchParams();
  for (const [key, value] of new FormData(form)) if (typeof value === "string") values.append(key, value);
  values.set(name, q);
  const target = new URL(form.getAttribute("action") || location.href, document.baseURI);
  target.search = values.toString();
  return target.href;
}

/** Submits a form; returns whether the browser leaves for its address. */
export function submit(form: HTMLFormElement): boolean {
  let leaves = true;
  const look = (event: Event) => {
    leaves = !event.defaultPrevented;
  };
  addEventListener("submit", look);
  // An input can be named like the method.
  HTMLFormElement.prototype.requestSubmit.call(form);
  removeEventListener("submit", look);
  return leaves;
}
