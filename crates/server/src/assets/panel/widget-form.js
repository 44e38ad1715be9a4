// The controls of the widget's designer, and the changes that they make: as the service takes them, and as the widget
// shows them.

import { choiceName, fieldName } from "./change-values.js";
import { DISPLAY_MODES, SORTS, SWITCHES } from "./choices.js";
import { el, fill } from "./element.js";
import { field, input, select, textarea } from "./form.js";
import { jsonValue } from "./json.js";
import { sortsField, sortsIn } from "./widget-sorts.js";
import "./widget-words.js";
import { say } from "./words.js";
import { languageOption } from "./language-names.js";

const THEMES = ["light", "dark", "auto", "plain"];
const POSITIONS = ["top", "center", "left", "right", "bottom"];
const COLOURS = [
  "primary",
  "onPrimary",
  "accent",
  "background",
  "surface",
  "text",
  "muted",
  "border",
  "highlight",
  "price",
  "sale",
  "star",
  "focus",
  "backdrop",
];
const TYPES = ["font", "headingFont", "size", "weight", "lineHeight", "letterSpacing"];

// Choices that the widget knows, and the one that is saved if it is another, with the texts of a family.
const choices = (family, offered, saved) =>
  [...new Set([...offered, saved])].map((name) => [name, choiceName([family], name)]);

function group(title, open, ...content) {
  return el("details", { className: "card", open }, el("summary", {}, title), content);
}

function values(prefix, offered, saved) {
  const all = [...new Set([...offered, ...Object.keys(saved ?? {})])];
  return el(
    "div",
    { className: "columns" },
    all.map((name) =>
      field(
        `${prefix}.${name}`,
        fieldName("widget", `${prefix}.${name}`),
        input({ value: saved?.[name] ?? "", maxLength: 200, spellcheck: "false" }),
      ),
    ),
  );
}

// A filter as it is compared: bounds in any order are the same.
/** @type {(filter: any) => string} */
const face = ([name, value]) =>
  JSON.stringify([name, Array.isArray(value) || Object(value) !== value ? value : Object.entries(value).sort()]);

// Returns a filter as a line such as manufacturer: Norte, Ostro or price: 10-50; as JSON where that would be read as
// something else.
function filterLine(filter) {
  const [name, value] = filter;
  const short = Array.isArray(value) ? value.join(", ") : `${value?.min ?? ""}-${value?.max ?? ""}`;
  const lines = [`${name}: ${short}`, `${name}: ${JSON.stringify(value)}`, JSON.stringify({ [name]: value })];
  const reads = (line) => {
    const [first, ...more] = filtersOf(line);
    return first && more.length === 0 && face(first) === face(filter);
  };
  return lines.find((line) => !/[\r\n]/.test(line) && reads(line)) ?? lines.at(-1);
}

