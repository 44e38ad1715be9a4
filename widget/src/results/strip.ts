//! The suggestions of the layer: a row above the results, and recent searches before anything is typed.

import type { Suggestions } from "../contract";
import type { Combobox } from "../box/combobox";
import type { List, Option } from "../box/list";
import type { Shared } from "./shared";

/** What the row needs from its layer. */
export interface StripUses {
  typed(): void;
  /** What is suggested before anything is typed. */
  blank(found: Suggestions): void;
  submit(): void;
  /** A query was chosen. */
  search(q: string): void;
  close(): void;
  /** A link of the row is followed in this tab. */
  leaving(): void;
}

/** The row of one layer, whose input is its combobox. */
export class Strip {
  readonly element: HTMLElement;
  private list: List;
  private combobox: Combobox;
  private turn = 0;
  private timer = 0;
  private flight: AbortController | undefined;
  private queryId: string | undefined;

  constructor(
    private shared: Shared,
    private input: HTMLInputElement,
    private uses: StripUses,
  ) {
    const { el, context } = shared;
    const { say } = context;
    this.list = new shared.List(context, (text) => this.removeRecent(text), true);
    this.list.element.classList.add("fw-strip");
    this.element = el(
      "div",
      { class: "fw-strip-place" },
      el("div", { class: "fw-strip-list" }, this.list.element, this.list.removers),
    );
    shared.choosable(this.list, { pick: (option, newTab) => this.pick(option, newTab) });
    this.combobox = new shared.Combobox(
      input,
      this.list,
      {
        inline: true,
        typed: () => uses.typed(),
        submit: () => (uses.submit(), true),
        pick: (option, newTab) => this.pick(option, newTab),
        remove: (option) => this.removeRecent(option.text),
        show: () => {
          this.combobox.expanded = this.list.options.length > 0;
        },
        hide: () => this.collapse(),
        escape: () => (uses.close(), true),
      },
      say("box.label"),
    );
  }

  private get text(): string {
    return this.input.value.trim();
  }

  /** No suggestion is active any more. */
  collapse(): void {
    this.combobox.expanded = false;
  }

  /** Gives the row the shape for what is typed. */
  shape(): void {
    this.list.element.classList.toggle("fw-home", !this.text);
  }

  /** Drops what is on its way. */
  stop(): void {
    this.turn += 1;
    this.flight?.abort();
    clearTimeout(this.timer);
  }

  /** Takes back the suggestions of a former query. */
  clear(): void {
    this.stop();
    this.draw([], undefined);
  }

  /** Asks for suggestions after a pause; too few characters ask for none. */
  suggest(): void {
    clearTimeout(this.timer);
    const { api, config } = this.shared.context;
    const q = this.text;
    if (q && this.shared.weight(q) < config.features.minChars) return;
    this.timer = window.setTimeout(() => void this.askSuggestions(q), q ? (api.slow ? 250 : 100) : 0);
  }

  private async askSuggestions(q: string): Promise<void> {
    const { context } = this.shared;
    const turn = (this.turn += 1);
    this.flight?.abort();
    const flight = (this.flight = new AbortController());
    if (!q) this.draw(this.shared.recentOptions(context), undefined);
    try {
      const body = await context.body({ q, limit: 6 });
      if (turn !== this.turn) return;
      const response: Suggestions = await context.api.suggest(body, flight.signal);
      if (turn !== this.turn) return;
      if (!q) this.uses.blank(response);
      const found = this.shared.optionsOf(context, response, false);
      this.draw(
        q ? found : [...this.shared.recentOptions(context), ...found.filter(({ kind }) => kind === "queries")],
        response.queryId,
      );
    } catch {
      if (turn === this.turn) this.draw([], undefined);
    }
  }

  private draw(options: Option[], queryId: string | undefined): void {
    this.queryId = queryId;
    this.combobox.activate(-1);
    this.list.draw(options);
    this.element.classList.toggle("fw-none", !options.length);
    this.shape();
    this.combobox.expanded = options.length > 0;
  }

  private removeRecent(text?: string): void {
    this.shared.context.session.removeRecent(text);
    const all = this.list.options.map(({ option }) => option);
    this.draw(
      all.filter((one) => one.kind !== "recent" || (text !== undefined && one.text !== text)),
      this.queryId,
    );
    this.input.focus();
  }

  private pick(option: Option, newTab: boolean): boolean {
    const { events, emit } = this.shared.context;
    const { kind, text, id } = option;
    emit("select", { kind, text, ids: id ? [id] : [], queryId: this.queryId });
    if (kind === "recent" || kind === "queries" || kind === "all") {
      if (newTab) return false;
      this.uses.search(text);
      this.suggest();
      return true;
    }
    events.click(this.queryId, id!, option.position, kind);
    if (!newTab) this.uses.leaving();
    return !option.href;
  }
}
