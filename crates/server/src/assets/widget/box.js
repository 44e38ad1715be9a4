// Placeholder of the search box: suggests names of products below the input.
export async function start({ base, key, lang, assets }) {
  const call = async (path, body) => {
    const options = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const headers = { "X-API-Key": key, ...(body && { "Content-Type": "application/json" }) };
    const response = await fetch(base + path, { ...options, headers, credentials: "omit" });
    if (!response.ok) throw new Error(String(response.status));
    return (await response.json()).data;
  };
  const query = lang ? `?lang=${encodeURIComponent(lang.slice(0, 5))}` : "";
  const config = await call(`/widget/config${query}`);
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = `${base}/widget/assets/${assets.boxStyle}`;
  document.head.append(style);
  return (input) => attach(input, config, (q) => call("/suggest", { q, lang: config.language }));
}

const attached = new WeakSet();

function attach(input, config, suggest) {
  if (attached.has(input)) return;
  attached.add(input);
  const list = document.createElement("ul");
  list.className = "findwell-box";
  list.hidden = true;
  list.setAttribute("aria-label", config.labels["group.products"]);
  input.after(list);
  let latest = 0;
  input.addEventListener("input", async () => {
    const own = ++latest;
    const q = input.value.trim();
    const hits = [...q].length < config.features.minChars ? [] : (await suggest(q)).products.hits;
    if (own !== latest) return;
    list.replaceChildren(...hits.map(option));
    list.hidden = hits.length === 0;
  });
}

function option(hit) {
  const link = document.createElement("a");
  link.textContent = hit.name;
  const address = new URL(hit.url || "", location.href);
  if (/^https?:$/.test(address.protocol)) link.href = address.href;
  const item = document.createElement("li");
  item.append(link);
  return item;
}
