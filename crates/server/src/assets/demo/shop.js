// The requests of the page to its server.

async function call(method, path, body, signal) {
  const response = await fetch(path, {
    method,
    signal,
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  const json = await response.json();
  if (!json.success) throw new Error(json.message ?? response.statusText);
  return json;
}

export const PAGE = 24;
// Identifies this visit, so that further pages neither repeat nor skip a product.
const SESSION = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");

export async function search(state, page, signal) {
  const { q, lang, sort, filters } = state;
  const types = page === 1 ? ["products", "categories", "brands"] : ["products"];
  const body = { q, lang, sort, filters, page, limit: PAGE, types, facets: page === 1, sessionId: SESSION };
  return (await call("POST", "/demo/search", body, signal)).data;
}

// Returns the ranking of query and language with a breakdown of every score.
export async function ranking({ q, lang }) {
  // A ranking needs a query; a blank one matches everything.
  return (await call("POST", "/demo/ranking", { q: q || " ", lang })).data;
}
