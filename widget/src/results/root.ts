//! The shadow root that results are drawn in, with its style sheets; hidden until they are there.

import type { Shared } from "./shared";

/** A host in the page and the root of what is drawn. */
export class Root {
  readonly host: HTMLElement;
  /** What is drawn is appended here. */
  readonly element: HTMLElement;
  readonly ready: Promise<unknown>;

  constructor(private shared: Shared, parent: HTMLElement) {
    const { el, style, context } = shared;
    const { start, config, custom } = context;
    this.host = el("div", { "data-findwell-layer": true });
    this.element = el("div", { class: "fw-root", hidden: true });
    const shadow = this.host.attachShadow({ mode: "open" });
    shadow.append(this.element);
    parent.append(this.host);
    const sheets = [start.assets.resultsCss, config.customCss?.url].map((address) => address && style(shadow, address, start.nonce));
    this.ready = Promise.all([custom, ...sheets]).then(() => { this.element.hidden = false; });
  }

  /** Applies theme and language. */
  dress(input: Element | null): void {
    const { config, language } = this.shared.context;
    this.shared.dress(this.element, config, language, input);
  }
}
