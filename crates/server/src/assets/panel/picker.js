// Finds a store by some letters of its name, id or address, from any page.

import { get } from "./call.js";
import { el, fill, freshId } from "./element.js";
import { say } from "./words.js";

const FOUND = 8;

// A combobox: the arrow keys choose, Enter goes to the chosen store, Escape closes the list.
export function storePicker() {
  const id = freshId("stores");
  const list = el("ul", { id, role: "listbox", className: "picked", "aria-label": say("stores"), hidden: true });
  const box = el("input", { type: "search", role: "combobox", autocomplete: "off", placeholder: say("findStore"), maxLength: 100, "aria-label": say("findStore"), "aria-controls": id, "aria-expanded": "false", "aria-autocomplete": "list" });
  let found = [];
  let chosen = -1;
  let asking = false;
  const go = (store) => location.assign(`/panel/stores/${store.id}`);
  const show = (open) => {
    list.hidden = !open;
    box.setAttribute("aria-expanded", String(open));
    const options = found.map((store, at) => el("li", { id: `${id}-${at}`, role: "option", "aria-selected": String(at === chosen), onpointerdown: (event) => { event.preventDefault(); go(store); } }, store.name));
    fill(list, options.length > 0 ? options : el("li", { role: "option", "aria-selected": "false", "aria-disabled": "true" }, say("noStoresFound")));
    if (open && chosen >= 0) box.setAttribute("aria-activedescendant", `${id}-${chosen}`);
    else box.removeAttribute("aria-activedescendant");
  };
  // One call at a time; the last text is asked for again if it changed meanwhile.
  const ask = async () => {
    if (asking) return;
    asking = true;
    let asked;
    do {
      asked = box.value.trim();
      if (asked === "") break;
      found = await get(`/stores?q=${encodeURIComponent(asked)}&limit=${FOUND}`).catch(() => []);
      chosen = -1;
    } while (asked !== box.value.trim());
    asking = false;
    show(box.value.trim() !== "" && document.activeElement === box);
  };
  const KEYS = {
    ArrowDown: () => { chosen = Math.min(chosen + 1, found.length - 1); },
    ArrowUp: () => { chosen = Math.max(chosen - 1, -1); },
    Enter: () => { const store = found[Math.max(chosen, 0)]; if (store && !asking) go(store); },
  };
  box.addEventListener("input", ask);
  box.addEventListener("blur", () => show(false));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape" || list.hidden || !KEYS[event.key]) {
      if (event.key === "Escape") show(false);
      return;
    }
    event.preventDefault();
    KEYS[event.key]();
    if (event.key !== "Enter") show(true);
  });
  return el("div", { className: "picker" }, box, list);
}
