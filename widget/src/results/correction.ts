//! Which query has its results shown: the typed one, or another that the service proposes where that one finds nothing.

import type { SearchResponse } from "../contract";
import type { Values } from "../show/words";

/** The query that is shown in place of one that found nothing, with the id of the response that proposed it. */
export interface Correction {
  text: string;
  of: string;
}

/** What a response proposes; nothing to a shopper who wants the words as typed. */
export function proposal({ correctedQuery, queryId }: SearchResponse, asTyped: boolean): Correction | undefined {
  return correctedQuery && !asTyped ? { text: correctedQuery.text, of: queryId } : undefined;
}

/** The keys of a request for the results of a query or of its correction. */
export const requested = (q: string, correction: Correction | undefined) =>
  correction ? { q: correction.text, correctionOf: correction.of } : { q };

/** The heading of results: how many products there are for which query. */
export function heading(
  say: (key: string, values?: Values) => string,
  q: string,
  n: number,
  correction: Correction | undefined,
): string {
  if (correction) return say("none.corrected", { q, text: correction.text });
  if (!q) return say("results.count", { n });
  return say(n === 0 ? "none.title" : "results.countFor", { n, q });
}
