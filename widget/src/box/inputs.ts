//! The shop's inputs: which are served, and what typing, Enter and choices do in each display mode.

import type { Context } from "../context";
import type { Results } from "../results/shared";
import { submit } from "./addresses";
import { Combobox, composes, type Uses } from "./combobox";
import type { Option } from "./list";
import { Panel } from "./panel";
import { silence, takeOver } from "./takeover";

/** One of the shop's inputs. */
interface Served {
  input: HTMLInputElement;
  combobox?: Combobox;
  panel?: Panel;
  listening: AbortController;
}

/** All inputs of a page. */
export class Inputs {
  /** The input that was used last. */
  last: HTMLInputElement | null = null;
  private served = new Map<HTMLInputElement, Served>();
  private left = new WeakSet<HTMLInputElement>();
  private panels = new Map<Node, Panel>();
  /** Whether the last pointer was a finger; the first one touches before this code is there. */
  private touched = matchMedia("(pointer: coarse)").matches;
  /** Until when focus is the widget's own doing. */
  private quiet = false;
  /** While the shop's own form is submitted. */
  private leaving = false;

  constructor(
    private context: Context,
    private results: () => Promise<Results | undefined>,
    private loaded: () => Results | undefined,
  ) {
    addEventListener(
      "pointerdown",
      (event) => {
        this.touched = event.pointerType === "touch";
      },
      { capture: true, passive: true },
    );
    context.onRepeat.add(() => this.repeat());
  }

  /**
   * Serves an input from now on; it is left alone if it is somebody else's combobox, unless the page wants it taken
   * over.
   */
  attach(input: HTMLInputElement): void {
    if (this.served.has(input) || this.left.has(input)) return;
    const takesOver = this.context.settings.takeover === true;
    if (!takesOver && (input.getAttribute("role") === "combobox" || input.hasAttribute("aria-autocomplete"))) {
      this.left.add(input);
      console.info("findwell: combobox left alone", input);
      return;
    }
    for (const [input, entry] of this.served) if (!input.isConnected) this.release(entry);
    this.last ??= input;
    const entry: Served = { input, listening: new AbortController() };
    this.served.set(input, entry);
    const focused = this.focused(input);
    const giveBack = takesOver ? takeOver(input) : undefined;
    if (this.overlay) this.serveLayer(entry);
    else this.servePanel(entry);
    if (giveBack) {
      silence(input, entry.listening.signal);
      entry.listening.signal.addEventListener("abort", giveBack);
      // The focus that comes back is nothing that the shopper did.
      if (focused) this.quietly(() => input.focus({ preventScroll: true }));
    }
    if (focused) this.entered(entry, input.value !== input.defaultValue);
  }

  private get overlay(): boolean {
    return this.context.config.features.displayMode === "overlay";
  }

  private focused = (input: HTMLInputElement) => (input.getRootNode() as Document | ShadowRoot).activeElement === input;

  private on<E extends Event>(
    { input, listening }: Served,
    target: EventTarget,
    kind: string,
    listener: (event: E) => void,
  ): void {
    const options = { capture: true, signal: listening.signal };
    target.addEventListener(
      kind,
      (event) => {
        const at = event.composedPath()[0];
        if (at === input || at === input.form) listener(event as E);
      },
      options,
    );
  }

  // Display mode `overlay`: the layer takes over with the first character.

