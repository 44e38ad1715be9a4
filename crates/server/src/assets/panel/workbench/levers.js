// A lever: slider, number field, list or switch of one weight or setting, with marks, the way back and advice.

import { el, fill, freshId } from "../element.js";
import { reason } from "../words.js";
import { change, current, isChanged } from "./draft.js";
import { valueAt } from "../paths.js";
import { saved } from "./saved.js";
import { state } from "./state.js";
import { number, say } from "./words.js";

const asNumber = (value) => (typeof value === "string" ? Number.parseInt(value, 10) : value);
const shown = (kind, value) => {
  if (kind === "percent") return `${asNumber(value)} %`;
  if (kind === "flag") return say(value ? "yes" : "no");
  return typeof value === "number" ? number(value) : String(value);
};

// A slider with a number field; `most` is where the slider ends unless the value is above it.
function numeric(spec, put) {
  const { kind, label, min, max, step } = spec;
  const slider = el("input", { type: "range", min, max: spec.most, step, "aria-label": label });
  const box = el("input", {
    type: "number",
    min,
    max,
    step: "any",
    inputmode: "decimal",
    "aria-label": say("asNumber", { label }),
    className: "number",
  });
  const taken = (text) => {
    const value = Number(text);
    const good = text !== "" && value >= min && value <= max && (step < 1 || Number.isInteger(value));
    box.toggleAttribute("aria-invalid", !good);
    if (good) put(kind === "percent" ? `${value}%` : value);
  };
  slider.addEventListener("input", () => taken(slider.value));
  box.addEventListener("input", () => taken(box.value));
  box.addEventListener("change", () => {
    if (box.hasAttribute("aria-invalid")) sync(current("relevance", spec.path));
  });
  const sync = (raw) => {
    const value = asNumber(raw);
    slider.max = Math.max(spec.most, value);
    slider.value = value;
    slider.setAttribute("aria-valuetext", shown(kind, raw));
    if (document.activeElement !== box || box.hasAttribute("aria-invalid")) box.value = value;
    box.removeAttribute("aria-invalid");
  };
  return { controls: [slider, box], sync };
}

function choice(spec, put) {
  const control = el(
    "select",
    { "aria-label": spec.label },
    spec.choices.map((value) => el("option", { value }, say(`choice.${spec.name}.${value}`))),
  );
  control.addEventListener("change", () => put(control.value));
  return {
    controls: [control],
    sync: (value) => {
      control.value = value;
    },
  };
}

function flag(spec, put) {
  const id = freshId("flag");
  const control = el("input", { type: "checkbox", id, "aria-label": spec.label });
  control.addEventListener("change", () => put(control.checked));
  return {
    controls: [el("span", { className: "check" }, control, el("label", { for: id }, say("on")))],
    sync: (value) => {
      control.checked = value;
    },
  };
}

const MAKERS = { choice, flag };

const isHigh = (spec, value) => Boolean(spec.recommended) && asNumber(value) > spec.recommended;

// The advice on a value: too high, or what the service says of the saved one.
function adviceOn(spec, value) {
  if (isHigh(spec, value)) return say("aboveRecommended", { max: spec.recommended });
  const advice = (saved.relevance.advice ?? []).find(
    (one) => one.field === spec.path && one.translatable.key !== "advice.above_recommended",
  );
  return advice && asNumber(value) > 0 ? reason(advice.text, advice.translatable) : "";
}

// Returns the row of a lever with the function that shows its present value.
export function lever(spec) {
  const resource = "relevance";
  const put = (value) => change(resource, { [spec.path]: value });
  const { controls, sync } = (MAKERS[spec.kind] ?? numeric)(spec, put);
  const marks = el("span", { className: "marks" });
  const advice = el("p", { className: "advice", id: freshId("advice"), hidden: true });
  const back = el("button", { className: "back", type: "button" }, "↺");
  back.addEventListener("click", () => {
    put(isChanged(resource, spec.path) ? valueAt(saved.relevance, spec.path) : spec.initial);
    controls[0].focus?.();
  });
  const about = spec.about ? el("p", { className: "hint" }, spec.about) : null;
  const row = el(
    "div",
    { className: `lever ${spec.kind}`, "data-path": spec.path, "data-error": `draft.relevance.${spec.path}` },
    el("div", { className: "lever-head" }, el("span", { className: "lever-name" }, spec.label), marks, back),
    el("div", { className: "lever-controls" }, controls),
    about,
    advice,
  );
  for (const control of row.querySelectorAll("input, select, button")) control.disabled = !state.store.editor;
  for (const control of row.querySelectorAll("input, select")) control.setAttribute("aria-describedby", advice.id);
  const show = () => {
    const value = current(resource, spec.path);
    const was = valueAt(saved.relevance, spec.path);
    const changed = isChanged(resource, spec.path);
    sync(value);
    fill(
      marks,
      changed
        ? el(
            "span",
            { className: "dot" },
            el("span", { "aria-hidden": "true" }, "●"),
            ` ${say("savedAs", { value: shown(spec.kind, was) })}`,
          )
        : null,
      value === spec.initial
        ? null
        : el(
            "span",
            { className: "ring" },
            el("span", { "aria-hidden": "true" }, "○"),
            ` ${say("defaultIs", { value: shown(spec.kind, spec.initial) })}`,
          ),
    );
    const text = say(changed ? "backToSaved" : "backToDefault", {
      label: spec.label,
      value: shown(spec.kind, changed ? was : spec.initial),
    });
    back.hidden = !changed && value === spec.initial;
    back.setAttribute("aria-label", text);
    back.title = text;
    row.classList.toggle("changed", changed);
    advice.textContent = adviceOn(spec, value);
    advice.classList.toggle("high", isHigh(spec, value));
    advice.hidden = advice.textContent === "";
  };
  return { row, show };
}

// Brings the lever of a path into view and to the focus.
export function leadTo(path) {
  const row = document.querySelector(`.lever[data-path="${CSS.escape(path)}"]`);
  row?.closest("details")?.setAttribute("open", "");
  row?.scrollIntoView({ block: "center" });
  row?.querySelector("input, select")?.focus({ preventScroll: true });
}
