//! What every part of the widget on one page shares.

import type { Config, Settings, Start } from "./contract";
import type { Api } from "./service/api";
import type { Events } from "./service/events";
import type { Session } from "./service/session";
import type { Visitor } from "./service/visitor";
import type { Values } from "./show/words";

/** The widget of a page. */
export interface Context {
  start: Start;
  settings: Settings;
  config: Config;
  /** Language of the page, in which numbers and prices are written. */
  language: string;
  api: Api;
  visitor: Visitor;
  session: Session;
  events: Events;
  say(key: string, values?: Values): string;
  money(value: number, code: string | null | undefined): string;
  /** Announces something to the shop's own scripts. */
  emit(name: "ready" | "open" | "results" | "select" | "close", detail?: object): void;
  /** Adds to a request what all requests carry. */
  body<T extends object>(request: T, counted?: boolean): Promise<T & { lang: string }>;
  /** The shop's own script, which runs before anything is drawn. */
  custom: Promise<void>;
  /** Called when a request should be repeated: a token came late, or the shopper logged in. */
  onRepeat: Set<() => void>;
  /** The address that shows the results of `q`: the results page, else this page with the layer open. */
  resultsAddress(q: string): string;
}
