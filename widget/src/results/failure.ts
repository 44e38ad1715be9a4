//! What is shown in the place of results that did not come.

import type { Shared } from "./shared";

/** The message with its two ways on: asking again, and the shop's own search. */
export function failure({ el, context }: Shared, offline: boolean, retry: () => void, leave: () => void): Node[] {
  const { say } = context;
  const button = (label: string, click: () => void) => el("button", { type: "button", class: "fw-button", on: { click } }, say(label));
  return [
    el("div", { class: "fw-failed", role: "alert" }, el("p", {}, say(offline ? "error.offline" : "error.title"))),
    el("p", { class: "fw-actions" }, button("error.retry", retry), button("error.form", leave)),
  ];
}
