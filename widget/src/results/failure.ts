//! What is shown in the place of results that did not come.

import type { Shared } from "./shared";

/** The message with its ways on: asking again, and the shop's own search if the page has one. */
export function failure(
  { el, context }: Shared,
  offline: boolean,
  retry: () => void,
  leave: (() => void) | false,
): Node[] {
  const { say } = context;
  const button = (label: string, click: () => void) =>
    el("button", { type: "button", class: "fw-button", on: { click } }, say(label));
  return [
    el("div", { class: "fw-failed", role: "alert" }, el("p", {}, say(offline ? "error.offline" : "error.title"))),
    el("p", { class: "fw-actions" }, button("error.retry", retry), leave && button("error.form", leave)),
  ];
}
