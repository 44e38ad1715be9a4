//! The theme's own cards, the only markup that the widget takes: from the shop's own origin, with scripts removed.

const IDS = 48;
const PATIENCE = 3000;
const REMOVED = "script,base,iframe,frame,object,embed,meta,link,template,animate,set,noscript";

interface Policy {
  createHTML(text: string): string;
}
interface Trusted {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
}

let policy: Policy | undefined;

/** Cards by product; products without one are left out. Undefined if the page's policy does not admit them. */
export async function themeCards(address: string, ids: string[]): Promise<Map<string, HTMLElement>> {
  const found = new Map<string, HTMLElement>();
  try {
    const same: Policy = { createHTML: (text) => text };
    policy ??= (window as Trusted).trustedTypes?.createPolicy("findwell-cards", same) ?? same;
  } catch {
    return found;
  }
  const blocks = [];
  for (let at = 0; at < ids.length; at += IDS) blocks.push(ids.slice(at, at + IDS));
  const parts = await Promise.all(blocks.map((block) => ask(address, block)));
  for (const { id, html } of parts.flat()) {
    const element = typeof html === "string" && inert(policy.createHTML(html));
    if (element) found.set(String(id), element);
  }
  return found;
}

async function ask(address: string, ids: string[]): Promise<{ id: unknown; html: unknown }[]> {
  try {
    const url = new URL(address);
    url.searchParams.set("ids", ids.join(","));
    const response = await fetch(url, {
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    });
    const sameOrigin = new URL(response.url).origin === location.origin;
    const json = /^application\/json\b/.test(response.headers.get("Content-Type") ?? "");
    const cards = response.ok && sameOrigin && json && (await response.json()).cards;
    return Array.isArray(cards) ? cards : [];
  } catch {
    return [];
  }
}

/** The first element of the markup, cleaned while it is in a template, where nothing runs and nothing loads. */
function inert(html: string): HTMLElement | undefined {
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const element of template.content.querySelectorAll(REMOVED)) element.remove();
  for (const element of template.content.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      const scheme = value.replace(/[\u0000-\u0020]/g, "").toLowerCase();
      if (/^(on|srcdoc$)/i.test(name) || /^(javascript|vbscript):/.test(scheme) || /^data:text\/html/.test(scheme))
        element.removeAttribute(name);
    }
  }
  return (template.content.firstElementChild as HTMLElement | null) ?? undefined;
}
