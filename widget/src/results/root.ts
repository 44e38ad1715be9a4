//! The shadow root that results are drawn in, with its style sheets; hidden until they are there.

import type { Shared } from "./shared";

/** A host in the page and the root of what is drawn. */
export class Root {
  readonly host: HTMLElement;
  /** What is drawn is appended here. */
  readonly element: HTMLElement;

  constructor(
    private shared: Shared,
    private parent: HTMLElement,
  ) {
    const { el } = shared;
    this.host = el("div", { "data-findwell-layer": true });
    this.element = el("div", { class: "fw-root", hidden: true });
    const shadow = this.host.attachShadow({ mode: "open" });
    shadow.append(this.element);
    const { config, start } = shared.context;
    // The theme's cards stand in the page and are slotted.
    if (config.customCss) void shared.style(document.head, config.customCss.url, start, true);
    void this.ready();
  }

  /** Whether the style has come, without which nothing is shown. */
  async ready(): Promise<boolean> {
    // A script of the page may have removed it.
    if (!this.host.isConnected) (this.parent.isConnected ? this.parent : document.body).append(this.host);
    const { context, styled } = this.shared;
    const ready = await styled(this.element.getRootNode(), context.start.assets.resultsCss, context);
    this.element.hidden = !ready;
    return ready;
  }

  /** Applies theme and language. */
  dress(input: Element | null): void {
    const { config, language } = this.shared.context;
    this.shared.dress(this.element, config, language, input);
  }
}
