//! What is kept about the shopper, where, and whether anything may be: consent, session, recent searches, clicks.

import type { Config, Settings } from "../contract";

const RECENT = 8;
const CHARACTERS = 100;
const CLICKS = 50;
const DAY = 86_400_000;

interface Click {
  id: string;
  queryId: string;
  at: number;
}

/** Memory of one shopper in this browser. */
export class Session {
  /** Random, so that nothing can be concluded from it. */
  id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  private clicks: Click[] = [];
  private given: string | undefined;

  constructor(
    private config: Config,
    private settings: Settings,
  ) {
    this.given = settings.consent;
    this.apply();
  }

  /** Whether the shopper has said no, here or by the browser's signal. */
  get denied(): boolean {
    return this.given === "no" || (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
  }

  /** Whether events are sent. */
  get measured(): boolean {
    return !this.denied && this.config.features.analytics && !this.settings.preview;
  }

  get remembersRecent(): boolean {
    return !this.denied && this.config.features.recentSearches && !this.settings.preview;
  }

  consent(yes: boolean): void {
    this.given = yes ? "yes" : "no";
    this.apply();
  }

  recent(): string[] {
    if (!this.remembersRecent) return [];
    const kept = read(() => localStorage, this.name("recent"));
    return Array.isArray(kept) ? kept.filter((text) => typeof text === "string").slice(0, RECENT) : [];
  }

  /** Keeps a search that was submitted or chosen, unless it looks like personal data. */
  addRecent(query: string): void {
    const text = [...query.trim()].slice(0, CHARACTERS).join("");
    if (!text || !this.remembersRecent || /@|\d{6}/.test(text)) return;
    write(
      () => localStorage,
      this.name("recent"),
      [text, ...this.recent().filter((one) => one !== text)].slice(0, RECENT),
    );
  }

  /** Removes one recent search, or all. */
  removeRecent(query?: string): void {
    const left = query === undefined ? [] : this.recent().filter((one) => one !== query);
    write(() => localStorage, this.name("recent"), left.length ? left : undefined);
  }

  addClick(id: string, queryId: string): void {
    this.clicks = [{ id, queryId, at: Date.now() }, ...this.clicks.filter((one) => one.id !== id)].slice(0, CLICKS);
    if (this.stores) write(() => sessionStorage, this.name("clicks"), this.clicks);
  }

  /** The response on which the product `id` was clicked last. */
  queryOf(id: string): string | undefined {
    return this.clicks.find((one) => one.id === id && Date.now() - one.at < DAY)?.queryId;
  }

  private get stores(): boolean {
    return this.given === "yes" && this.measured;
  }

  private name(what: string): string {
    return `findwell:${this.config.storeId}:${what}`;
  }

  private apply(): void {
    if (this.denied) {
      this.clicks = [];
      write(() => sessionStorage, this.name("clicks"), undefined);
      write(() => sessionStorage, this.name("session"), undefined);
    }
    if (!this.remembersRecent) write(() => localStorage, this.name("recent"), undefined);
    if (!this.stores) return;
    const id = read(() => sessionStorage, this.name("session"));
    if (typeof id === "string") this.id = id;
    write(() => sessionStorage, this.name("session"), this.id);
    const kept = read(() => sessionStorage, this.name("clicks"));
    if (Array.isArray(kept)) this.clicks = [...this.clicks, ...(kept as Click[])].slice(0, CLICKS);
  }
}

/** Storage can be blocked, where naming it throws, or full, and what is in it can be anybody's. */
function read(storage: () => Storage, name: string): unknown {
  try {
    return JSON.parse(storage().getItem(name) ?? "null");
  } catch {
    return null;
  }
}

function write(storage: () => Storage, name: string, value: unknown): void {
  try {
    if (value === undefined) storage().removeItem(name);
    else storage().setItem(name, JSON.stringify(value));
  } catch {
    // No storage is no error.
  }
}
