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
  /** `control` names the one that was changed. */
  choose(next: Range | undefined, control: string): void;
}

/** Milliseconds without a key after which the value of a slider that keys move is asked for. */
const PAUSE = 250;

/** Creates the controls of a range. */
export function range(shared: Shared, choice: RangeChoice): Node[] {
  const { el, context } = shared;
  const { bounds, chosen, id, label } = choice;
  const fine = bounds.max - bounds.min < 20;
  const low = fine ? bounds.min : Math.floor(bounds.min);
  const high = fine ? bounds.max : Math.ceil(bounds.max);
  const step = fine ? 0.01 : 1;
  const values = { min: chosen?.min ?? bounds.min, max: chosen?.max ?? bounds.max };
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
    let keyed = false;
    let timer = 0;
    const ask = () => {
      clearTimeout(timer);
      timer = 0;
      choose(`${id}-${end}`);
    };
    slider.addEventListener("input", () => take(contained(Number(slider.value))));
    slider.addEventListener("keydown", () => (keyed = true));
    slider.addEventListener("pointerdown", () => (keyed = false));
    slider.addEventListener("change", () => {
      clearTimeout(timer);
      if (keyed) timer = window.setTimeout(ask, PAUSE);
      else ask();
    });
    slider.addEventListener("blur", () => timer && ask());
    field.addEventListener("change", () => {
      const value = field.valueAsNumber;
      take(Number.isFinite(value) ? Math.max(0, value) : bounds[end]);
      ask();
    });
    return { end, name, slider, field };
  });
  const track = el(
    "div",
    { class: "fw-track" },
    ends.map(({ slider }) => slider),
  );

  /** The slider has whole steps; at its ends stand the bounds themselves, whose products would be outside otherwise. */
  function contained(value: number): number {
    if (value <= low) return bounds.min;
    return value + step > high ? bounds.max : value;
  }

  function draw(): void {
    for (const { end, slider, field } of ends) {
      slider.value = String(values[end] >= bounds.max ? high : values[end] <= bounds.min ? low : values[end]);
      slider.setAttribute("aria-valuetext", choice.write(values[end]));
      field.value = String(values[end]);
    }
    const part = (value: number) => (high > low ? Math.max(0, Math.min(1, (value - low) / (high - low))) : 0);
    track.style.setProperty("--fw-from", String(part(values.min)));
    track.style.setProperty("--fw-to", String(part(values.max)));
  }

  function choose(control: string): void {
    const wrong = values.min > values.max;
    note.textContent = wrong ? context.say("filters.order") : "";
    note.hidden = !wrong;
    for (const { field, slider } of ends)
      [field, slider].forEach((one) => one.setAttribute("aria-invalid", String(wrong)));
    if (wrong) return;
    choice.edits(false);
    const next: Range = {
      ...(values.min > bounds.min ? { min: values.min } : {}),
      ...(values.max < bounds.max ? { max: values.max } : {}),
    };
    if (next.min === chosen?.min && next.max === chosen?.max) return;
    choice.choose(Object.keys(next).length ? next : undefined, control);
  }

  draw();
  const fields = ends.map(({ name, field }) =>
    el("label", { class: "fw-end" }, el("span", { "aria-hidden": "true" }, name), field),
  );
  return [track, el("div", { class: "fw-ends" }, fields), note];
}
