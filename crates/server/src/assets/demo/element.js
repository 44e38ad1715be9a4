// Creates elements; texts are always set as text, never as markup.

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

const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decoded(text) {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[name] ?? whole;
    return String.fromCodePoint(decimal ? Number(decimal) : parseInt(hex, 16));
  });
}

// Returns the nodes of a highlighted text: the server escapes everything but its own <em>.
export function highlighted(text) {
  return text.split(/(<em>.*?<\/em>)/).filter(Boolean).map((part) => {
    const inner = /^<em>(.*)<\/em>$/.exec(part);
    return inner ? el("em", {}, decoded(inner[1])) : document.createTextNode(decoded(part));
  });
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
