//! Entries of the browser's history: where the shopper was, and how far the layer's entries reach back.

import type { SearchState } from "../contract";
import { write } from "./address";

/** The parameter of the layer's query. */
export const LAYER = "fw_q";

/** What an entry holds beside its address. */
interface Kept {
  /** Entries since the layer was opened. */
  fwDepth?: number;
  fwScroll?: number;
}

const kept = (): Kept => (history.state as Kept | null) ?? {};

/** Writes what is asked into the address. */
export function put(name: string, state: SearchState | undefined, push: boolean): void {
  const address = write(location.href, name, state);
  const fwDepth = name === LAYER ? depth() + 1 : 0;
  if (push) history.pushState({ ...(history.state as object | null), fwDepth, fwScroll: undefined }, "", address);
  else history.replaceState(history.state, "", address);
}

/** Keeps where the results are scrolled to in the present entry. */
export function keepScroll(top: number): void {
  history.replaceState({ ...(history.state as object | null), fwScroll: top }, "");
}

export const scrolled = (): number => Number(kept().fwScroll) || 0;

/** How many entries the layer has added. */
export const depth = (): number => Number(kept().fwDepth) || 0;
