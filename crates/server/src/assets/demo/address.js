// The state of the search and its form in the URL: q, lang, sort and the chosen filters.

export const SORTS = ["relevance", "price_asc", "price_desc", "name", "newest", "sales", "rating"];
const LISTS = ["categories", "manufacturer", "inStock", "discount"];
const isList = (name) => LISTS.includes(name) || /^(attributes|features)\../.test(name);
// The languages of the products, and whether these are those of a file instead of the invented ones.
export const SHOP_LANGUAGES = (document.body.dataset.languages ?? "en").split(" ");
export const ofFile = "ofFile" in document.body.dataset;
// The bounds of a price have the shorter parameter names.
const endName = (field, end) => (field === "price" ? end : `${field}.${end}`);

export function read() {
  const given = new URLSearchParams(location.search);
  const base = navigator.language?.toLowerCase().split("-")[0];
  const preferred = SHOP_LANGUAGES.includes(base) ? base : SHOP_LANGUAGES[0];
  const state = {
    q: given.get("q") ?? "",
    lang: given.get("lang") ?? preferred,
    sort: given.get("sort") ?? "relevance",
    filters: {},
  };
  if (!SHOP_LANGUAGES.includes(state.lang)) state.lang = preferred;
  if (!SORTS.includes(state.sort)) state.sort = "relevance";
  state.q = [...state.q].slice(0, 500).join("");
  for (const field of [...given.keys()].filter(isList)) {
    const values = (given.get(field) ?? "").split(",").filter(Boolean).slice(0, 200);
    if (values.length) state.filters[field] = values;
  }
  for (const field of ["price", "rating"]) {
    const range = {};
    for (const end of ["min", "max"]) {
      const text = given.get(endName(field, end));
      if (text && Number.isFinite(Number(text))) range[end] = Number(text);
    }
    if (Object.keys(range).length && !(range.min > range.max)) state.filters[field] = range;
  }
  return state;
}

export function write(state) {
  const parts = new URLSearchParams();
  if (state.q.trim()) parts.set("q", state.q);
  parts.set("lang", state.lang);
  if (state.sort !== "relevance") parts.set("sort", state.sort);
  for (const [field, value] of Object.entries(state.filters)) {
    if (Array.isArray(value)) parts.set(field, value.join(","));
    else for (const [end, bound] of Object.entries(value)) parts.set(endName(field, end), bound);
  }
  return `/?${parts.toString().replaceAll("%2C", ",")}`;
}

// Converts a URL of the invented shop to a path of this server, whatever its host; products of a file keep theirs.
export function local(address) {
  try {
    const url = new URL(address, location.href);
    if (ofFile && /^https?:$/.test(url.protocol)) return url.href;
    return url.pathname + url.search;
  } catch {
    return "/";
  }
}
