// A text field that finds things by some letters and hands over the chosen one.

import { el, fill, freshId } from "./element.js";

// The arrow keys choose, Enter takes the chosen option, Escape closes the list. `find` returns options for a text,
// `name` is what one is called, `take` gets the chosen one.
export function combobox({ attributes, label, none, find, name, take }) {
  const id = freshId("options");
  const list = el("ul", { id, role: "listbox", className: "picked", "aria-label": label, hidden: true });
  const box = el("input", {
    type: "search",
    role: "combobox",
    autocomplete: "off",
    "aria-controls": id,
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    ...attributes,
  });
  let found = [];
  let chosen = -1;
  let asking = false;
  const show = (open) => {
    list.hidden = !open;
    box.setAttribute("aria-expanded", String(open));
    const options = found.map((option, at) =>
      el(
        "li",
        {
          id: `${id}-${at}`,
          role: "option",
          "aria-selected": String(at === chosen),
          onpointerdown: (event) => {
            event.preventDefault();
            choose(option);
          },
        },
        name(option),
      ),
    );
    fill(
      list,
      options.length > 0
        ? options
        : el("li", { role: "option", "aria-selected": "false", "aria-disabled": "true" }, none),
    );
    if (open && chosen >= 0) {
      box.setAttribute("aria-activedescendant", `${id}-${chosen}`);
      list.children[chosen].scrollIntoView({ block: "nearest" });
    } else box.removeAttribute("aria-activedescendant");
  };
  const choose = (option) => {
    box.value = "";
    found = [];
    show(false);
    take(option);
  };
  // One call at a time; the last text is asked for again if it changed meanwhile.
  const ask = async () => {
    if (asking) return;
    asking = true;
    let query;
    do {
      query = box.value.trim();
      if (query === "") break;
      found = await find(query).catch(() => []);
      chosen = -1;
    } while (query !== box.value.trim());
    asking = false;
    show(box.value.trim() !== "" && document.activeElement === box);
  };
  const KEYS = {
    ArrowDown: () => {
      chosen = Math.min(chosen + 1, found.length - 1);
    },
    ArrowUp: () => {
      chosen = Math.max(chosen - 1, -1);
    },
    Enter: () => {
      const option = found[Math.max(chosen, 0)];
      if (option !== undefined && !asking) choose(option);
    },
  };
  box.addEventListener("input", ask);
  box.addEventListener("blur", () => show(false));
  box.addEventListener("keydown", (event) => {
    // The form or dialog around the list is not meant.
    if ((event.key === "Enter" && box.value !== "") || (event.key === "Escape" && !list.hidden)) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (event.key === "Escape") show(false);
    if (list.hidden || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
    if (event.key !== "Enter") show(true);
  });
  return { box, list };
}
