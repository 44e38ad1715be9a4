//! Banners of rules, each in a place of fixed proportions, so that nothing moves when its picture comes.

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
    .flatMap(({ ruleId, imageUrl, link }) => {
      const source = safeAddress(imageUrl);
      if (!source) return [];
      const href = safeAddress(link);
      const opened = (event: Event) => {
        if ((event as MouseEvent).button < 2) click(ruleId);
      };
      const image = el("img", {
        src: source,
        alt: context.say("banner"),
        decoding: "async",
        referrerpolicy: "no-referrer-when-downgrade",
        on: { error: () => frame.classList.add("fw-broken") },
      });
      const frame = el(href ? "a" : "div", { class: "fw-banner", href }, image);
      if (href) for (const kind of ["click", "auxclick"] as const) frame.addEventListener(kind, opened);
      return [frame];
    });
}
