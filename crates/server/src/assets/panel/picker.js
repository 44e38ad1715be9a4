// Finds a store by some letters of its name, id or address, from any page.

import { get } from "./call.js";
import { combobox } from "./combobox.js";
import { el } from "./element.js";
import { say } from "./words.js";

const FOUND = 8;

export function storePicker() {
  const { box, list } = combobox({
    attributes: { placeholder: say("findStore"), maxLength: 100, "aria-label": say("findStore") },
    label: say("stores"),
    none: say("noStoresFound"),
    find: (text) => get(`/stores?q=${encodeURIComponent(text)}&limit=${FOUND}`),
    name: (store) => store.name,
    take: (store) => location.assign(`/panel/stores/${store.id}`),
  });
  return el("div", { className: "picker" }, box, list);
}
