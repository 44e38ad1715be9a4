// The orders that shoppers may choose: a box for each, and the order in which they are offered.

import { choiceName } from "./change-values.js";
import { SORTS } from "./choices.js";
import { el } from "./element.js";
import { say } from "./words.js";

const PATH = "features.sorts";

// Returns the names of orders in a text that separates them by commas.
export const sortsIn = (text) =>
  text
    .split(",")
    .map((sort) => sort.trim())
    .filter(Boolean);

const sortName = (sort) => choiceName(["sort"], sort);

// Returns a box for each order, those that are saved first and in their order. One that is ticked comes last, so that
// the order of the others stays.
export function sortsField(saved) {
  let chosen = sortsIn(saved);
  // What the form says is read from here, as from the field of a text.
  const value = el("input", { type: "hidden", name: PATH });
  const order = el("p", { className: "hint", role: "status" });
  const show = () => {
    value.value = chosen.join(",");
    const sorts = chosen.map(sortName).join(", ");
    order.textContent = sorts ? say("sortsOrder", { sorts }) : say("sortsNone");
  };
  const box = (sort) => {
    const control = el("input", { type: "checkbox", value: sort, checked: chosen.includes(sort) });
    control.addEventListener("input", () => {
      chosen = chosen.filter((one) => one !== sort);
      if (control.checked) chosen.push(sort);
      show();
    });
    return el("label", { className: "check" }, control, sortName(sort));
  };
  show();
  return el(
    "fieldset",
    { className: "field", "data-field": PATH },
    el("legend", {}, say("widgetSorts")),
    [...new Set([...chosen, ...SORTS])].map(box),
    order,
    el("p", { className: "wrong", hidden: true }),
    value,
  );
}
