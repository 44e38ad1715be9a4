//! The results over the page: a dialog with an input of its own, suggestions, results.

import type { Asked, Suggestions } from "../contract";
import type { Combobox } from "../box/combobox";
import type { List, Option } from "../box/list";
import { read } from "./address";
import { depth, keepScroll, LAYER, put, scrolled } from "./history";
import { Root } from "./root";
import type { Shared } from "./shared";
import { View, type Why } from "./view";

/** The layer of a page. */
export class Layer {
  private root: Root;
  private dialog: HTMLDialogElement;
  private input: HTMLInputElement;
  private list: List;
  private combobox: Combobox;
  private view: View;
  private turn = 0;
  private flight: AbortController | undefined;
  private timers = [0, 0];
  private queryId: string | undefined;
  private closing = false;
  private wanted = false;
  private clearer: HTMLButtonElement;

  constructor(private shared: Shared) {
    const { el, icon, ICONS, context } = shared;
    const { say } = context;
    this.root = new Root(shared, document.body);
    const close = el("button", { type: "button", class: "fw-icon-button fw-close", "aria-label": say("box.close"), on: { click: () => this.close() } }, icon(ICONS.cross));
    this.input = el("input", { type: "text", class: "fw-input", maxlength: 500, placeholder: say("box.placeholder"), "aria-label": say("box.label"), inputmode: "search" });
    this.clearer = el("button", { type: "button", class: "fw-icon-button fw-clear", "aria-label": say("box.clear"), hidden: true, on: { click: () => this.clear() } }, icon(ICONS.cross));
    const submit = el("button", { type: "submit", class: "fw-icon-button fw-submit", "aria-label": say("box.submit") }, icon(ICONS.lens));
    const form = el("form", { role: "search", class: "fw-form", on: { submit: (event) => { event.preventDefault(); this.submit(); } } }, submit, this.input, this.clearer);
    this.list = new shared.List(context, (text) => this.removeRecent(text));
    this.list.element.classList.add("fw-strip");
    this.view = new View(shared, {
      types: ["products", "pages"], host: this.root.host,
      write: (asked, push) => {
        // What was typed a moment ago must not come after what was chosen now.
        clearTimeout(this.timers[1]);
        put(LAYER, asked, push);
      },
      query: (q) => this.setText(q),
      drawn: () => this.list.element.classList.toggle("fw-home", !this.text),
      away: (q, submitted) => submitted && shared.leave(q),
      leaving: () => keepScroll(this.dialog.scrollTop),
      redirect: (address) => location.assign(address),
    });
    const tools = el("button", { type: "button", class: "fw-chip fw-clear-recent", hidden: true, on: { click: () => this.removeRecent() } }, say("recent.clear"));
    this.clearRecent = tools;
    const strip = el("div", { class: "fw-strip-place" }, el("div", { class: "fw-strip-list" }, this.list.element, this.list.removers), tools);
    this.dialog = el("dialog", { class: "fw-layer", "aria-label": say("box.label") }, el("div", { class: "fw-bar" }, form, close), strip, this.view.element);
    this.root.element.append(this.dialog);
    shared.choosable(this.list, { pick: (option, newTab) => this.pick(option, newTab) });
    this.combobox = new shared.Combobox(this.input, this.list, {
      inline: true,
      typed: () => this.typed(),
      submit: () => (this.submit(), true),
      pick: (option, newTab) => this.pick(option, newTab),
      remove: (option) => this.removeRecent(option.text),
      show: () => { this.combobox.expanded = this.list.options.length > 0; },
      hide: () => { this.combobox.expanded = false; },
      escape: () => (this.close(), true),
    }, say("box.label"));
    // Escape outside the input, and the back gesture of a device.
    this.dialog.addEventListener("cancel", (event) => { event.preventDefault(); if (event.target === this.dialog) this.close(); });
    this.dialog.addEventListener("mousedown", (event) => { if (event.composedPath()[0] === this.dialog && this.outside(event)) { event.preventDefault(); this.close(); } });
    // The keyboard of a touch device gives way to what is being read.
    this.dialog.addEventListener("touchmove", () => this.input.blur(), { passive: true });
    context.onRepeat.add(() => this.isOpen && this.suggest());
  }

