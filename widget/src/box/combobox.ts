//! An input as combobox with a list box: its ARIA attributes, its keys, composition of characters.

import type { List, Option } from "./list";

/**
 * Whether a composition is waited for. Keyboards of Android compose every word, in all languages, until the space
 * behind it; those of other systems what is not a word yet.
 */
export const composes = () => !/Android/.test(navigator.userAgent);

/** What an input is used for. */
export interface Uses {
  /** Whether the list stands in the page for good, so that Escape has nothing to close. */
  inline?: boolean;
  /** The text has changed. */
  typed(text: string): void;
  /** Enter without an active option; returns whether the event is taken from the page. */
  submit(text: string): boolean;
  /** An option was chosen; returns whether its link must not be followed by the browser. */
  pick(option: Option, newTab: boolean): boolean;
  /** Delete on an active recent search. */
  remove(option: Option): void;
  /** The list should be shown. */
  show(): void;
  hide(): void;
  /** Escape while the list is closed; returns whether it is taken. */
  escape(text: string): boolean;
}

/** One input with its list. */
export class Combobox {
  composing = false;
  private before = new Map<string, string | null>();
  private listening = new AbortController();

  constructor(
    readonly input: HTMLInputElement,
    private list: List,
    private uses: Uses,
    label: string,
  ) {
    const named =
      input.labels?.length || ["aria-label", "aria-labelledby", "title"].some((name) => input.hasAttribute(name));
    const attributes = {
      role: "combobox",
      "aria-expanded": "false",
      "aria-controls": list.element.id,
      "aria-autocomplete": "list",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "search",
      ...(named ? {} : { "aria-label": label }),
    };
    for (const [name, value] of Object.entries(attributes)) this.set(name, value);
    this.listen();
  }

  /** Takes back everything that was added to the input. */
  destroy(): void {
    this.listening.abort();
    for (const [name, value] of this.before)
      value === null ? this.input.removeAttribute(name) : this.input.setAttribute(name, value);
    this.input.removeAttribute("aria-activedescendant");
  }

  set expanded(open: boolean) {
    this.input.setAttribute("aria-expanded", String(open));
    if (!open) this.activate(-1);
  }

  get expanded(): boolean {
    return this.input.getAttribute("aria-expanded") === "true";
  }

  activate(at: number): void {
    const id = this.list.activate(at);
    if (id) this.input.setAttribute("aria-activedescendant", id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  private set(name: string, value: string): void {
    this.before.set(name, this.input.getAttribute(name));
    this.input.setAttribute(name, value);
  }

  /** Listens on the root, before the listeners that the theme has on the input itself. */
  private listen(): void {
    const options = { capture: true, signal: this.listening.signal };
    const on = <E extends Event>(kind: string, listener: (event: E) => void) =>
      this.input
        .getRootNode()
        .addEventListener(kind, (event) => event.composedPath()[0] === this.input && listener(event as E), options);
    on("compositionstart", () => {
      this.composing = composes();
    });
    on("compositionend", () => {
      this.composing = false;
      this.typed();
    });
    on("input", () => {
      if (!this.composing) this.typed();
    });
    on<KeyboardEvent>("keydown", (event) => this.key(event));
  }

  private typed(): void {
    this.activate(-1);
    this.uses.typed(this.input.value);
  }

  private key(event: KeyboardEvent): void {
    // The Enter that ends a composition belongs to the composition.
    if (event.isComposing || event.keyCode === 229 || this.composing) return;
    if (this.taken(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }

  private taken(event: KeyboardEvent): boolean {
    const { key, altKey } = event;
    if (key === "ArrowDown") return this.down(altKey);
    if (key === "ArrowUp") return this.up(altKey);
    if (key === "Enter") return this.enter(event.ctrlKey || event.metaKey);
    if (key === "Escape") return this.escape();
    if (key === "Delete") return this.remove();
    return false;
  }

  private down(alone: boolean): boolean {
    if (!this.expanded) {
      this.uses.show();
      return true;
    }
    if (!alone) this.activate(this.list.active + 1);
    return true;
  }

  private up(alone: boolean): boolean {
    if (alone) {
      this.uses.hide();
      return true;
    }
    if (!this.expanded) this.uses.show();
    const { active, options } = this.list;
    this.activate(active < 0 ? options.length - 1 : active - 1);
    return true;
  }

  private enter(newTab: boolean): boolean {
    const current = this.expanded ? this.list.current : undefined;
    if (!current) return this.uses.submit(this.input.value);
    if (newTab && current.option.href) {
      this.uses.pick(current.option, true);
      window.open(current.option.href, "_blank", "noopener");
    } else current.node.click();
    return true;
  }

  private escape(): boolean {
    const { inline } = this.uses;
    if (!this.expanded || (inline && this.list.active < 0)) return this.uses.escape(this.input.value);
    if (inline) this.activate(-1);
    else this.uses.hide();
    return true;
  }

  private remove(): boolean {
    const current = this.expanded ? this.list.current : undefined;
    if (current?.option.kind !== "recent") return false;
    const at = this.list.active;
    this.uses.remove(current.option);
    this.activate(Math.min(at, this.list.options.length - 1));
    return true;
  }
}

/** Lets clicks on options choose them, without moving the focus out of the input. */
export function choosable(list: List, uses: Pick<Uses, "pick">): void {
  list.element.addEventListener("mousedown", (event) => event.preventDefault());
  list.element.addEventListener("click", (event) => {
    const chosen = list.at(event);
    const newTab = event.ctrlKey || event.metaKey || event.shiftKey;
    if (chosen && uses.pick(chosen.option, newTab) && !newTab) event.preventDefault();
  });
  list.element.addEventListener("auxclick", (event) => {
    const chosen = list.at(event);
    if (chosen && event.button === 1) uses.pick(chosen.option, true);
  });
}
