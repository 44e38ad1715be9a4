//! The script that pages load: waits for intent, then asks for the configuration and imports the box.

import type { Box, Config, Line, Settings, Start } from "./contract";

const PATIENCE = 3000;
const REST = 60;

/** The script of the line; one that imports the loader names its address. */
const script = (document.currentScript ?? document.querySelector("script[data-loader]")) as Line | null;
// The server replaces the texts in capitals; the base stays empty where it does not know its own address.
const filled = {
  base: "__FINDWELL_BASE__",
  boxJs: "__FINDWELL_BOX_JS__",
  boxCss: "__FINDWELL_BOX_CSS__",
  resultsJs: "__FINDWELL_RESULTS_JS__",
  resultsCss: "__FINDWELL_RESULTS_CSS__",
};
let { base } = filled;
const nonce = script?.nonce ?? "";
const settings = {} as Settings;
const given = [settings.consent];

let dead = false;
let restingUntil = 0;
let box: Promise<Box | undefined> | undefined;
let tries = 0;
/** Resolves once the settings of the page are read. */
let begin = () => {};
const begun = new Promise<void>((done) => {
  begin = done;
});

/** A text of the settings; one that is missing, blank or no text is the empty one, which stands for no setting. */
const textOf = (value: unknown) => (typeof value === "string" ? value.trim() : "");

/**
 * The address in a setting; empty if there is none, or if it is of another origin, which would get the shopper's token
 * or say what the cards of products are.
 */
function sameOriginAddress(value: unknown): string {
  const text = textOf(value);
  try {
    const address = text && new URL(text, document.baseURI);
    return address && address.origin === location.origin ? address.href : "";
  } catch {
    return "";
  }
}

function readSettings(): void {
  Object.assign(settings, script?.dataset);
  try {
    Object.assign(settings, JSON.parse(document.getElementById("findwell")?.textContent ?? "{}"));
  } catch {
    console.info("findwell: the settings of this page are no JSON");
  }
  for (const name of ["key", "lang", "input", "results", "consent", "loader"] as const)
    settings[name] = textOf(settings[name]);
  for (const name of ["visitor", "prices", "cards"] as const) settings[name] = sameOriginAddress(settings[name]);
  if (given[0]) settings.consent = given[0];
  base ||= (settings.loader || script?.src || "").replace(/\/widget\/loader\.js.*$/, "");
}

function selector(): string {
  const marked = "[data-findwell-input]";
  const text = "input:is([type=search],[type=text],:not([type]))";
  return settings.input || (document.querySelector(marked) ? marked : `:is([role=search],search) ${text}`);
}

/** The input that an event happened on, if the widget serves it. */
function served(event: Event): HTMLInputElement | undefined {
  const node = event.composedPath()[0] as HTMLInputElement;
  // The widget has inputs of its own.
  return node.localName === "input" && node.matches(selector()) && !node.closest(".fw-root") ? node : undefined;
}

/** Keeps no place for results any longer. */
const release = () => script?.place?.replaceSync("");

/** Serves no inputs for some seconds, or never again with 0. */
function off(reason: string, seconds: number): void {
  dead ||= !seconds;
  release();
  restingUntil = Date.now() + seconds * 1000;
  console.info(`findwell: off (${reason})`);
  document.dispatchEvent(new CustomEvent("findwell:off", { detail: { reason } }));
}

async function configuration(lang = settings.lang || document.documentElement.lang): Promise<Config | undefined> {
  const response = await fetch(`${base}/widget/config${lang && `?lang=${encodeURIComponent(lang)}`}`, {
    headers: { "X-API-Key": settings.key },
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (response.ok) return (await response.json()).data;
  const { status } = response;
  // A malformed language is the page's mistake, not the key's: the store's default serves it.
  if (status === 400 && lang) return configuration("");
  off(`${status}`, [400, 401, 403, 404].includes(status) ? 0 : Number(response.headers.get("Retry-After")) || REST);
  return undefined;
}

/**
 * Resolves once a file is in the browser's cache. Until the `load` event of the page, an import, a script or a style
 * sheet that does not come would hold that event up; a fetch does not.
 */
async function cached(address: string): Promise<void> {
  if (document.readyState === "complete") return;
  const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok) throw response;
  await response.blob();
}

// A module that failed to load would fail at once for ever: another attempt needs another address.
const asset = (name: string) => `${base}/widget/assets/${name}${tries > 1 ? `?${tries}` : ""}`;

async function load(): Promise<Box | undefined> {
  tries += 1;
  try {
    const address = asset(filled.boxJs);
    const code = cached(address).then(() => import(address)) as Promise<{ start(given: Start): Box }>;
    const late = new Promise<never>((_, fail) => setTimeout(fail, PATIENCE));
    const [config, module] = await Promise.all([configuration(), Promise.race([code, late])]);
    if (config?.features.displayMode === "overlay") release();
    if (config)
      return module.start({
        base,
        nonce,
        settings,
        config,
        cached,
        assets: {
          boxCss: asset(filled.boxCss),
          resultsJs: asset(filled.resultsJs),
          resultsCss: asset(filled.resultsCss),
        },
        selector,
        off,
        place: document.querySelector("[data-findwell-results]"),
      });
  } catch {
    off("unreachable", REST);
  }
  box = undefined;
  return undefined;
}

async function wake(): Promise<Box | undefined> {
  await begun;
  if (!dead && settings.key && Date.now() >= restingUntil) return (box ??= load());
  return undefined;
}

const calls =
  <K extends keyof Box>(name: K, wakes: boolean) =>
  async (...values: unknown[]) => {
    const ready = await (wakes ? wake() : box);
    if (ready) (ready[name] as (...all: unknown[]) => void)(...values);
  };

function start(): void {
  readSettings();
  begin();
  if (!settings.key || !base) return;
  const intent = async (event: Event) => {
    const input = served(event);
    if (input) (await wake())?.attach(input);
  };
  for (const kind of ["focusin", "pointerover", "touchstart", "input"]) {
    document.addEventListener(kind, intent, { capture: true, passive: true });
  }
  const focused = document.activeElement;
  if (focused) intent({ composedPath: () => [focused] } as unknown as Event);
  if (new URLSearchParams(location.search).has("fw_q") || document.querySelector("[data-findwell-results]")) wake();
}

Object.assign(window, {
  findwell: {
    open: calls("open", true),
    close: calls("close", false),
    attach: calls("attach", true),
    refresh: calls("refresh", false),
    consent: (yes: boolean) => {
      given[0] = settings.consent = yes ? "yes" : "no";
      calls("consent", false)(yes);
    },
    event: calls("event", true),
  },
});
// An async script can run before the settings or the place of the results are parsed.
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
