//! Theme, colours and fonts of the configuration, set as custom properties of the widget's roots.

import type { Config } from "../contract";

const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/;

/** Whether text of the page runs from right to left, by the input's direction, else by the language. */
export function direction(config: Config, language: string, input?: Element | null): "rtl" | "ltr" {
  if (input && getComputedStyle(input).direction === "rtl") return "rtl";
  return RIGHT_TO_LEFT.test(language || config.labelsLanguage) ? "rtl" : "ltr";
}

/** Dresses a root of the widget. */
export function dress(root: HTMLElement, config: Config, language: string, input?: Element | null): void {
  // Everything is read before anything is written, which would make the browser compute all styles again.
  const { fontFamily, color } = getComputedStyle(document.body);
  const [paper, dir] = [background(), direction(config, language, input)];
  root.dataset["theme"] = config.theme;
  root.dataset["layout"] = config.layout;
  root.dataset["position"] = ["center", "left", "right", "bottom"].includes(config.position) ? config.position : "top";
  root.lang = config.labelsLanguage;
  root.dir = dir;
  // A colour that the configuration no longer has is the theme's again.
  for (const name of [...root.style]) if (/^--fw-(color|type)-/.test(name)) root.style.removeProperty(name);
  root.style.setProperty("--fw-page-font", fontFamily);
  root.style.setProperty("--fw-page-text", color);
  root.style.setProperty("--fw-page-background", paper);
  for (const [kind, values] of [
    ["color", config.colors],
    ["type", config.typography],
  ] as const) {
    for (const [key, value] of Object.entries(values ?? {})) {
      const bare = kind === "type" && key === "size" && /^\d+(\.\d+)?$/.test(String(value));
      root.style.setProperty(`--fw-${kind}-${key.replaceAll(".", "-")}`, bare ? `${value}px` : String(value));
    }
  }
}

/** The colour that is seen behind the page's text. */
function background(): string {
  for (const element of [document.body, document.documentElement]) {
    const color = getComputedStyle(element).backgroundColor;
    if (color && color !== "transparent" && !/, 0\)$/.test(color)) return color;
  }
  return "#fff";
}