  private serveLayer(entry: Served): void {
    const { input } = entry;
    const root = input.getRootNode();
    void this.results();
    if (!input.hasAttribute("aria-haspopup")) {
      input.setAttribute("aria-haspopup", "dialog");
      entry.listening.signal.addEventListener("abort", () => input.removeAttribute("aria-haspopup"));
    }
    let composing = false;
    const type = () => {
      if (input.value.trim() && !composing) this.openLayer(input, false);
    };
    this.on(entry, root, "compositionstart", () => {
      composing = composes();
    });
    this.on(entry, root, "compositionend", () => {
      composing = false;
      type();
    });
    this.on(entry, root, "input", type);
    this.on(entry, root, "focusin", () => this.focus(entry));
    // A finger on an input that has the focus already, as after the layer was closed.
    this.on(entry, root, "click", () => {
      if (this.touched && this.focused(input)) this.focus(entry);
    });
    this.on<KeyboardEvent>(entry, root, "keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing && event.keyCode !== 229 && this.submitLayer(input)) stop(event);
    });
    this.on(entry, root, "submit", (event) => {
      if (!this.leaving && this.submitLayer(input)) stop(event);
    });
  }

  /** Opens the layer for Enter; without code or service the shop's form goes its own way. */
  private submitLayer(input: HTMLInputElement): boolean {
    if (!this.loaded() || !this.context.api.healthy) return false;
    this.context.session.addRecent(input.value);
    this.openLayer(input, true);
    return true;
  }

  private openLayer(input: HTMLInputElement, submitted: boolean): void {
    this.last = input;
    if (this.context.api.resting) return;
    void this.results().then((ready) => ready?.open(input.value, submitted));
  }

  /** The layer was closed: its text goes back to the input. */
  layerClosed(q: string): void {
    const input = this.last;
    if (!input) return;
    if (input.isConnected) input.value = q;
    this.quietly(() => {
      if (!this.focused(input)) input.focus({ preventScroll: true });
      // A caret that stood in what is removed from the page would be nowhere, and what is typed lost.
      if (input.selectionStart !== null) input.setSelectionRange(q.length, q.length);
    });
  }

  /** Does what moves the focus, which is not the shopper's doing until the end of the task. */
  private quietly(move: () => void): void {
    this.quiet = true;
    move();
    setTimeout(() => {
      this.quiet = false;
    });
  }

  // Display modes `dropdown` and `page`: a panel with suggestions.

  private servePanel(entry: Served): void {
    const { input } = entry;
    const parent = this.parentOf(input);
    let panel = this.panels.get(parent);
    if (!panel) {
      panel = new Panel(this.context, parent, {
        pick: (option, newTab, queryId) => this.pick(option, newTab, queryId),
      });
      this.panels.set(parent, panel);
    }
    const current = panel;
    const uses: Uses = {
      typed: (text) => {
        this.last = input;
        current.typed(combobox, text);
      },
      submit: (text) => this.submit(entry, text),
      pick: (option, newTab) => current.pick(option, newTab),
      remove: (option) => current.removeRecent(option.text),
      show: () => {
        this.last = input;
        current.typed(combobox, input.value, 0);
      },
      hide: () => current.close(),
      escape: (text) => this.clear(input, text),
    };
    const combobox = new Combobox(input, current.list, uses, this.context.say("box.label"));
    Object.assign(entry, { combobox, panel });
    const root = input.getRootNode();
    this.on(entry, root, "focusin", () => this.focus(entry));
    this.on(entry, root, "focusout", () => {
      // The window's own loss of focus leaves the input the active element.
      if (!this.focused(input)) current.close();
    });
    this.on(entry, root, "submit", (event) => {
      if (!this.leaving && this.submit(entry, input.value)) stop(event);
    });
  }

  /**
   * Where the panel stands in the tree: beside the input, for its id to be found; in an open dialog, for it not to be
   * inert.
   */
  private parentOf(input: HTMLInputElement): Node {
    const root = input.getRootNode();
    return input.closest("dialog[open]") ?? (root instanceof ShadowRoot ? root : document.body);
  }

  private focus(entry: Served): void {
    if (!this.quiet) this.entered(entry, false);
  }

  private entered(entry: Served, typed: boolean): void {
    const { input, combobox, panel } = entry;
    if (combobox && panel) {
      this.last = input;
      if (typed || !input.value) panel.typed(combobox, input.value);
    } else if (this.touched || (typed && input.value.trim())) this.openLayer(input, false);
  }

  private clear(input: HTMLInputElement, text: string): boolean {
    if (!text) return false;
    input.value = "";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    this.close();
    return true;
  }

  /** Enter or a chosen query; returns whether the widget does what follows. */
  private submit({ input }: Served, text: string): boolean {
    this.last = input;
    this.close();
    const q = text.trim();
    if (!q) return false;
    this.context.session.addRecent(q);
    const { features } = this.context.config;
    if (!this.context.api.healthy) return false;
    const ready = this.loaded();
    if (ready?.hasPage) return (ready.submitPage(q), true);
    if (this.context.settings.results) return (location.assign(this.context.resultsAddress(q)), true);
    if (features.displayMode === "page" && input.form) return false;
    void this.results().then((layer) => (layer ? layer.open(q, true) : void this.leave(q)));
    return true;
  }

  private pick(option: Option, newTab: boolean, queryId: string | undefined): boolean {
    const { events, emit, session } = this.context;
    const { kind, text, id } = option;
    emit("select", { kind, text, ids: id ? [id] : [], queryId });
    if (kind === "recent" || kind === "queries" || kind === "all") {
      const input = this.last;
      if (newTab || !input) return false;
      const q = kind === "all" ? input.value.trim() : text;
      input.value = q;
      session.addRecent(q);
      const entry = this.served.get(input);
      return !entry || this.submit(entry, q) || this.leave(q);
    }
    events.click(queryId, id!, option.position, kind);
    if (!newTab) this.close();
    return !option.href;
  }

  /** The input whose form is the shop's own search. */
  private get host(): HTMLInputElement | null {
    return this.last?.isConnected ? this.last : document.querySelector<HTMLInputElement>(this.context.start.selector());
  }

  /** Whether the page has a search of its own. */
  get canLeave(): boolean {
    return !!(this.host?.form || this.context.settings.results);
  }

  /** Leaves for the shop's own search with this text; returns whether the page has one. */
  leave(q: string): boolean {
    const { host: input } = this;
    if (input?.form) {
      input.value = q;
      this.leaving = true;
      // A theme that shows its results by script stays on this page, where the layer would hide them.
      if (!submit(input.form)) this.loaded()?.close();
      this.leaving = false;
      return true;
    }
    if (!this.context.settings.results) return false;
    location.assign(this.context.resultsAddress(q));
    return true;
  }

  private repeat(): void {
    for (const { input, combobox, panel } of this.served.values()) {
      if (combobox && panel?.openFor(combobox)) panel.typed(combobox, input.value, 0);
    }
  }

  close(): void {
    this.panels.forEach((panel) => panel.close());
  }

  private release(entry: Served | undefined): void {
    if (!entry) return;
    entry.combobox?.destroy();
    entry.listening.abort();
    this.served.delete(entry.input);
  }

  /** Takes back everything that was added to the page. */
  destroy(): void {
    this.panels.forEach((panel) => panel.destroy());
    this.panels.clear();
    for (const entry of [...this.served.values()]) this.release(entry);
  }
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
