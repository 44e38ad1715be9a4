//! Where the panel stands: at its input, inside the window, whole width on small screens.

const SMALL = 640;
const WIDTH = 640;
const GAP = 4;
const MARGIN = 8;
const LOW = 220;

/** Places the panel at its input, by the configured position. */
export function place(panel: HTMLElement, input: HTMLElement, position: string, rtl: boolean): void {
  const box = input.getBoundingClientRect();
  const view = visualViewport;
  const width = document.documentElement.clientWidth;
  const height = view?.height ?? innerHeight;
  const top = view?.offsetTop ?? 0;
  const below = top + height - box.bottom - GAP - MARGIN;
  const above = box.top - top - GAP - MARGIN;
  const up = (position === "bottom" && above > LOW) || (below < LOW && above > below);
  const set = (name: string, value: string) => panel.style.setProperty(name, value, "important");
  const small = width < SMALL;
  const panelWidth = small ? width : Math.min(Math.max(box.width, WIDTH), width - 2 * MARGIN);
  const end = box.right - panelWidth;
  const atEnd = position === "right" || (rtl && position !== "left");
  const left = position === "center" ? (box.left + end) / 2 : atEnd ? end : box.left;
  set("left", `${small ? 0 : Math.max(MARGIN, Math.min(left, width - panelWidth - MARGIN))}px`);
  set("width", `${panelWidth}px`);
  set("top", up ? "auto" : `${box.bottom + GAP}px`);
  set("bottom", up ? `${innerHeight - box.top + GAP}px` : "auto");
  set("max-height", `${Math.max(up ? above : below, 96)}px`);
}

/** Calls `move` while the window scrolls or changes; returns what ends it. */
export function follow(move: () => void): () => void {
  const listening = new AbortController();
  let waiting = false;
  const later = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (!listening.signal.aborted) move();
    });
  };
  const options = { capture: true, passive: true, signal: listening.signal };
  for (const view of [window, visualViewport])
    for (const name of ["scroll", "resize"]) view?.addEventListener(name, later, options);
  return () => listening.abort();
}
