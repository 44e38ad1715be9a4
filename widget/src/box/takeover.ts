//! Taking an input over from the theme, whose own suggestions on it stay silent: its listeners hear nothing of the
//! input.

/** What happens on an input by the shopper. */
const KINDS = [
  "keydown",
  "keypress",
  "keyup",
  "beforeinput",
  "input",
  "change",
  "search",
  "select",
  "paste",
  "cut",
  "compositionstart",
  "compositionupdate",
  "compositionend",
  "focus",
  "focusin",
  "blur",
  "focusout",
  "pointerdown",
  "pointerup",
  "mousedown",
  "mouseup",
  "touchstart",
  "touchend",
  "click",
  "dblclick",
];

/** Makes the theme end what it shows for the input, and removes what it says about it; returns what puts that back. */
export function takeOver(input: HTMLInputElement): () => void {
  const names = input
    .getAttributeNames()
    .filter((name) => name === "role" || (name.startsWith("aria-") && !name.startsWith("aria-label")));
  const theirs = names.map((name) => [name, input.getAttribute(name)!] as const);
  // A list that the theme opened for the focus closes with it.
  input.blur();
  for (const name of names) input.removeAttribute(name);
  return () => theirs.forEach(([name, value]) => input.setAttribute(name, value));
}

/**
 * Keeps events on the input from the theme until the signal aborts. The widget's listeners on the root of the input,
 * which were added before, are the last to hear them; what the browser does by itself for a key stays.
 */
export function silence(input: HTMLInputElement, signal: AbortSignal): void {
  const stop = (event: Event) => event.composedPath()[0] === input && event.stopImmediatePropagation();
  for (const kind of KINDS) input.getRootNode().addEventListener(kind, stop, { capture: true, passive: true, signal });
}
