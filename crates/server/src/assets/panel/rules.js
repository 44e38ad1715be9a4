// The rules of a store: a list that filters as one types, forms that create and edit, and a file of all.

import { PROPOSED } from "./alternatives.js";
import { get } from "./call.js";
import { csv, save } from "./download.js";
import { el, fill } from "./element.js";
import { button, field, input, select, table } from "./form.js";
import { page, parts, report, roleNotice } from "./frame.js";
import { actions, edit, localPager } from "./records.js";
import { PATHS, TYPES, readRule, ruleFields } from "./rule-form.js";
import { ruleWindow } from "./rule-window.js";
import { storeOf } from "./store-access.js";
import { say, zone } from "./words.js";
import { languageOption, languageTitle } from "./language-names.js";

const id = parts[1];
const list = `/stores/${id}/rules`;
const PAGE = 100;
const STATES = ["active", "inactive", "scheduled", "expired"];

const types = () => TYPES.map((type) => [type, say(`ruleType.${type}`)]);

function saveAll(rules) {
  const heads = [
    "id",
    "name",
    "language",
    "type",
    "match",
    "query",
    "actions",
    "priority",
    "active",
    "status",
    "startDate",
    "endDate",
  ];
  const rows = rules.map((rule) => [
    rule.id,
    rule.name,
    rule.language,
    rule.type,
    rule.trigger.match,
    rule.trigger.query,
    JSON.stringify(rule.actions),
    rule.priority,
    rule.active,
    rule.status,
    rule.startDate,
    rule.endDate,
  ]);
  save("rules.csv", csv([heads, ...rows]), "text/csv;charset=utf-8");
}

// Whether a query meets the trigger, as near as the page can tell; regular expressions are left to the service.
function meets(rule, query) {
  const trigger = rule.trigger.query.trim().toLowerCase();
  if (rule.trigger.match === "exact") return query === trigger;
  if (rule.trigger.match === "starts_with") return query.startsWith(trigger);
  return rule.trigger.match === "contains" && trigger !== "" && ` ${query} `.includes(` ${trigger} `);
}

// The rules that fit what is chosen; those that meet the typed query stand first.
function fitting(rules, { q, lang, type, status }) {
  const wanted = q.trim().toLowerCase();
  const fits = rules.filter(
    (rule) =>
      (lang === "" || rule.language === lang) &&
      (type === "" || rule.type === type) &&
      (status === "" || rule.status === status),
  );
  if (wanted === "") return fits;
  const first = fits.filter((rule) => meets(rule, wanted));
  const met = new Set(first);
  const others = fits.filter(
    (rule) =>
      !met.has(rule) && [rule.name, rule.trigger.query, rule.id].some((text) => text.toLowerCase().includes(wanted)),
  );
  return [...first, ...others];
}

function row(rule, store, open, redraw) {
  const path = `${list}/${rule.id}`;
  const item = { path, name: rule.name, active: rule.active, open: () => open(path, say("editRule")), redraw };
  const trigger =
    rule.trigger.query === "" ? say("everyQuery") : `${say(`match.${rule.trigger.match}`)} “${rule.trigger.query}”`;
  return [
    rule.name,
    say(`ruleType.${rule.type}`),
    trigger,
    languageTitle(rule.language),
    rule.priority,
    say(`ruleStatus.${rule.status}`),
    ruleWindow(rule) || "–",
    store.editor ? actions(item) : "",
  ];
}

page(async (main, me) => {
  const store = await storeOf(me, id);
  const chosen = { q: "", lang: "", type: "", status: "" };
  const shown = el("div", { className: "stack" });
  let rules = [];
  const load = async () => {
    rules = await get(list);
  };
  const redraw = async () => {
    await load();
    draw(1);
  };
  const blank = () => ({
    name: "",
    language: chosen.lang || store.languages[0],
    type: "PIN",
    trigger: { query: "", match: "contains", alternatives: PROPOSED },
    actions: {},
    priority: 0,
    active: true,
  });
  const fields = (rule, saved) => ruleFields(rule, { store: id, saved, languages: store.languages });
  const open = (path, title) =>
    edit({ title, list, path, initial: blank(), fields, read: readRule, paths: [...PATHS, "language"], saved: redraw });
  const heads = [
    say("name"),
    say("ruleType"),
    say("ruleQuery"),
    say("language"),
    say("priority"),
    say("state"),
    say("ruleWindow"),
    say("actions"),
  ];
  const draw = (at) => {
    const fit = fitting(rules, chosen);
    const rows = fit.slice((at - 1) * PAGE, at * PAGE).map((rule) => row(rule, store, open, redraw));
    const none = el("p", {}, say(rules.length > 0 ? "noRecordMatches" : "noRules"));
    fill(
      shown,
      el("p", { className: "quiet", role: "status" }, say("rulesFound", { n: fit.length })),
      rows.length > 0 ? table(say("rules"), heads, rows) : none,
      localPager(at, Math.ceil(fit.length / PAGE), draw),
    );
  };
  const control = (name, made) => {
    made.addEventListener("input", () => {
      chosen[name] = made.value;
      draw(1);
    });
    return made;
  };
  const search = el(
    "section",
    { className: "card columns" },
    field("q", say("ruleSearch"), control("q", input({ type: "search", maxLength: 500 }))),
    field(
      "lang",
      say("language"),
      control("lang", select([["", say("allLanguages")], ...store.languages.map(languageOption)], "")),
    ),
    field("type", say("ruleType"), control("type", select([["", say("allKinds")], ...types()], ""))),
    field(
      "status",
      say("state"),
      control(
        "status",
        select([["", say("allStates")], ...STATES.map((state) => [state, say(`ruleStatus.${state}`)])], ""),
      ),
    ),
  );
  await load();
  fill(
    main,
    el("h1", {}, say("rulesOf", { name: store.name })),
    store.editor ? null : await roleNotice(store.account),
    el(
      "div",
      { className: "row" },
      store.editor ? button(say("newRule"), () => open(null, say("newRule")), report, "button strong") : null,
      button(say("downloadCsv"), () => saveAll(rules), report),
    ),
    search,
    shown,
    el("p", { className: "hint" }, say("timesIn", { zone: zone() })),
  );
  draw(1);
});
