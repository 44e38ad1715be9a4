//! The only maker of elements: attributes and text nodes, never markup.

export type Child = Node | string | false | null | undefined;
type Listeners = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
export type Attributes = { [name: string]: string | number | boolean | null | undefined | Listeners; on?: Listeners };

/** Creates an element; attributes that are false, null or undefined are left out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  const { on, ...plain } = attributes;
  for (const [key, value] of Object.entries(plain)) {
    if (value !== false && value !== null && value !== undefined)
      element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const [kind, listener] of Object.entries(on ?? {})) element.addEventListener(kind, listener as EventListener);
  element.append(...present(children.flat()));
  return element;
}

export const present = (children: Child[]) =>
  children.filter(
    (child): child is Node | string => child !== false && child !== null && child !== undefined && child !== "",
  );

/** An icon of 20 × 20 drawn by one path, hidden from assistive technology. */
export function icon(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "fw-icon");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", path);
  // Where the page's style is taken back, the attribute is too: browsers count it as style.
  line.style.setProperty("d", `path("${path}")`, "important");
  svg.append(line);
  return svg;
}

export const ICONS = {
  lens: "M8.5 3a5.500 5.500 0 1 1 0 11a5.500 5.500 0 0 1 0-11M12.500 12.500 17 17",
  cross: "M4.500 4.500 15.500 15.500M15.500 4.500 4.500 15.500",
  clock: "M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14M10 6v4.500l3 1.500",
  filter: "M3 6h14M6 10h8M8.500 14h3",
};

/** Returns an http(s) address, or undefined for anything else. */
export function safeAddress(address: string | null | undefined): string | undefined {
  if (!address) return undefined;
  try {
    const url = new URL(address, location.href);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
  } catch {
    return undefined;
  }
}

let counter = 0;
export const newId = (name: string) => `fw-${name}-${(counter += 1)}`;
