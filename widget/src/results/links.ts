//! Brands, categories and pages that a query has found, as links above the products.

import type { SearchResponse } from "../contract";
import type { Shared } from "./shared";

/** Links of each kind that are shown. */
const MOST = 3;

/** The links of a response. */
export function links({ el, context, safeAddress, marks }: Shared, response: SearchResponse): Node[] {
  const kinds = ["brands", "categories", "pages"] as const;
  return kinds.flatMap((kind) =>
    response[kind].hits.slice(0, MOST).flatMap((hit, at) => {
      const href = safeAddress(hit.url);
      const click = ({ button }: MouseEvent) => {
        if (button < 2) context.events.click(response.queryId, hit.id, at + 1, kind);
      };
      return href
        ? [
            el(
              "li",
              {},
              el(
                "a",
                { class: "fw-chip", href, on: { click, auxclick: click } },
                el("bdi", {}, ...marks(hit.name, hit.highlight.name)),
              ),
            ),
          ]
        : [];
    }),
  );
}
