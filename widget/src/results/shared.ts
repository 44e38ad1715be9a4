//! What the box hands to the results, so that no code is sent twice.

import type { choosable, Combobox } from "../box/combobox";
import type { List, optionsOf, recentOptions } from "../box/list";
import type { weight } from "../box/panel";
import type { style, styled } from "../box/styles";
import type { Context } from "../context";
import type { fillLive, live } from "../service/live_prices";
import type { el, icon, ICONS, newId, present, safeAddress } from "../show/element";
import type { marks } from "../show/mark";
import type { number, percent } from "../show/money";
import type { fillPrice, reduction } from "../show/price";
import type { direction, dress } from "../show/theme";

/** The box's functions. */
export interface Shared {
  context: Context;
  el: typeof el;
  icon: typeof icon;
  ICONS: typeof ICONS;
  newId: typeof newId;
  present: typeof present;
  safeAddress: typeof safeAddress;
  marks: typeof marks;
  number: typeof number;
  percent: typeof percent;
  reduction: typeof reduction;
  fillPrice: typeof fillPrice;
  live: typeof live;
  fillLive: typeof fillLive;
  direction: typeof direction;
  dress: typeof dress;
  choosable: typeof choosable;
  Combobox: typeof Combobox;
  List: typeof List;
  optionsOf: typeof optionsOf;
  recentOptions: typeof recentOptions;
  weight: typeof weight;
  style: typeof style;
  styled: typeof styled;
  /** The shop's input that was used last. */
  hostInput(): HTMLInputElement | null;
  /** Whether the page has a search of its own. */
  canLeave(): boolean;
  /** Leaves for the shop's own search; returns whether the page has one. */
  leave(q: string): boolean;
  /** Told when the layer has closed, with its text. */
  closed(q: string): void;
}

/** The results of a page: the layer, and the place in mode `page`. */
export interface Results {
  /** Whether the style has come, without which nothing is shown. */
  ready(): Promise<boolean>;
  /** Whether the page has a place for results. */
  readonly hasPage: boolean;
  open(q: string, submitted: boolean): void;
  close(): void;
  /** Shows what the address says. */
  restore(): void;
  submitPage(q: string): void;
  /** Takes back everything that was added to the page; returns a submitted query that has no response yet. */
  destroy(): string | undefined;
}
