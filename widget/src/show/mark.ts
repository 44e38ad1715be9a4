//! Highlighted names: `<em>` marks become elements, everything else is text.

import { el } from "./element";

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'" };

/** One piece of a name. */
export interface Piece {
  text: string;
  marked: boolean;
}

/** Cuts a highlighted name into pieces; the plain name if it is anything but text and marks. */
export function pieces(name: string, highlighted: string | undefined): Piece[] {
  const found: Piece[] = [];
  let marked = false;
  for (const part of (highlighted ?? "").split(/(<\/?em>)/)) {
    if (part === (marked ? "</em>" : "<em>")) marked = !marked;
    else if (part.includes("<")) return [{ text: name, marked: false }];
    else if (part) found.push({ text: part.replace(/&(?:lt|gt|amp|quot|#39);/g, (one) => ENTITIES[one]!), marked });
  }
  return found.length && !marked ? found : [{ text: name, marked: false }];
}

/** The nodes of a highlighted name. */
export const marks = (name: string, highlighted: string | undefined) =>
  pieces(name, highlighted).map(({ text, marked }) => (marked ? el("em", { class: "fw-mark" }, text) : text));
