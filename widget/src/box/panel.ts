//! The panel below an input: suggestions as the shopper types, recent and popular searches before that.

import type { Context } from "../context";
import type { Suggestions } from "../contract";
import { el } from "../show/element";
import { direction, dress } from "../show/theme";
import { choosable, type Combobox } from "./combobox";
import { List, optionsOf, recentOptions, type Option } from "./list";
import { follow, place } from "./place";
import { styled } from "./styles";

/** Characters that count towards the minimum: those that are words of their own count twice. */
export function weight(text: string): number {
  let sum = 0;
  for (const character of text.trim()) {
    sum += /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(character) ? 2 : 1;
  }
  return sum;
}

/** What a panel reports to the inputs that use it. */
export interface PanelUses {
  pick(option: Option, newTab: boolean, queryId: string | undefined): boolean;
}

/** One panel; the inputs of a root share it. */
export class Panel {
  readonly list: List;
  private element: HTMLElement;
  private status: HTMLElement;
  private note = el("p", { class: "fw-note", hidden: true });
  /** Where the style sheets of the panel go. */
  private sheets: Node;
  private user: Combobox | undefined;
  private unfollow: (() => void) | undefined;
  private turn = 0;
  private flight: AbortController | undefined;
  private timer = 0;
  private speaking = 0;
  private queryId: string | undefined;
  private shownFor: string | undefined;

  constructor(
    private context: Context,
    private parent: Node,
    private uses: PanelUses,
  ) {
    const { config, say } = context;
    this.list = new List(context, (text) => this.removeRecent(text));
    this.element = el(
      "div",
      {
        id: "fw-panel",
        class: "fw-panel",
        popover: "manual",
        role: "region",
        "aria-label": say("group.queries"),
        hidden: true,
      },
      this.list.element,
      this.list.removers,
      this.note,
    );
    this.status = el("div", { id: "fw-status", role: "status", "aria-live": "polite" });
    this.connect();
    const root = parent.getRootNode();
    this.sheets = root instanceof ShadowRoot ? root : document.head;
    void this.styled();
    choosable(this.list, this);
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
    // The first price of a page takes the browser longest; at this moment nobody waits for it.
    setTimeout(() => context.money(0, config.currency?.base));
  }

  /** Puts the panel into the page, also again after a script of the page has removed it. */
  private connect(): void {
    const place = this.parent.isConnected ? this.parent : document.body;
    for (const part of [this.element, this.status]) if (!part.isConnected) place.appendChild(part);
  }

  /** Whether the panel has its style. */
  private styled(): Promise<boolean> {
    return styled(this.sheets, this.context.start.assets.boxCss, this.context);
  }

  destroy(): void {
    this.close();
    clearTimeout(this.speaking);
    this.element.remove();
    this.status.remove();
  }

  /** An option was chosen; returns whether its link must not be followed by the browser. */
  pick(option: Option, newTab: boolean): boolean {
    return this.uses.pick(option, newTab, this.queryId);
  }

  /** Whether the panel is open for this input. */
  openFor(user: Combobox): boolean {
    return this.user === user && !this.element.hidden;
  }

  /** Starts the query of a text after a pause without keys. */
  typed(user: Combobox, text: string, pause = this.context.api.slow ? 250 : 100): void {
    const { features } = this.context.config;
    this.stop();
    this.use(user);
    const q = text.trim();
    if (this.context.api.resting || (q && weight(q) < features.minChars)) return this.close();
    if (this.shownFor !== undefined && q) this.list.element.setAttribute("aria-busy", "true");
    this.timer = window.setTimeout(() => this.ask(user, q), q ? pause : 0);
  }

  private async ask(user: Combobox, q: string): Promise<void> {
    const turn = (this.turn += 1);
    const flight = (this.flight = new AbortController());
    if (!q) this.draw(user, q, recentOptions(this.context), undefined);
    try {
      const body = await this.context.body({ q, limit: 6 });
      if (turn !== this.turn) return;
      const response = await this.context.api.suggest(body, flight.signal);
      if (turn === this.turn) this.show(user, q, response);
    } catch {
      if (turn === this.turn) this.close();
    }
  }

  private show(user: Combobox, q: string, response: Suggestions): void {
    const found = optionsOf(this.context, response, true);
    const options = q ? found : [...recentOptions(this.context), ...found];
    if (q && found.length)
      options.push({ kind: "all", text: this.context.say("results.all", { q }), href: this.context.resultsAddress(q) });
    this.draw(user, q, options, response.queryId);
    this.announce(q, found.length);
    if (q)
      this.context.emit("results", {
        query: q,
        queryId: response.queryId,
        ids: response.products.hits.map((hit) => hit.id),
      });
  }

  private draw(user: Combobox, q: string, options: Option[], queryId: string | undefined): void {
    // Suggestions that come later for the same text leave the active one active.
    const before = this.shownFor === q ? this.list.current?.option : undefined;
    this.queryId = queryId;
    this.shownFor = q;
    this.list.element.removeAttribute("aria-busy");
    this.list.draw(options);
    user.activate(before ? options.findIndex(({ kind, text }) => kind === before.kind && text === before.text) : -1);
    this.note.textContent = this.context.say("suggest.none", { q });
    this.note.hidden = !q || options.length > 0;
    if (options.length || !this.note.hidden) void this.open(user);
    else this.hide();
  }

  private announce(q: string, n: number): void {
    clearTimeout(this.speaking);
    const text = q ? this.context.say(n ? "suggest.count" : "suggest.none", { n, q }) : "";
    this.speaking = window.setTimeout(() => {
      this.status.textContent = text;
    }, 500);
  }

  private async open(user: Combobox): Promise<void> {
    const turn = this.turn;
    const ready = await this.styled();
    if (turn !== this.turn || this.user !== user) return;
    if (!ready) return this.context.api.rest();
    const { config, language } = this.context;
    this.connect();
    // Measured before it is shown, so that the browser lays it out once.
    this.place();
    if (turn !== this.turn) return;
    if (this.element.hidden || !this.element.matches(":popover-open")) {
      this.unfollow?.();
      dress(this.element, config, language, user.input);
      this.element.hidden = false;
      this.element.showPopover?.();
      this.unfollow = follow(() => this.place());
      this.context.emit("open", { query: user.input.value });
    }
    user.expanded = this.list.options.length > 0;
  }

  private place(): void {
    if (!this.user?.input.isConnected) return this.close();
    const { config, language } = this.context;
    place(this.element, this.user.input, config.position, direction(config, language, this.user.input) === "rtl");
  }

  /** Closes the panel and forgets what was asked for it. */
  close(): void {
    this.stop();
    this.status.textContent = "";
    this.hide();
  }

  private hide(): void {
    if (this.user) this.user.expanded = false;
    this.list.element.removeAttribute("aria-busy");
    if (this.element.hidden) return;
    this.unfollow?.();
    if (this.element.matches(":popover-open")) this.element.hidePopover();
    this.element.hidden = true;
    this.shownFor = undefined;
    this.context.emit("close");
  }

  removeRecent(text?: string): void {
    this.context.session.removeRecent(text);
    if (!this.user) return;
    const left = this.list.options
      .map(({ option }) => option)
      .filter((one) => one.kind !== "recent" || (text !== undefined && one.text !== text));
    this.draw(this.user, "", left, this.queryId);
  }

  private use(user: Combobox): void {
    if (this.user && this.user !== user) this.close();
    this.user = user;
  }

  private stop(): void {
    clearTimeout(this.timer);
    // Counts of a former text are not announced while the next one is typed.
    clearTimeout(this.speaking);
    this.turn += 1;
    this.flight?.abort();
  }
}
