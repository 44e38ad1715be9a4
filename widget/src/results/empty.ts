//! Help when nothing is found: which words no product has, what each offer would bring; and what is offered before
//! anything is typed.

import type { ProductHit, SearchResponse, SearchState, Suggestions } from "../contract";
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
    suggested(shared, go),
  ]);
  if (current()) place.append(...shared.present(parts.flat()));
}

/** Popular queries, categories and products for a shopper whose query has found nothing. */
async function suggested(shared: Shared, go: Go): Promise<(HTMLElement | null)[]> {
  const { api, body, config } = shared.context;
  try {
    const found = await api.suggest(await body({ q: "", limit: OFFERS }));
    const others = await offered(shared, found, "none.browse");
    return [config.features.popularQueries ? popular(shared, found, go) : null, ...others];
  } catch {
    return [];
  }
}

/**
 * What is offered without a query: categories, and the first search of the configuration, else the store's best, as
 * products below `title`.
 */
export const offered = async (
  shared: Shared,
  found: Suggestions,
  title = "group.products",
): Promise<(HTMLElement | null)[]> => [
  section(shared, "group.categories", categories(shared, found)),
  await browse(shared, found.products.hits, title).catch(() => null),
];

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
  const { el, context } = shared;
  return n
    ? el(
        "p",
        {},
        offer(shared, context.say("none.clear"), n, () => go({ filters: {} })),
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
      offer(shared, shared.context.say("none.without", { label: one.label }), n, () =>
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
        offer(shared, say("none.instead", { q }), n, () => go({ q })),
      )
    : null;
}

function popular(shared: Shared, { queries }: Suggestions, go: Go): HTMLElement | null {
  return section(
    shared,
    "none.popular",
    queries.map((q) => button(shared, q, () => go({ q, filters: {} }))),
  );
}

function categories({ context, el, safeAddress }: Shared, { categories, queryId }: Suggestions): HTMLElement[] {
  return categories.hits.flatMap(({ id, name, url }, at) => {
    const href = safeAddress(url);
    const click = () => context.events.click(queryId, id, at + 1, "categories");
    return href ? [el("a", { class: "fw-chip", href, on: { click } }, el("bdi", {}, name))] : [];
  });
}

async function browse(shared: Shared, best: ProductHit[], title: string): Promise<HTMLElement | null> {
  const { context, live, fillLive, el } = shared;
  const { defaultSearch } = context.config;
  let hits = best;
  if (defaultSearch) {
    const { q = "", sort, filters = {} } = defaultSearch;
    const request = { q, filters, sort: sort as "relevance", types: ["products" as const], limit: ROW, facets: false };
    hits = (await context.api.search(await context.body(request, false))).products.hits;
  }
  const cards = hits.slice(0, ROW).map((hit, at) => card(shared, hit, at, live(context)));
  if (live(context))
    void fillLive(
      context,
      cards.map(({ hit }) => hit.id),
      Promise.resolve(cards),
    );
  const list = cards.map(({ node }) => el("li", { class: "fw-card" }, node));
  return section(shared, title, list.length ? [el("ol", { class: "fw-cards" }, list)] : []);
}

function section({ el, context }: Shared, title: string, children: Node[]): HTMLElement | null {
  return children.length ? el("div", { class: "fw-offer" }, el("h3", {}, context.say(title)), children) : null;
}

/** A button with the number of products that it brings. */
const offer = (shared: Shared, text: string, n: number, click: () => void) =>
  button(shared, `${text}: ${shared.context.say("results.count", { n })}`, click);

const button = ({ el }: Shared, text: string, click: () => void) =>
  el("button", { type: "button", class: "fw-chip", on: { click } }, text);
