// The controls of the widget's designer, and the changes that they make: as the service takes them, and as the widget
// shows them.

import { el, fill } from "./element.js";
import { field, input, select } from "./form.js";
import { say } from "./words.js";

const THEMES = ["light", "dark", "auto", "plain"];
const POSITIONS = ["top", "center", "left", "right", "bottom"];
const MODES = ["overlay", "dropdown", "page"];
const SWITCHES = ["filters", "showBrand", "livePricing", "themeCards", "recentSearches", "popularQueries", "analytics", "layoutSwitch"];
const COLOURS = ["primary", "onPrimary", "accent", "background", "surface", "text", "muted", "border", "highlight", "price", "sale", "star", "focus", "backdrop"];
const TYPES = ["font", "headingFont", "size", "weight", "lineHeight", "letterSpacing"];

// Names that the widget knows, and the one that is saved if it is another.
const names = (known, saved) => [...new Set([...known, saved])].map((name) => [name, name]);

function group(title, open, ...content) {
  return el("details", { className: "card", open }, el("summary", {}, title), content);
}

function values(prefix, known, saved) {
  const all = [...new Set([...known, ...Object.keys(saved ?? {})])];
  return el("div", { className: "columns" }, all.map((name) => field(`${prefix}.${name}`, name, input({ value: saved?.[name] ?? "", maxLength: 200, spellcheck: "false" }))));
}

function switches(features) {
  return SWITCHES.map((name) => el("label", { className: "check" }, el("input", { type: "checkbox", name: `features.${name}`, value: "on", checked: features[name] }), say(`feature.${name}`)));
}

// The texts of one language: a key, the text in use, and the list of own ones.
function texts(state, changed) {
  const language = select(state.languages.map((code) => [code, code]), state.language);
  const keys = el("datalist", { id: "label-keys" }, Object.keys(state.labels).map((value) => el("option", { value })));
  const key = input({ list: "label-keys", spellcheck: "false" });
  const text = input({ maxLength: 500 });
  const list = el("ul", { className: "stack plain" });
  const own = () => (state.translations[language.value] ??= {});
  const show = () => fill(list, Object.entries(own()).map(([name, value]) => el("li", { className: "row between" }, el("span", {}, `${name}: ${value}`), drop(name))));
  const drop = (name) => el("button", { className: "button slim", type: "button", "aria-label": `${say("removeText")}: ${name}`, onclick: () => { delete own()[name]; show(); changed(); } }, say("removeText"));
  const set = el("button", { className: "button", type: "button", onclick: () => {
    if (key.value === "" || text.value === "") return;
    own()[key.value] = text.value;
    show();
    changed();
  } }, say("setText"));
  key.addEventListener("input", () => { text.value = own()[key.value] ?? state.labels[key.value] ?? text.value; });
  language.addEventListener("change", show);
  show();
  return [field("translationLanguage", say("language"), language), field("translationKey", say("textKey"), key, say("textKeyHint")), keys, field("translations", say("textOwn"), text), set, list];
}

// The controls for what is saved; `changed` runs whenever one of them changes.
export function controls(widget, state, changed) {
  const { features } = widget;
  return [
    group(say("widgetLooks"), true, el("div", { className: "columns" },
      field("theme", say("widgetTheme"), select(names(THEMES, widget.theme), widget.theme)),
      field("layout", say("widgetLayout"), select(["grid", "list"].map((layout) => [layout, say(`layout.${layout}`)]), widget.layout)),
      field("position", say("widgetPosition"), select(names(POSITIONS, widget.position), widget.position)),
      field("features.displayMode", say("widgetMode"), select(names(MODES, features.displayMode), features.displayMode)))),
    group(say("widgetColours"), false, el("p", { className: "quiet" }, say("widgetColoursHint")), values("colors", COLOURS, widget.colors)),
    group(say("widgetType"), false, values("typography", TYPES, widget.typography)),
    group(say("widgetFeatures"), false, field("features.minChars", say("minChars"), input({ type: "number", min: 1, max: 10, value: features.minChars })), field("features.sorts", say("widgetSorts"), input({ value: features.sorts }), say("widgetSortsHint")), switches(features)),
    group(say("widgetTexts"), false, texts(state, changed)),
  ];
}

// Returns the filled values of a group of controls; null if there are none.
function filled(form, prefix) {
  const own = [...form.entries()].filter(([name, value]) => name.startsWith(`${prefix}.`) && value !== "");
  return own.length > 0 ? Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length + 1), value])) : null;
}

// Returns what the controls of `whole` say, as the service takes it.
export function patchOf(whole, state) {
  const form = new FormData(whole);
  const translations = Object.fromEntries(Object.entries(state.translations).filter(([, own]) => Object.keys(own).length > 0));
  return {
    theme: form.get("theme"),
    layout: form.get("layout"),
    position: form.get("position"),
    colors: filled(form, "colors"),
    typography: filled(form, "typography"),
    features: {
      displayMode: form.get("features.displayMode"),
      minChars: Number(form.get("features.minChars")),
      sorts: form.get("features.sorts"),
      ...Object.fromEntries(SWITCHES.map((name) => [name, form.get(`features.${name}`) === "on"])),
    },
    translations: Object.keys(translations).length > 0 ? translations : null,
  };
}

// Returns the configuration of the widget on a page with these changes.
export function shownWith(config, patch) {
  const sorts = patch.features.sorts.split(",").map((sort) => sort.trim()).filter(Boolean);
  return {
    ...config,
    theme: patch.theme,
    layout: patch.layout,
    position: patch.position,
    colors: patch.colors ?? {},
    typography: patch.typography ?? {},
    features: { ...config.features, ...patch.features },
    sorts,
    filters: patch.features.filters ? config.filters ?? "automatic" : undefined,
    labels: { ...config.labels, ...patch.translations?.[config.labelsLanguage] },
  };
}