  private clearRecent: HTMLButtonElement;
  private unlock = () => {};

  get isOpen(): boolean {
    return this.dialog.open;
  }

  private get text(): string {
    return this.input.value.trim();
  }

  /** Opens the layer with a query, and an entry of the history. */
  open(q: string, submitted: boolean): void {
    if (this.isOpen) return;
    this.setText(q);
    // It is on its way already: what was typed meanwhile takes the place of the former text.
    if (this.wanted && !submitted) return this.typed();
    const asked = this.typedAsked();
    if (asked.q !== this.view.asked.q) this.forget();
    put(LAYER, asked, true);
    void this.present(submitted);
    void this.ask(asked, submitted ? "submitted" : "typed", submitted ? 0 : undefined);
  }

  /** Shows what the address says: opens, changes or closes. */
  restore(): void {
    const asked = read(location.search, LAYER);
    if (!asked) return this.hide();
    this.setText(asked.q);
    void this.present();
    this.suggest();
    const top = scrolled();
    void this.view.show(asked, "restored").then(() => { if (top) this.dialog.scrollTop = top; });
  }

  /** Closes the layer and goes back to before it was opened. */
  close(): void {
    if (!this.isOpen || this.closing) return;
    const back = depth();
    if (!back) {
      put(LAYER, undefined, false);
      return this.hide();
    }
    this.closing = true;
    this.hide();
    history.go(-back);
  }

  destroy(): string | undefined {
    const q = this.view.stop();
    const { isOpen } = this;
    if (isOpen) put(LAYER, undefined, false);
    this.hide();
    this.root.host.remove();
    if (isOpen) this.shared.closed(this.input.value);
    return q;
  }

  /** Whether the style has come. */
  ready(): Promise<boolean> {
    return this.root.ready();
  }

  /** Whether a going back that the layer itself began has arrived. */
  arrived(): boolean {
    const own = this.closing;
    this.closing = false;
    // The page was entered with the layer open: there is no entry without it.
    if (own && read(location.search, LAYER)) put(LAYER, undefined, false);
    return own;
  }

  private async present(submitted = false): Promise<void> {
    if (this.isOpen || this.wanted) return;
    this.wanted = true;
    const styled = await this.ready();
    if (!this.wanted) return;
    this.wanted = false;
    if (!styled) return this.giveUp(submitted);
    this.root.dress(this.shared.hostInput());
    const host = this.shared.hostInput();
    // What was typed while the style was on its way belongs to the query.
    if (host && document.activeElement === host && host.value !== this.input.value) {
      this.setText(host.value);
      this.typed();
    }
    this.dialog.showModal();
    this.unlock = lockScroll();
    this.input.focus();
    this.input.setSelectionRange(this.input.value.length, this.input.value.length);
    this.shared.context.emit("open", { query: this.text });
  }

  /** Without its style the layer stays closed, and a submitted query goes to the shop's own search. */
  private giveUp(submitted: boolean): void {
    const q = this.text;
    this.hide();
    put(LAYER, undefined, false);
    this.shared.context.api.rest();
    if (submitted) this.shared.leave(q);
  }

  private hide(): void {
    this.wanted = false;
    this.turn += 1;
    this.flight?.abort();
    this.timers.forEach((timer) => clearTimeout(timer));
    this.view.stop();
    if (!this.isOpen) return;
    this.unlock();
    // Told before, because the dialog gives the focus back, which must not open it again; and after, if it gave none.
    this.shared.closed(this.input.value);
    this.dialog.close();
    this.shared.closed(this.input.value);
    this.shared.context.emit("close");
  }

  private outside(event: MouseEvent): boolean {
    const box = this.dialog.getBoundingClientRect();
    return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
  }

  private setText(q: string): void {
    this.input.value = q;
    this.clearer.hidden = !q;
  }

  private clear(): void {
    this.setText("");
    this.input.focus();
    this.typed();
  }

  /** What a new text asks for: no filters of the former one. */
  private typedAsked(): Asked {
    return this.text ? { q: this.text, sort: "relevance", filters: {}, pages: 1 } : this.view.home();
  }

  private typed(): void {
    this.clearer.hidden = !this.input.value;
    const asked = this.typedAsked();
    put(LAYER, asked, false);
    this.suggest();
    void this.ask(asked, "typed", undefined);
  }

