//! The results over the page: a dialog with an input of its own, suggestions, results.

import type { SearchState } from "../contract";
import { read } from "./address";
import { depth, keepScroll, LAYER, put, scrolled } from "./history";
import { Root } from "./root";
import { lockScroll } from "./scroll_lock";
import type { Shared } from "./shared";
import { Strip } from "./strip";
import { SearchFlow, type Why } from "./search_flow";

/** The layer of a page. */
export class Layer {
  private root: Root;
  private dialog: HTMLDialogElement;
  private input: HTMLInputElement;
  private strip: Strip;
  private flow: SearchFlow;
  private timer = 0;
  private closing = false;
  private wanted = false;
  private clearer: HTMLButtonElement;
  private unlock = () => {};

  constructor(private shared: Shared) {
    const { el, icon, ICONS, context } = shared;
    const { say } = context;
    this.root = new Root(shared, document.body);
    const close = el(
      "button",
      {
        type: "button",
        class: "fw-icon-button fw-close",
        "aria-label": say("box.close"),
        on: { click: () => this.close() },
      },
      icon(ICONS.cross),
    );
    this.input = el("input", {
      type: "text",
      class: "fw-input",
      maxlength: 500,
      placeholder: say("box.placeholder"),
      "aria-label": say("box.label"),
      inputmode: "search",
    });
    this.clearer = el(
      "button",
      {
        type: "button",
        class: "fw-icon-button fw-clear",
        "aria-label": say("box.clear"),
        hidden: true,
        on: { click: () => this.clear() },
      },
      icon(ICONS.cross),
    );
    const submit = el(
      "button",
      { type: "submit", class: "fw-icon-button fw-submit", "aria-label": say("box.submit") },
      icon(ICONS.lens),
    );
    const form = el(
      "form",
      {
        class: "fw-form",
        on: {
          submit: (event) => {
            event.preventDefault();
            this.submit();
          },
        },
      },
      submit,
      this.input,
      this.clearer,
    );
    this.strip = new Strip(shared, this.input, {
      typed: () => this.typed(),
      blank: (found) => this.flow.offer(found),
      submit: () => this.submit(),
      search: (q) => {
        this.setText(q);
        this.submit();
      },
      close: () => this.close(),
      leaving: () => keepScroll(this.dialog.scrollTop),
    });
    this.flow = new SearchFlow(shared, {
      types: ["products", "pages"],
      host: this.root.host,
      write: (state, push) => {
        // What was typed a moment ago must not come after what was chosen now.
        clearTimeout(this.timer);
        put(LAYER, state, push);
      },
      query: (q) => this.setText(q),
      drawn: () => this.strip.shape(),
      canLeave: () => shared.canLeave(),
      away: (q, submitted) => submitted && shared.leave(q),
      leaving: () => keepScroll(this.dialog.scrollTop),
      redirect: (address) => location.assign(address),
    });
    this.dialog = el(
      "dialog",
      { class: "fw-layer", "aria-label": say("box.label") },
      el("div", { class: "fw-bar" }, form, close),
      this.strip.element,
      this.flow.element,
    );
    this.root.element.append(this.dialog);
    // Escape outside the input, and the back gesture of a device.
    this.dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      if (event.target === this.dialog) this.close();
    });
    this.dialog.addEventListener("mousedown", (event) => {
      if (event.composedPath()[0] === this.dialog && this.outside(event)) {
        event.preventDefault();
        this.close();
      }
    });
    // The keyboard of a touch device gives way to what is being read.
    this.dialog.addEventListener("touchmove", () => this.input.blur(), { passive: true });
    context.onRepeat.add(() => this.isOpen && this.strip.suggest());
  }

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
    const state = this.typedState();
    if (state.q !== this.flow.state.q) this.forget();
    put(LAYER, state, true);
    void this.present(submitted);
    void this.ask(state, submitted ? "submitted" : "typed", submitted ? 0 : undefined);
  }

  /** Shows what the address says: opens, changes or closes. */
  restore(): void {
    const state = read(location.search, LAYER);
    if (!state) return this.hide();
    this.setText(state.q);
    void this.present();
    this.strip.suggest();
    const top = scrolled();
    void this.flow.show(state, "restored").then(() => {
      if (top) this.dialog.scrollTop = top;
    });
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
    const q = this.flow.stop();
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

  /** Whether the browser has arrived where the layer itself sent it, or only closed the sheet of filters. */
  arrived(): boolean {
    if (!this.closing && this.flow.arrived()) return true;
    const closedHere = this.closing;
    this.closing = false;
    // The page was entered with the layer open: there is no entry without it.
    if (closedHere && read(location.search, LAYER)) put(LAYER, undefined, false);
    return closedHere;
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
    clearTimeout(this.timer);
    this.strip.stop();
    this.flow.stop();
    if (!this.isOpen) return;
    this.unlock();
    // Called before, because the dialog gives the focus back, which must not open it again; and after, if it gave none.
    this.shared.closed(this.input.value);
    this.dialog.close();
    this.shared.closed(this.input.value);
    this.shared.context.emit("close");
  }

  private outside(event: MouseEvent): boolean {
    const box = this.dialog.getBoundingClientRect();
    return (
      event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom
    );
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
  private typedState(): SearchState {
    return this.text ? { q: this.text, sort: "relevance", filters: {}, pages: 1 } : this.flow.home();
  }

  private typed(): void {
    this.clearer.hidden = !this.input.value;
    const state = this.typedState();
    put(LAYER, state, false);
    void this.ask(state, "typed", undefined);
  }

  /** Asks for results after a pause; too few characters ask for nothing until they are submitted. */
  private async ask(state: SearchState, why: Why, pause: number | undefined): Promise<void> {
    const { config } = this.shared.context;
    clearTimeout(this.timer);
    if (why === "typed" && state.q && this.shared.weight(state.q) < config.features.minChars) return this.forget();
    if (pause === undefined && !state.q) pause = 0;
    this.timer = window.setTimeout(() => void this.flow.show(state, why), pause ?? 250);
    this.strip.suggest();
  }

  /** Takes back the results and suggestions of a former query. */
  private forget(): void {
    this.flow.stop();
    this.flow.clear();
    this.strip.clear();
  }

  private submit(): void {
    const state = this.typedState();
    this.shared.context.session.addRecent(state.q);
    this.strip.collapse();
    // A service that failed a moment ago is not waited for.
    if (!this.shared.context.api.healthy && navigator.onLine !== false && state.q && this.shared.leave(state.q)) return;
    put(LAYER, state, true);
    clearTimeout(this.timer);
    void this.flow.show(state, "submitted");
  }
}
