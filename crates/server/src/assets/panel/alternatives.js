// The controls of what else triggers a synonym group or a rule, beside its words as they are written.

import { ALTERNATIVES } from "./choices.js";
import { el } from "./element.js";
import { say } from "./words.js";

// What the form of a new record proposes; the service itself has none by default.
export const PROPOSED = ["plurals", "joined"];

// Returns a checkbox for each alternative; `path` is where errors name them.
export function alternativesField(path, chosen = []) {
  return el(
    "fieldset",
    { className: "field", "data-field": path },
    el("legend", {}, say("part.alternatives")),
    ALTERNATIVES.map((one) =>
      el(
        "label",
        { className: "check" },
        el("input", { type: "checkbox", "data-alternative": one, checked: chosen.includes(one) }),
        say(`alternative.${one}`),
      ),
    ),
    el("p", { className: "wrong", hidden: true }),
  );
}

// Returns what is chosen as a part of a record, which has no key for nothing.
export function chosenAlternatives(form) {
  const boxes = [...form.querySelectorAll("fieldset:not([hidden]) [data-alternative]:checked")];
  return boxes.length > 0 ? { alternatives: boxes.map((box) => box.dataset.alternative) } : {};
}
