//! Entries of the browser's history: where the shopper was, and how far the layer's entries reach back.

import type { SearchState } from "../contract";
import { read, write } from "./address";

/** The parameter of the layer's query. */
export const LAYER = "fw_q";

/** What an entry holds beside its address. */
interface Kept {
  /** Entries since the layer was opened. */
  fwDepth?: number;
  fwScroll?: number;
  /** Whether the entry is that of the open sheet of filters. */
  fwSheet?: boolean;
}

const kept = (): Kept => (history.state as Kept | null) ?? {};

const asObject = () => history.state as object | null;

/**
 * Writes what is asked into the address, as an entry of its own if `push` says so; what the address says already, and
 * what is chosen in the sheet of filters, is none.
 */
export function put(name: string, state: SearchState | undefined, push: boolean): void {
  const address = write(location.href, name, state);
  const present = write(location.href, name, read(location.search, name));
  const fwDepth = name === LAYER ? depth() + 1 : 0;
  if (push && address !== present && !inSheet())
    history.pushState({ ...asObject(), fwDepth, fwScroll: undefined }, "", address);
  else history.replaceState(state ? history.state : { ...asObject(), fwSheet: undefined }, "", address);
}

/** Whether the present entry is that of the open sheet of filters. */
export const inSheet = (): boolean => kept().fwSheet === true;

/** Adds the entry of the open sheet, with the address as it is. */
export function pushSheet(): void {
  const fwDepth = new URLSearchParams(location.search).has(LAYER) ? depth() + 1 : 0;
  history.pushState({ ...asObject(), fwDepth, fwSheet: true }, "");
}

/** Makes the entry of the sheet one like others. */
export const leaveSheet = (): void => history.replaceState({ ...asObject(), fwSheet: undefined }, "");

/** Keeps where the results are scrolled to in the present entry. */
export function keepScroll(top: number): void {
  history.replaceState({ ...(history.state as object | null), fwScroll: top }, "");
}

export const scrolled = (): number => Number(kept().fwScroll) || 0;

/** How many entries the layer has added. */
export const depth = (): number => Number(kept().fwDepth) || 0;
