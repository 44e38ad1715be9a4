//! The box of a page: what the loader starts; owns the parts that all inputs share.

import type { Box, Config, Start } from "../contract";
import type { Context } from "../context";
import type { Results, Shared } from "../results/shared";
import { Api } from "../service/api";
import { Events } from "../service/events";
import { fillLive, live } from "../service/live_prices";
import { Session } from "../service/session";
import { Visitor } from "../service/visitor";
import { el, icon, ICONS, newId, present, safeAddress } from "../show/element";
import { marks } from "../show/mark";
import { money, number, percent } from "../show/money";
import { fillPrice, reduction } from "../show/price";
import { direction, dress } from "../show/theme";
import { fill } from "../show/words";
import { resultsAddress } from "./addresses";
import { choosable, Combobox } from "./combobox";
import { Inputs } from "./inputs";
import { List, optionsOf, recentOptions } from "./list";
import { weight } from "./panel";
import { script, style, styled } from "./styles";

const MINUTE = 60_000;
const PATIENCE = 3000;

/** Starts the widget of a page. */
export function start(given: Start): Box {
  const { settings, config } = given;
  settings.preview = flag(settings.preview);
  settings.takeover = flag(settings.takeover);
  addressed(config, given.base);
  const context = contextOf(given);
  const alive = new AbortController();
  let loading: Promise<Results | undefined> | undefined;
  let loaded: Results | undefined;
  let tries = 0;
  const place = config.features.displayMode === "overlay" ? null : given.place;
  const load = async (): Promise<Results | undefined> => {
    tries += 1;
    const address = given.assets.resultsJs + (tries > 1 ? `?${tries}` : "");
    const code = given.cached(address).then(() => import(address)) as Promise<{
      results(shared: Shared, place: HTMLElement | null): Results;
    }>;
    const module = await Promise.race([code, after(PATIENCE)]);
    if (!module || alive.signal.aborted) return undefined;
    const built = module.results(shared(context, inputs), place);
    if ((await built.ready()) && !alive.signal.aborted) return built;
    built.destroy();
    return undefined;
  };
  /** The results; what did not come is asked for again a minute later. */
  const results = () =>
    (loading ??= load()
      .catch(() => undefined)
      .then((built) => {
        if (!built) {
          loading = undefined;
          context.api.rest();
        }
        return (loaded = built);
      }));
  const inputs: Inputs = new Inputs(context, results, () => loaded);
  keepCurrent(context);
  context.api.onRest = (reason, time) => {
    inputs.destroy();
    given.off(reason, time / 1000);
  };
  context.api.onDead = (reason) => {
    alive.abort();
    // The layer gives its text and the focus back to the shop's input first.
    const submitted = loaded?.destroy();
    inputs.destroy();
    if (submitted) inputs.leave(submitted);
    given.off(reason, 0);
  };
  addEventListener(
    "popstate",
    () => {
      if (loaded) loaded.restore();
      else if (hasQuery()) void results().then((ready) => ready?.restore());
    },
    { signal: alive.signal },
  );
  if (place) void results();
  else if (hasQuery()) void results().then((ready) => ready?.restore());
  void context.custom.then(() => context.emit("ready"));
  return {
    open: (q = "") => void results().then((ready) => ready?.open(q, true)),
    close: () => {
      inputs.close();
      loaded?.close();
    },
    attach: (input) => inputs.attach(input),
    refresh: () => {
      context.visitor.forget();
      context.api.forget();
      context.onRepeat.forEach((repeat) => repeat());
    },
    consent: (yes) => context.session.consent(yes),
    event: (type, id) => context.events.attributed(type, String(id)),
  };
}

/** Whether a switch of the line is on; an attribute stands without a value. */
const flag = (value: unknown) => value !== undefined && value !== null && value !== false && value !== "false";

/**
 * Makes the addresses of the shop's own files absolute: a server that does not know its own address sends their paths.
 */
function addressed(config: Partial<Config>, base: string): void {
  for (const file of [config.customCss, config.customJs]) if (file) file.url = new URL(file.url, base).href;
}

const after = (time: number) => new Promise<undefined>((done) => setTimeout(done, time));

