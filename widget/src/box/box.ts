//! The box of a page: what the loader starts; owns the parts that all inputs share.

import type { Box, Config, Start } from "../contract";
import type { Context } from "../context";
import type { Results, Shared } from "../results/shared";
import { Api } from "../service/api";
import { Events } from "../service/events";
import { Session } from "../service/session";
import { Visitor } from "../service/visitor";
import { el, icon, ICONS, newId, present, safeAddress } from "../show/element";
import { marks } from "../show/mark";
import { money, number, percent } from "../show/money";
import { direction, dress } from "../show/theme";
import { fill } from "../show/words";
import { choosable, Combobox } from "./combobox";
import { Inputs } from "./inputs";
import { List, optionsOf, recentOptions } from "./list";
import { weight } from "./panel";
import { script, style } from "./styles";

const MINUTE = 60_000;
const CUSTOM_PATIENCE = 3000;

/** Starts the widget of a page. */
export function start(given: Start): Box {
  const { settings, config } = given;
  // The attribute stands without a value.
  settings.preview = settings.preview !== undefined;
  const context = contextOf(given);
  let loading: Promise<Results | undefined> | undefined;
  let loaded: Results | undefined;
  const results = () => (loading ??= import(given.assets.resultsJs).then(
    (module: { results(shared: Shared): Results }) => (loaded = module.results(shared(context, inputs))),
    () => (loading = undefined),
  ));
  const inputs: Inputs = new Inputs(context, results, () => loaded);
  keepCurrent(context);
  context.api.onRest = () => inputs.close();
  context.api.onDead = (reason) => {
    inputs.destroy();
    loaded?.destroy();
    given.dead(reason);
  };
  addEventListener("popstate", () => {
    if (loaded) loaded.restore();
    else if (hasQuery()) void results().then((ready) => ready?.restore());
  });
  if (given.place && config.features.displayMode !== "overlay") void results().then((ready) => ready?.drawPage(given.place!));
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
    event: (type, id) => context.events.own(type, String(id)),
  } satisfies Box & { settings?: typeof settings };
}

const hasQuery = () => new URLSearchParams(location.search).has("fw_q");

function contextOf(given: Start): Context {
  const { settings, config } = given;
  const language = settings.lang || document.documentElement.lang || config.language;
  const session = new Session(config, settings);
  const visitor = new Visitor(settings.visitor);
  const format = (value: number) => number(value, language);
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
    say: (key, values = {}) => fill(config.labels, config.labelsLanguage, format, key, values),
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

/** The address that shows the results of `q`. */
function resultsAddress({ settings, config, selector }: Start, q: string): string {
  const own = settings.results && safeAddress(settings.results.replaceAll("{q}", encodeURIComponent(q)));
  if (own) return own;
  const input = document.querySelector<HTMLInputElement>(selector());
  const form = input?.form;
  const url = new URL(location.href);
  if (config.features.displayMode === "page" && form && form.method === "get" && input.name) {
    const target = new URL(form.action);
    target.searchParams.set(input.name, q);
    return target.href;
  }
  for (const name of [...url.searchParams.keys()]) if (name.startsWith("fw_")) url.searchParams.delete(name);
  url.searchParams.set("fw_q", q);
  return url.href;
}

/** The shop's own script; one that hangs does not hold up the widget. */
function custom({ config, nonce }: Start): Promise<void> {
  const address = config.customJs?.url;
  if (!address) return Promise.resolve();
  return Promise.race([script(address, nonce), new Promise<void>((done) => setTimeout(done, CUSTOM_PATIENCE))]);
}

/** Keeps the configuration of a page that stays open current, and takes that of a preview. */
function keepCurrent(context: Context): void {
  const { api, config, settings } = context;
  let next = 0;
  let waiting = false;
  const take = (fresh: Partial<Config>) => Object.assign(config, fresh);
  const load = () => {
    waiting = false;
    next = Date.now() + MINUTE;
    api.config(settings.lang || document.documentElement.lang || config.language).then(take, () => {});
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
    context, el, icon, ICONS, newId, present, safeAddress, marks, number, percent, direction, dress, choosable, Combobox, List, optionsOf, recentOptions, weight, style,
    hostInput: () => inputs.last,
    leave: (q) => inputs.leave(q),
    closed: (q) => inputs.layerClosed(q),
  };
}
export { number, money } from "../show/money";
export { pieces } from "../show/mark";
export { fill } from "../show/words";
export { weight } from "./panel";
