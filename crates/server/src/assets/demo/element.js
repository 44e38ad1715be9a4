// Creates elements; texts are always set as text, never as markup.

// The widget's own; the server has the present file for any hash.
import { pieces } from "/api/v1/widget/assets/box-0000000000000000.js";

export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key === "className" ? "class" : key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Returns the nodes of a highlighted text; `name` is shown if it is anything but text and marks.
export const highlighted = (text, name = "") =>
  pieces(name, text).map((part) => (part.marked ? el("em", {}, part.text) : document.createTextNode(part.text)));
