//! Help when nothing is found: which words no product has, what each offer would bring.

import type { SearchState, SearchResponse } from "../contract";
import { card } from "./cards";
import { without, type Chosen } from "./chips";
import type { Shared } from "./shared";

const OFFERS = 6;
const ROW = 4;

/** What an offer leads to. */
export type Go = (next: Partial<SearchState>) => void;

/** Fills the help in as its counts arrive; `current` is false once another response is shown. */
export async function help(
  shared: Shared,
  place: HTMLElement,
  state: SearchState,
  response: SearchResponse,
  chosen: Chosen[],
  go: Go,
  current: () => boolean,
): Promise<void> {
  const { el, context } = shared;
  const { say } = context;
  const lost = response.words.filter((word) => word.found === false && !word.stop).map((word) => word.text);
  place.replaceChildren();
  if (lost.length) place.append(el("p", {}, say("none.words", { words: lost.map((word) => `“${word}”`).join(", ") })));
  const rest = response.words
    .filter((word) => !lost.includes(word.text))
    .map((word) => word.text)
    .join(" ");
  const parts = await Promise.all([
    cleared(shared, state, chosen, go),
    lifted(shared, state, chosen, go),
    lost.length && rest && rest !== state.q ? shortened(shared, state, rest, go) : null,
    popular(shared, go),
    browse(shared),
  ]);
  if (current()) place.append(...shared.present(parts));
}

async function count({ context }: Shared, state: SearchState): Promise<number> {
  try {
    const { q, filters } = state;
    const body = await context.body({ q, filters, types: ["products" as const], limit: 1, facets: false }, false);
    return (await context.api.search(body)).products.total;
  } catch {
    return 0;
  }
}

/** All filters at once, with the count that this brings; of one filter its own chip says that. */
async function cleared(shared: Shared, state: SearchState, chosen: Chosen[], go: Go): Promise<HTMLElement | null> {
  const n = chosen.length && (await count(shared, { ...state, filters: {} }));
  const { el, context, number } = shared;
  return n
    ? el(
        "p",
        {},
        button(shared, `${context.say("none.clear")} (${number(n, context.language)})`, () => go({ filters: {} })),
      )
    : null;
}

/** Chips that lift one filter each, with the count that this brings. */
async function lifted(shared: Shared, state: SearchState, chosen: Chosen[], go: Go): Promise<HTMLElement | null> {
  const offers = await Promise.all(
    chosen
      .slice(0, OFFERS)
      .map(async (one) => ({ one, n: await count(shared, { ...state, filters: without(state.filters, one) }) })),
  );
  const found = offers.filter(({ n }) => n > 0);
  return section(
    shared,
    "none.filters",
    found.map(({ one, n }) =>
      button(shared, `${one.label} (${shared.number(n, shared.context.language)})`, () =>
        go({ filters: without(state.filters, one) }),
      ),
    ),
  );
}

/** The query without the words that no product has. */
async function shortened(shared: Shared, state: SearchState, q: string, go: Go): Promise<HTMLElement | null> {
  const n = await count(shared, { ...state, q });
  const { say } = shared.context;
  return n
    ? shared.el(
        "p",
        {},
        button(shared, `${say("none.instead", { q })} (${shared.number(n, shared.context.language)})`, () => go({ q })),
      )
    : null;
}

async function popular(shared: Shared, go: Go): Promise<HTMLElement | null> {
  if (!shared.context.config.features.popularQueries) return null;
  try {
    const { queries } = await shared.context.api.suggest(await shared.context.body({ q: "", limit: 6 }));
    return section(
      shared,
      "none.popular",
      queries.map((q) => button(shared, q, () => go({ q, filters: {} }))),
    );
  } catch {
    return null;
  }
}

async function browse(shared: Shared): Promise<HTMLElement | null> {
  const { defaultSearch } = shared.context.config;
  if (!defaultSearch) return null;
  try {
    const { q = "", sort, filters = {} } = defaultSearch;
    const body = await shared.context.body(
      { q, filters, sort: sort as "relevance", types: ["products" as const], limit: ROW, facets: false },
      false,
    );
    const { hits } = (await shared.context.api.search(body)).products;
    const { context, live, fillLive, el } = shared;
    const cards = hits.map((hit, at) => card(shared, hit, at, live(context)));
    if (live(context))
      void fillLive(
        context,
        hits.map(({ id }) => id),
        Promise.resolve(cards),
      );
    return section(
      shared,
      "none.browse",
      cards.length
        ? [
            el(
              "ol",
              { class: "fw-cards" },
              cards.map(({ node }) => el("li", { class: "fw-card" }, node)),
            ),
          ]
        : [],
    );
  } catch {
    return null;
  }
}

function section({ el, context }: Shared, title: string, children: Node[]): HTMLElement | null {
  return children.length ? el("div", { class: "fw-offer" }, el("h3", {}, context.say(title)), children) : null;
}

const button = ({ el }: Shared, text: string, click: () => void) =>
  el("button", { type: "button", class: "fw-chip", on: { click } }, text);
