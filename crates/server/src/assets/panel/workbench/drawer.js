// The drawer at the right; on narrow screens a dialog over the page.

import { el, fill, freshId } from "../element.js";
import { say } from "./words.js";

const NARROW = "(max-width: 860px)";

const title = el("h2", { id: freshId("drawer") });
const content = el("div", { className: "stack" });
let opener = null;
let onClose = () => {};

const whole = el(
  "dialog",
  { className: "drawer", "aria-labelledby": title.id },
  el(
    "div",
    { className: "row between" },
    title,
    el("button", { className: "close", type: "button", onclick: () => closeDrawer() }, "×"),
  ),
  content,
);

function finish() {
  onClose();
  onClose = () => {};
  if (opener?.isConnected) opener.focus({ preventScroll: true });
  opener = null;
}

// The event comes later than the closing: the drawer may be open again by then.
whole.addEventListener("close", () => {
  if (!whole.open) finish();
});
whole.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeDrawer();
});

// Where the width changes, the drawer would stand in the wrong place.
matchMedia(NARROW).addEventListener("change", () => whole.close());

export const drawer = () => whole;

export function closeDrawer() {
  whole.close();
  finish();
}

// Opens the drawer with a title and returns the element for its content. `closed` runs when it is closed or used for
// something else.
export function openDrawer(text, closed = () => {}) {
  onClose();
  onClose = closed;
  title.textContent = text;
  whole.querySelector(".close").setAttribute("aria-label", say("close"));
  if (!whole.open) {
    opener = document.activeElement;
    if (matchMedia(NARROW).matches) whole.showModal();
    else whole.show();
  }
  whole.scrollTop = 0;
  return fill(content);
}

// Closes the drawer where it covers the page.
export function uncover() {
  if (whole.matches(":modal")) {
    opener = null;
    closeDrawer();
  }
}
