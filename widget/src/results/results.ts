//! The results of a page: what the box imports when they are needed first.

import { Layer } from "./layer";
import { Page } from "./page";
import type { Results, Shared } from "./shared";

export { read, write } from "./address";

/** Creates the results with the box's functions. */
export function results(shared: Shared): Results {
  let layer: Layer | undefined;
  let page: Page | undefined;
  const ready = () => (layer ??= new Layer(shared));
  return {
    get hasPage() {
      return page !== undefined;
    },
    open: (q, submitted) => ready().open(q, submitted),
    close: () => layer?.close(),
    restore() {
      if (layer?.arrived()) return;
      if (layer || new URLSearchParams(location.search).has("fw_q")) ready().restore();
      if (page && !layer?.isOpen) page.restore();
    },
    drawPage: (place) => { page ??= new Page(shared, place); },
    submitPage: (q) => page?.submit(q),
    destroy() {
      layer?.destroy();
      page?.destroy();
    },
  };
}