const hasQuery = () => new URLSearchParams(location.search).has("fw_q");

function contextOf(given: Start): Context {
  const { settings, config } = given;
  const language =
    [settings.lang, document.documentElement.lang].map((tag) => tag?.replaceAll("_", "-")).find(isLanguage) ??
    config.language;
  const session = new Session(config, settings);
  const visitor = new Visitor(settings.visitor);
  const format = (value: number) => number(value, language);
  // From right to left a label is isolated (FSI … PDI): it may be English, whose signs would stand at its other end.
  const isolates = direction(config, language, document.querySelector(given.selector())) === "rtl";
  const context: Context = {
    start: given,
    settings,
    config,
    language,
    session,
    visitor,
    api: new Api(given),
    events: new Events(given, session),
    custom: custom(given),
    onRepeat: new Set(),
    say(key, values = {}) {
      const text = fill(config.labels, config.labelsLanguage, format, key, values);
      return isolates && text ? `\u2068${text}\u2069` : text;
    },
    money: (value, code) => money(value, code, config.currency?.currencies ?? [], language),
    emit: (name, detail = {}) => document.dispatchEvent(new CustomEvent(`findwell:${name}`, { detail })),
    async body(request, counted = true) {
      const token = await visitor.get();
      const tracked = config.features.analytics && !settings.preview;
      return {
        ...request,
        lang: config.language,
        ...(token ? { visitor: token } : {}),
        ...(tracked ? { sessionId: session.id } : {}),
        ...(tracked && counted ? {} : { analytics: false }),
      };
    },
    resultsAddress: (q) => resultsAddress(given, q),
  };
  visitor.onLate = () => context.onRepeat.forEach((repeat) => repeat());
  return context;
}

/** Whether the browser writes numbers for a language. */
function isLanguage(tag: string | undefined): tag is string {
  try {
    return !!tag && !!new Intl.NumberFormat(tag);
  } catch {
    return false;
  }
}

/** The shop's own script; one that hangs does not hold up the widget. */
function custom(start: Start): Promise<void> {
  const address = start.config.customJs?.url;
  if (!address) return Promise.resolve();
  return Promise.race([script(address, start), after(PATIENCE)]);
}

/** Keeps the configuration of a page that stays open current, and takes that of a preview. */
function keepCurrent(context: Context): void {
  const { api, config, settings } = context;
  let next = 0;
  let waiting = false;
  const take = (fresh: Partial<Config>) => {
    addressed(fresh, context.start.base);
    Object.assign(config, fresh);
  };
  /** What the configuration no longer has is gone from the page too. */
  const replace = (fresh: Config) => {
    for (const name of Object.keys(config)) if (!(name in fresh)) delete config[name as keyof Config];
    take(fresh);
  };
  const load = () => {
    waiting = false;
    next = Date.now() + MINUTE;
    api.config(settings.lang || document.documentElement.lang || config.language).then(replace, () => {});
  };
  // At most once a minute; a change within that minute is not forgotten.
  api.onChange = () => {
    if (!waiting) setTimeout(load, Math.max(0, next - Date.now()));
    waiting = true;
  };
  if (!settings.preview) return;
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || typeof data?.findwell !== "object") return;
    take(data.findwell.config ?? {});
    context.onRepeat.forEach((repeat) => repeat());
  });
}

/** The functions that the results use too; one argument, so that no code is sent twice. */
function shared(context: Context, inputs: Inputs): Shared {
  return {
    context,
    el,
    icon,
    ICONS,
    newId,
    present,
    safeAddress,
    marks,
    number,
    percent,
    reduction,
    fillPrice,
    live,
    fillLive,
    direction,
    dress,
    choosable,
    Combobox,
    List,
    optionsOf,
    recentOptions,
    weight,
    style,
    styled,
    hostInput: () => inputs.last,
    canLeave: () => inputs.canLeave,
    leave: (q) => inputs.leave(q),
    closed: (q) => inputs.layerClosed(q),
  };
}

// The demo's storefront uses them too.
export { pieces } from "../show/mark";
export { money } from "../show/money";
