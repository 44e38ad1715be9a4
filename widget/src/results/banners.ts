//! Banners of rules: a picture in a place of fixed proportions, so that nothing moves when it comes, or a text.

import type { BannerHit } from "../contract";
import type { Shared } from "./shared";

/** The banners of one position. */
export function banners(
  { el, safeAddress, context }: Shared,
  all: BannerHit[],
  position: "top" | "bottom",
  click: (id: string) => void,
): Node[] {
  return all
    .filter((one) => one.position === position)
    .flatMap(({ ruleId, imageUrl, text, link }) => {
      const source = safeAddress(imageUrl);
      if (!source && !text) return [];
      const href = safeAddress(link);
      const opened = (event: Event) => {
        if ((event as MouseEvent).button < 2) click(ruleId);
      };
      const shown = source
        ? el("img", {
            src: source,
            alt: text || context.say("banner"),
            decoding: "async",
            referrerpolicy: "no-referrer-when-downgrade",
            on: { error: () => frame.classList.add("fw-broken") },
          })
        : text;
      const frame = el(href ? "a" : "div", { class: source ? "fw-banner" : "fw-banner fw-banner-text", href }, shown);
      if (href) for (const kind of ["click", "auxclick"] as const) frame.addEventListener(kind, opened);
      return [frame];
    });
}
