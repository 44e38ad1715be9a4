//! Requests to the service: a memory of responses, one limit of time, and what follows from failures.

import type { Config, Suggestions, SearchResponse, SearchRequest, Start } from "../contract";

const PATIENCE = 3000;
const REST = 60_000;
const KEPT = 50;
const KEPT_FOR = 60_000;
const SLOW = 500;

/** A request that failed; status 0 for a network that is away or a response that did not come in time. */
export class Failure extends Error {
  constructor(readonly status: number) {
    super();
  }
}

/** What the service is asked for, and how it is at the moment. */
export class Api {
  /** Called when the key is good for nothing any more. */
  onDead: (reason: string) => void = () => {};
  /** Called when the service is left alone for some milliseconds. */
  onRest: (reason: string, time: number) => void = () => {};
  /** Called when the configuration has changed since it was loaded. */
  onChange: () => void = () => {};
  slow = false;
  private responses = new Map<string, { at: number; data: unknown }>();
  private failures = 0;
  /** Paths that did not know a key of the query. */
  private older = new Set<string>();
  private restingUntil = 0;
  /** Status of the failure after which the service is left alone. */
  private restingFor = 0;
  private revision: string;

  constructor(private start: Start) {
    this.revision = String(start.config.revision);
  }

  /** Whether requests are sent at all. */
  get resting(): boolean {
    return Date.now() < this.restingUntil;
  }

  /** Whether the last request succeeded. */
  get healthy(): boolean {
    return this.failures === 0 && !this.resting;
  }

  forget(): void {
    this.responses.clear();
  }

  search = (body: SearchRequest, signal?: AbortSignal) => this.ask<SearchResponse>("search", body, signal);
  suggest = (body: object, signal?: AbortSignal) => this.ask<Suggestions>("suggest", body, signal);

  /** Sends a query by POST, whose preflight the browser keeps per address; `GET ?q=` would need one per key. */
  private async ask<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
    const text = JSON.stringify(body);
    const cached = this.responses.get(path + text);
    if (cached && Date.now() - cached.at < KEPT_FOR) return cached.data as T;
    if (this.resting) throw new Failure(this.restingFor);
    const started = performance.now();
    const response = await this.query(path, body, signal);
    this.slow = performance.now() - started > SLOW;
    this.compare(response.headers.get("X-Config-Revision"));
    this.keep(path + text, response.data);
    return response.data as T;
  }

  /** A node of an older version, while others are updated, does not know what a query says about measuring. */
  private async query(path: string, body: object, signal?: AbortSignal) {
    const { analytics, sessionId, ...plain } = body as { analytics?: boolean; sessionId?: string };
    const send = (payload: object) => this.send(`/${path}`, { method: "POST", body: JSON.stringify(payload) }, signal);
    try {
      return await send(this.older.has(path) ? plain : body);
    } catch (error) {
      const unknown = analytics !== undefined || sessionId !== undefined;
      if (!(error instanceof Failure) || error.status !== 400 || !unknown || this.older.has(path)) throw error;
      const response = await send(plain);
      this.older.add(path);
      return response;
    }
  }

  /** The configuration as it is now: what the browser has kept is from before the change that this is asked for. */
  async config(lang: string): Promise<Config> {
    return (await this.send(`/widget/config?lang=${encodeURIComponent(lang)}`, { cache: "no-cache" })).data as Config;
  }

  private async send(path: string, init: RequestInit, signal?: AbortSignal) {
    const patience = AbortSignal.timeout(PATIENCE);
    try {
      const response = await fetch(this.start.base + path, {
        ...init,
        headers: { "X-API-Key": this.start.settings.key, ...(init.body ? { "Content-Type": "application/json" } : {}) },
        credentials: "omit",
        referrerPolicy: "no-referrer",
        signal: signal ? anyOf(signal, patience) : patience,
      });
      if (!response.ok) throw this.failed(response);
      const { data } = await response.json();
      this.failures = 0;
      return { data, headers: response.headers };
    } catch (error) {
      if (signal?.aborted || error instanceof Failure) throw error;
      throw this.away(0);
    }
  }

  private failed(response: Response): Failure {
    const { status } = response;
    if (status === 401 || status === 403 || status === 404) this.onDead(String(status));
    else if (status === 429) this.rest((Number(response.headers.get("Retry-After")) || 60) * 1000, status);
    else if (status >= 500) this.away(status);
    return new Failure(status);
  }

  private away(status: number): Failure {
    this.failures += 1;
    if (this.failures >= 2) this.rest(REST, status);
    return new Failure(status);
  }

  /** Leaves the service alone for some milliseconds. */
  rest(time = REST, status = 0): void {
    this.failures = 0;
    this.restingUntil = Date.now() + time;
    this.restingFor = status;
    this.onRest(status ? String(status) : "unreachable", time);
  }

  /** Lets the next request through at once, as when the shopper asks to try again. */
  wakeUp(): void {
    this.restingUntil = 0;
  }

  private compare(revision: string | null): void {
    if (!revision || revision === this.revision) return;
    this.revision = revision;
    this.forget();
    this.onChange();
  }

  private keep(key: string, data: unknown): void {
    this.responses.set(key, { at: Date.now(), data });
    if (this.responses.size > KEPT) this.responses.delete(this.responses.keys().next().value!);
  }
}

/** One signal of two; `AbortSignal.any` is younger than the browsers that are served. */
function anyOf(one: AbortSignal, other: AbortSignal): AbortSignal {
  const both = new AbortController();
  for (const signal of [one, other]) {
    if (signal.aborted) both.abort();
    signal.addEventListener("abort", () => both.abort());
  }
  return both.signal;
}
