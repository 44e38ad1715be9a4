// Searches by day as a chart: three lines that differ by their dashes too, and the same numbers as a table.

import { el } from "./element.js";
import { table } from "./form.js";
import { number, plainDay, say } from "./words.js";

// The drawing is stretched to the width that there is; its lines keep their thickness.
const WIDTH = 1000;
const HEIGHT = 100;
const LINES = ["searches", "withoutResults", "clicks"];
const LINES_OF_GRID = 4;

function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

// The least of 4, 8, 20, 40, 80, 200 … that is at least `most`: its quarters are whole numbers.
function roundedUp(most) {
  for (let power = 1; ; power *= 10) {
    const found = [4, 8, 20].find((step) => step * power >= most);
    if (found) return found * power;
  }
}

function drawing(days) {
  const top = roundedUp(Math.max(...days.flatMap((day) => LINES.map((name) => day[name]))));
  const steps = Array.from({ length: LINES_OF_GRID + 1 }, (_, at) => (top / LINES_OF_GRID) * (LINES_OF_GRID - at));
  const x = (at) => (WIDTH * at) / (days.length - 1);
  const y = (value) => HEIGHT * (1 - value / top);
  const points = (name) => days.map((day, at) => `${x(at).toFixed(1)},${y(day[name]).toFixed(1)}`).join(" ");
  const lines = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "chart" },
    ...steps.map((value) => svg("line", { class: "grid", x1: 0, x2: WIDTH, y1: y(value), y2: y(value) })),
    ...LINES.map((name) => svg("polyline", { class: `line ${name}`, points: points(name) })),
  );
  const ends = [days[0], days[days.length - 1]];
  return el(
    "div",
    { className: "plot", "aria-hidden": "true" },
    el(
      "div",
      { className: "ticks" },
      steps.map((value) => el("span", {}, number(value))),
    ),
    lines,
    el(
      "div",
      { className: "ends" },
      ends.map((day) => el("span", {}, plainDay(day.day))),
    ),
  );
}

function legend() {
  const sample = (name) =>
    svg(
      "svg",
      { viewBox: "0 0 28 10", class: "sample", "aria-hidden": "true" },
      svg("line", { class: `line ${name}`, x1: 0, x2: 28, y1: 5, y2: 5 }),
    );
  return el(
    "ul",
    { className: "legend plain row" },
    LINES.map((name) => el("li", {}, sample(name), ` ${say(`chart.${name}`)}`)),
  );
}

// The searches of some days, the first one first; none where there is nothing to compare.
export function chart(days) {
  if (days.length < 2 || days.every((day) => day.searches === 0)) return null;
  const rows = days
    .filter((day) => LINES.some((name) => day[name] > 0))
    .map((day) => [plainDay(day.day), ...LINES.map((name) => number(day[name]))]);
  const heads = [say("day"), ...LINES.map((name) => say(`chart.${name}`))];
  return el(
    "figure",
    { className: "card" },
    el("figcaption", {}, el("h2", {}, say("searchesByDay")), legend()),
    drawing(days),
    el("details", {}, el("summary", {}, say("asTable")), table(say("searchesByDay"), heads, rows)),
  );
}
