//! The shapes of what the widget exchanges with the page and the service.

import type { components } from "./service/openapi";

type Schemas = components["schemas"];
export type SearchResponse = Schemas["SearchResponse"];
export type SearchRequest = Partial<Schemas["SearchRequest"]> & { analytics?: boolean };
export type Suggestions = Schemas["Suggestions"] & { queryId?: string; pages?: { hits: ListHit[] } };
export type ProductHit = Schemas["ProductHit"];
export type ListHit = Schemas["ListHit"];
export type Facet = Schemas["FacetView"];
export type BannerHit = Schemas["BannerView"];

/** Bounds of a range filter. */
export interface Range {
  min?: number;
  max?: number;
}
export type Filters = Record<string, string[] | Range>;

/** What the shopper asks for: the part of the page's state that the address holds. */
export interface SearchState {
  q: string;
  sort: string;
  filters: Filters;
  /** Pages of results that are shown, from 1. */
  pages: number;
}

/** The settings of a page, by attributes or as JSON; a text that is not set is empty. */
export interface Settings {
  key: string;
  lang?: string;
  input?: string;
  results?: string;
  visitor?: string;
  prices?: string;
  cards?: string;
  consent?: string;
  /** Address of the loader, where a script of the page imports it. */
  loader?: string;
  takeover?: unknown;
  preview?: unknown;
}

/** The keys of a type that have a name, without those that may have any. */
type Named<T> = { [K in keyof T as string extends K ? never : K]-?: T[K] };

/** The features that the service knows, with their values of `GET /widget/config`; `sorts` comes as a list of its own. */
export type Features = Omit<Named<NonNullable<Schemas["WidgetPatch"]["features"]>>, "sorts">;

/** The response of `GET /widget/config`. */
export interface Config {
  storeId: string;
  revision: number;
  language: string;
  languages: string[];
  labelsLanguage: string;
  labels: Record<string, string>;
  theme: string;
  layout: "grid" | "list";
  position: string;
  colors?: Record<string, unknown>;
  typography?: Record<string, unknown>;
  features: Features;
  defaultSearch?: { q?: string; sort?: string; filters?: Filters; limit?: number };
  currency?: { base: string; currencies: { code: string; decimals: number; symbol: string }[] };
  sorts: string[];
  filters?: "automatic" | { field: string; label?: string; type: string }[];
  customCss?: { url: string };
  customJs?: { url: string };
}

/** Fails to compile if the description of the API no longer has a key of the configuration. */
export type Described<
  Unknown extends never = Exclude<keyof Config, keyof Schemas["WidgetConfig"] | "customCss" | "customJs">,
> = Unknown;

/** The element of the page's line. */
export interface Line extends HTMLScriptElement {
  /** The sheet by which the snippet keeps the place of the results. */
  place?: CSSStyleSheet;
}

/** What the loader hands to the box. */
export interface Start {
  /** Address of the API, without a slash at the end. */
  base: string;
  nonce: string;
  settings: Settings;
  config: Config;
  /** Resolves once a file can be loaded without holding up the `load` event of the page; rejects if it does not come. */
  cached(address: string): Promise<void>;
  /** Addresses of the files that the box loads. */
  assets: { boxCss: string; resultsJs: string; resultsCss: string };
  /** Serves no inputs for some seconds; with 0 the widget has ended, and nothing more is asked. */
  off(reason: string, seconds: number): void;
  /** Selector of the inputs that the widget serves. */
  selector(): string;
  /** The place where a page of results is drawn, if the page has one. */
  place: HTMLElement | null;
}

/** What the box hands back to the loader: the functions of `window.findwell`. */
export interface Box {
  open(q?: string): void;
  close(): void;
  attach(input: HTMLInputElement): void;
  refresh(): void;
  consent(given: boolean): void;
  event(type: "click" | "cart" | "purchase", id: string): void;
}
