//! A range of numbers: a slider of two handles and two fields, asked when let go.

import type { Range } from "../contract";
import type { Shared } from "./shared";

/** A range to choose. */
export interface RangeChoice {
  id: string;
  label: string;
  bounds: Required<Range>;
  chosen: Range | undefined;
  write(value: number): string;
  /** Whether a value is being changed and not asked for yet. */
  edits(on: boolean): void;
  choose(next: Range | undefined): void;
}

/** Creates the controls of a range. */
export function range(shared: Shared, choice: RangeChoice): Node[] {
  const { el, context } = shared;
  const { bounds, chosen, id, label } = choice;
  const fine = bounds.max - bounds.min < 20;
  const low = fine ? bounds.min : Math.floor(bounds.min);
  const high = fine ? bounds.max : Math.ceil(bounds.max);
  const step = fine ? 0.01 : 1;
  const values = { min: chosen?.min ?? low, max: chosen?.max ?? high };
  const note = el("p", { class: "fw-wrong", id: `${id}-note`, role: "alert", hidden: true });
  const ends = (["min", "max"] as const).map((end) => {
    const name = context.say(end === "min" ? "filters.from" : "filters.to");
    const slider = el("input", {
      type: "range",
      id: `${id}-${end}-slider`,
      min: low,
      max: high,
      step,
      class: `fw-slider fw-slider-${end}`,
      "aria-label": `${label}: ${name}`,
      "aria-describedby": note.id,
    });
    const field = el("input", {
      type: "number",
      id: `${id}-${end}`,
      min: 0,
      step: "any",
      inputmode: "decimal",
      class: "fw-field",
      "aria-label": `${label}: ${name}`,
      "aria-describedby": note.id,
    });
    const take = (value: number) => {
      choice.edits(true);
      values[end] = value;
      draw();
    };
    slider.addEventListener("input", () => take(Number(slider.value)));
    slider.addEventListener("change", ask);
    field.addEventListener("change", () => {
      take(
        field.value === "" || !Number.isFinite(field.valueAsNumber)
          ? end === "min"
            ? low
            : high
          : Math.max(0, field.valueAsNumber),
      );
      ask();
    });
    return { end, name, slider, field };
  });
  const track = el(
    "div",
    { class: "fw-track" },
    ends.map(({ slider }) => slider),
  );

  function draw(): void {
    for (const { end, slider, field } of ends) {
      slider.value = String(values[end]);
      slider.setAttribute("aria-valuetext", choice.write(values[end]));
      field.value = String(values[end]);
    }
    const part = (value: number) => (high > low ? Math.max(0, Math.min(1, (value - low) / (high - low))) : 0);
    track.style.setProperty("--fw-from", String(part(values.min)));
    track.style.setProperty("--fw-to", String(part(values.max)));
  }

  function ask(): void {
    const wrong = values.min > values.max;
    note.textContent = wrong ? context.say("filters.order") : "";
    note.hidden = !wrong;
    for (const { field, slider } of ends)
      [field, slider].forEach((one) => one.setAttribute("aria-invalid", String(wrong)));
    if (wrong) return;
    choice.edits(false);
    const next: Range = {
      ...(values.min > low ? { min: values.min } : {}),
      ...(values.max < high ? { max: values.max } : {}),
    };
    if (next.min === chosen?.min && next.max === chosen?.max) return;
    choice.choose(Object.keys(next).length ? next : undefined);
  }

  draw();
  const fields = ends.map(({ name, field }) =>
    el("label", { class: "fw-end" }, el("span", { "aria-hidden": "true" }, name), field),
  );
  return [track, el("div", { class: "fw-ends" }, fields), note];
}
