//! Keeping the page below the layer from scrolling.

/**
 * Stops the page below from scrolling; where its scroll bar was, it gets a padding, so that it keeps its width. Returns
 * what gives the page its own style back.
 */
export function lockScroll(): () => void {
  const page = document.documentElement;
  const theirs = ["padding-right", "overflow"].map((name) => [name, page.style.getPropertyValue(name)] as const);
  const bar = innerWidth - page.clientWidth;
  if (bar > 0) page.style.setProperty("padding-right", `${bar + parseFloat(getComputedStyle(page).paddingRight)}px`);
  page.style.setProperty("overflow", "hidden");
  return () => theirs.forEach(([name, value]) => page.style.setProperty(name, value));
}
