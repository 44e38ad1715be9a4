//! The results of a page: what the box imports when they are needed first.

import { LAYER } from "./history";
import { Layer } from "./layer";
import { Page } from "./page";
import type { Results, Shared } from "./shared";

/** Creates the results with the box's functions: in a place of the page, or the layer. */
export function results(shared: Shared, place: HTMLElement | null): Results {
  const page = place ? new Page(shared, place) : undefined;
  let layer = page ? undefined : new Layer(shared);
  const needed = () => (layer ??= new Layer(shared));
  return {
    ready: () => (page ?? needed()).ready(),
    hasPage: page !== undefined,
    open: (q, submitted) => needed().open(q, submitted),
    close: () => layer?.close(),
    restore() {
      if (layer?.arrived() || page?.arrived()) return;
      if (layer || new URLSearchParams(location.search).has(LAYER)) needed().restore();
      if (page && !layer?.isOpen) page.restore();
    },
    submitPage: (q) => page?.submit(q),
    destroy: () => [layer?.destroy(), page?.destroy()].find((q) => q !== undefined),
  };
}