  /** Asks for results after a pause; too few characters ask for nothing until they are submitted. */
  private async ask(asked: Asked, why: Why, pause: number | undefined): Promise<void> {
    const { config } = this.shared.context;
    clearTimeout(this.timers[1]);
    if (why === "typed" && asked.q && this.shared.weight(asked.q) < config.features.minChars) return this.forget();
    if (pause === undefined && !asked.q) pause = 0;
    this.timers[1] = window.setTimeout(() => void this.view.show(asked, why), pause ?? 250);
    if (why === "submitted") this.suggest();
  }

  /** Takes back the results and suggestions of a former query. */
  private forget(): void {
    this.view.stop();
    this.view.clear();
    this.turn += 1;
    this.flight?.abort();
    this.drawOptions([], undefined);
  }

  private submit(): void {
    const asked = this.typedAsked();
    this.shared.context.session.addRecent(asked.q);
    this.combobox.expanded = false;
    // A service that failed a moment ago is not waited for.
    if (!this.shared.context.api.healthy && navigator.onLine !== false && asked.q && this.shared.leave(asked.q)) return;
    put(LAYER, asked, true);
    clearTimeout(this.timers[1]);
    void this.view.show(asked, "submitted");
  }

  private suggest(): void {
    clearTimeout(this.timers[0]);
    const { api, config } = this.shared.context;
    const q = this.text;
    if (q && this.shared.weight(q) < config.features.minChars) return;
    this.timers[0] = window.setTimeout(() => void this.askSuggestions(q), q ? (api.slow ? 250 : 100) : 0);
  }

  private async askSuggestions(q: string): Promise<void> {
    const { context } = this.shared;
    const turn = (this.turn += 1);
    this.flight?.abort();
    const flight = (this.flight = new AbortController());
    if (!q) this.drawOptions(this.shared.recentOptions(context), undefined);
    try {
      const body = await context.body({ q, limit: 6 });
      if (turn !== this.turn) return;
      const answer: Suggestions = await context.api.suggest(body, flight.signal);
      if (turn !== this.turn) return;
      const found = this.shared.optionsOf(context, answer, false);
      this.drawOptions(q ? found : [...this.shared.recentOptions(context), ...found.filter(({ kind }) => kind === "queries")], answer.queryId);
    } catch {
      if (turn === this.turn) this.drawOptions([], undefined);
    }
  }

  private drawOptions(options: Option[], queryId: string | undefined): void {
    this.queryId = queryId;
    this.combobox.activate(-1);
    this.list.draw(options);
    this.list.element.classList.toggle("fw-home", !this.text);
    this.clearRecent.hidden = !options.some(({ kind }) => kind === "recent");
    this.combobox.expanded = options.length > 0;
  }

  private removeRecent(text?: string): void {
    this.shared.context.session.removeRecent(text);
    const all = this.list.options.map(({ option }) => option);
    this.drawOptions(all.filter((one) => one.kind !== "recent" || (text !== undefined && one.text !== text)), this.queryId);
    this.input.focus();
  }

  private pick(option: Option, newTab: boolean): boolean {
    const { events, emit } = this.shared.context;
    const { kind, text, id } = option;
    emit("select", { kind, text, ids: id ? [id] : [], queryId: this.queryId });
    if (kind === "recent" || kind === "queries" || kind === "all") {
      if (newTab) return false;
      this.setText(text);
      this.submit();
      this.suggest();
      return true;
    }
    events.click(this.queryId, id!, option.position, kind);
    if (!newTab) keepScroll(this.dialog.scrollTop);
    return !option.href;
  }
}

/**
 * Stops the page below from scrolling; where its scroll bar was, it gets a padding, so that it keeps its width. Returns what
 * gives the page its own style back.
 */
function lockScroll(): () => void {
  const page = document.documentElement;
  const theirs = ["padding-right", "overflow"].map((name) => [name, page.style.getPropertyValue(name)] as const);
  const bar = innerWidth - page.clientWidth;
  if (bar > 0) page.style.setProperty("padding-right", `${bar + parseFloat(getComputedStyle(page).paddingRight)}px`);
  page.style.setProperty("overflow", "hidden");
  return () => theirs.forEach(([name, value]) => page.style.setProperty(name, value));
}
