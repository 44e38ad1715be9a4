// Searches by day as a chart: three lines that differ by their dashes too, and the same numbers as a table.

import { el } from "./element.js";
import { table } from "./form.js";
import { number, plainDay, say } from "./words.js";

const WIDTH = 720;
const HEIGHT = 180;
const LEFT = 44;
const BOTTOM = 24;
const TOP = 10;
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

function grid(top, y) {
  const lines = [];
  for (let at = 0; at <= LINES_OF_GRID; at += 1) {
    const value = (top / LINES_OF_GRID) * at;
    lines.push(
      svg("line", { class: "grid", x1: LEFT, x2: WIDTH, y1: y(value), y2: y(value) }),
      svg("text", { class: "tick", x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, number(value)),
    );
  }
  return lines;
}

function drawing(days) {
  const top = roundedUp(Math.max(...days.flatMap((day) => LINES.map((name) => day[name]))));
  const x = (at) => LEFT + ((WIDTH - LEFT - 8) * at) / Math.max(1, days.length - 1);
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const points = (name) => days.map((day, at) => `${x(at).toFixed(1)},${y(day[name]).toFixed(1)}`).join(" ");
  const last = days.length - 1;
  const ends = [
    svg("text", { class: "tick", x: LEFT, y: HEIGHT - 4 }, plainDay(days[0].day)),
    svg("text", { class: "tick", x: WIDTH - 8, y: HEIGHT - 4, "text-anchor": "end" }, plainDay(days[last].day)),
  ];
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", "aria-hidden": "true" },
    ...grid(top, y),
    ...ends,
    ...LINES.map((name) => svg("polyline", { class: `line ${name}`, points: points(name) })),
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
