// The requests of the page to its server.

async function call(method, path, body, signal) {
  const response = await fetch(path, {
    method,
    signal,
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  const answer = await response.json();
  if (!answer.success) throw new Error(answer.message ?? response.statusText);
  return answer;
}

export const PAGE = 24;
// Identifies this visit, so that further pages neither repeat nor skip a product.
const SESSION = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
// More than the products of the demo, so that a simulation contains all of them.
const REACH = 300;

export async function search(asked, page, signal, limit = PAGE) {
  const { q, lang, sort, filters } = asked;
  const types = page === 1 && limit === PAGE ? ["products", "categories", "brands"] : ["products"];
  const body = { q, lang, sort, filters, page, limit, types, facets: page === 1, sessionId: SESSION };
  return (await call("POST", "/demo/search", body, signal)).data;
}

// Returns all matching products, so that a new order of them can be shown completely.
export async function searchAll(asked, signal) {
  const hits = [];
  for (let page = 1, total = 1; hits.length < total; page += 1) {
    const { products } = await search(asked, page, signal, 100);
    if (!products.hits.length) break;
    hits.push(...products.hits);
    total = products.total;
  }
  return hits;
}

// Returns the ranking of `asked` with the relevance in `draft`, or the saved relevance without a draft.
export async function simulate(asked, draft, signal) {
  // A simulation needs a query; a blank one matches everything.
  const body = { q: asked.q || " ", lang: asked.lang, limit: REACH, ...draft };
  return (await call("POST", "/demo/test", body, signal)).data;
}

export const relevance = async () => (await call("GET", "/demo/relevance")).data;
export const saveRelevance = (change) => call("PUT", "/demo/relevance", change);