// Returns the filters of a line, each with its name.
function filtersOf(line) {
  const whole = line.trim().startsWith("{") ? jsonValue(line) : null;
  if (Object(whole) === whole) return Object.entries(whole);
  const at = line.indexOf(":");
  const rest = line.slice(at + 1).trim();
  if (/^[{[]/.test(rest)) return [[line.slice(0, Math.max(at, 0)).trim(), jsonValue(rest)]];
  const range = /^(\d+(?:\.\d+)?)?\s*-\s*(\d+(?:\.\d+)?)?$/.exec(rest);
  const bounds =
    range && (range[1] || range[2])
      ? { ...(range[1] ? { min: Number(range[1]) } : {}), ...(range[2] ? { max: Number(range[2]) } : {}) }
      : null;
  return [
    [
      line.slice(0, Math.max(at, 0)).trim(),
      bounds ??
        rest
          .split(",")
          .map((value) => value.trim())
          .filter(Boolean),
    ],
  ];
}

// What the widget shows before anything is typed.
function firstSearch(saved) {
  const lines = Object.entries(saved.filters ?? {})
    .map(filterLine)
    .join("\n");
  return el(
    "div",
    { "data-field": "defaultSearch" },
    el("p", { className: "quiet" }, say("defaultSearchHint")),
    el("p", { className: "wrong", hidden: true }),
    el(
      "div",
      { className: "columns" },
      field("defaultSearch.q", say("defaultQuery"), input({ value: saved.q ?? "", maxLength: 500 })),
      field(
        "defaultSearch.sort",
        say("defaultSort"),
        select([["", say("automatic")], ...SORTS.map((name) => [name, say(`sort.${name}`)])], saved.sort ?? ""),
      ),
      field(
        "defaultSearch.limit",
        say("defaultLimit"),
        input({ type: "number", min: 1, max: 48, value: saved.limit ?? "" }),
      ),
    ),
    field(
      "defaultSearch.filters",
      say("defaultFilters"),
      textarea({ rows: 3, spellcheck: "false" }, lines),
      say("defaultFiltersHint"),
    ),
  );
}

// Returns the search that the controls say; its keys of the shop's own stay. Null if nothing is left.
function firstSearchOf(form, saved) {
  const search = { ...saved };
  const set = (key, text, value) => {
    if (text) search[key] = value;
    else delete search[key];
  };
  const text = (key) => form.get(`defaultSearch.${key}`).trim();
  set("q", text("q"), text("q"));
  set("sort", text("sort"), text("sort"));
  set("limit", text("limit"), Number(text("limit")));
  const lines = text("filters")
    .split("\n")
    .filter((line) => line.trim());
  set("filters", lines.length, Object.fromEntries(lines.flatMap(filtersOf)));
  return Object.keys(search).length > 0 ? search : null;
}

function switches(features) {
  return SWITCHES.map((name) =>
    el(
      "label",
      { className: "check" },
      el("input", { type: "checkbox", name: `features.${name}`, value: "on", checked: features[name] }),
      say(`feature.${name}`),
    ),
  );
}

// The texts of one language: a key, the text in use, and the list of own ones.
function texts(state, changed) {
  const language = select(state.languages.map(languageOption), state.language);
  const keys = el(
    "datalist",
    { id: "label-keys" },
    Object.keys(state.labels).map((value) => el("option", { value })),
  );
  const key = input({ list: "label-keys", spellcheck: "false" });
  const text = input({ maxLength: 500 });
  const list = el("ul", { className: "stack plain" });
  const translations = () => (state.translations[language.value] ??= {});
  const show = () =>
    fill(
      list,
      Object.entries(translations()).map(([name, value]) =>
        el("li", { className: "row between" }, el("span", {}, `${name}: ${value}`), drop(name)),
      ),
    );
  const drop = (name) =>
    el(
      "button",
      {
        className: "button slim",
        type: "button",
        "aria-label": `${say("removeText")}: ${name}`,
        onclick: () => {
          delete translations()[name];
          show();
          changed();
        },
      },
      say("removeText"),
    );
  const set = el(
    "button",
    {
      className: "button",
      type: "button",
      onclick: () => {
        if (key.value === "" || text.value === "") return;
        translations()[key.value] = text.value;
        show();
        changed();
      },
    },
    say("setText"),
  );
  key.addEventListener("input", () => {
    text.value = translations()[key.value] ?? state.labels[key.value] ?? text.value;
  });
  language.addEventListener("change", show);
  show();
  return [
    field("translationLanguage", say("language"), language),
    field("translationKey", say("textKey"), key, say("textKeyHint")),
    keys,
    field("translations", say("textOwn"), text),
    set,
    list,
  ];
}

// The controls for what is saved; `changed` runs whenever one of them changes.
export function controls(widget, state, changed) {
  const { features } = widget;
  return [
    group(
      say("widgetLooks"),
      true,
      el(
        "div",
        { className: "columns" },
        field("theme", say("widgetTheme"), select(choices("theme", THEMES, widget.theme), widget.theme)),
        field(
          "layout",
          say("widgetLayout"),
          select(
            ["grid", "list"].map((layout) => [layout, say(`layout.${layout}`)]),
            widget.layout,
          ),
        ),
        field(
          "position",
          say("widgetPosition"),
          select(choices("layerAt", POSITIONS, widget.position), widget.position),
        ),
        field(
          "features.displayMode",
          say("widgetMode"),
          select(choices("mode", DISPLAY_MODES, features.displayMode), features.displayMode),
        ),
      ),
    ),
    group(
      say("widgetColours"),
      false,
      el("p", { className: "quiet" }, say("widgetColoursHint")),
      values("colors", COLOURS, widget.colors),
    ),
    group(say("widgetType"), false, values("typography", TYPES, widget.typography)),
    group(
      say("widgetFeatures"),
      false,
      field("features.minChars", say("minChars"), input({ type: "number", min: 1, max: 10, value: features.minChars })),
      sortsField(features.sorts),
      switches(features),
    ),
    group(say("widgetFirst"), false, firstSearch(widget.defaultSearch ?? {})),
    group(say("widgetTexts"), false, texts(state, changed)),
  ];
}

// Returns the filled values of a group of controls; null if there are none.
function filled(form, prefix) {
  const entries = [...form.entries()].filter(([name, value]) => name.startsWith(`${prefix}.`) && value !== "");
  return entries.length > 0
    ? Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length + 1), value]))
    : null;
}

// Returns what the controls of `whole` say, as the service takes it.
export function patchOf(whole, state) {
  const form = new FormData(whole);
  const translations = Object.fromEntries(
    Object.entries(state.translations).filter(([, texts]) => Object.keys(texts).length > 0),
  );
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
    defaultSearch: firstSearchOf(form, state.defaultSearch),
    translations: Object.keys(translations).length > 0 ? translations : null,
  };
}

// Returns the configuration of the widget on a page with these changes.
export function shownWith(config, patch) {
  return {
    ...config,
    theme: patch.theme,
    layout: patch.layout,
    position: patch.position,
    colors: patch.colors ?? {},
    typography: patch.typography ?? {},
    defaultSearch: patch.defaultSearch ?? undefined,
    features: { ...config.features, ...patch.features },
    sorts: sortsIn(patch.features.sorts),
    filters: patch.features.filters ? (config.filters ?? "automatic") : undefined,
    labels: { ...config.labels, ...patch.translations?.[config.labelsLanguage] },
  };
}
