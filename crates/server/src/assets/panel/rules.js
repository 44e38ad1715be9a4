// The rules of a store: a list that filters as one types, forms that create and edit, and a file of all.

import { get } from "./call.js";
import { csv, save } from "./download.js";
import { el, fill } from "./element.js";
import { button, field, input, select, table, textarea } from "./form.js";
import { page, parts, report, roleNotice } from "./frame.js";
import { jsonText, jsonValue } from "./json.js";
import { actions, edit, localPager } from "./records.js";
import { storeOf } from "./store-access.js";
import { fromLocal, say, time, toLocal, zone } from "./words.js";

const id = parts[1];
const list = `/stores/${id}/rules`;
const PAGE = 100;
const MATCHES = ["contains", "exact", "starts_with", "regex"];
const STATES = ["active", "inactive", "scheduled", "expired"];
// What the actions of a new rule of each type look like.
const EXAMPLES = {
  PIN: { pin: ["123"] },
  HIDE: { hide: ["123"] },
  BOOST: { boost: [{ mode: "term", field: "manufacturer", value: "Acme", weight: 2 }] },
  FILTER: { filter: { manufacturer: ["Acme"] } },
  REDIRECT: { redirect: "/sale" },
  BANNER: { banner: { imageUrl: "/banner.png", link: "/sale", position: "top" } },
};

const types = () => Object.keys(EXAMPLES).map((type) => [type, say(`ruleType.${type}`)]);

function fields(languages) {
  return (rule) => {
    const actionsText = textarea({ rows: 8, spellcheck: "false", autocapitalize: "off", className: "code" }, jsonText(rule?.actions ?? EXAMPLES.PIN));
    const type = select(types(), rule?.type ?? "PIN");
    type.disabled = Boolean(rule);
    type.addEventListener("change", () => { actionsText.value = jsonText(EXAMPLES[type.value]); });
    const date = (name, value) => field(name, say(name), input({ type: "datetime-local", value: value ? toLocal(value) : "" }), say("ruleDateHint", { zone: zone() }));
    return [
      field("name", say("name"), input({ value: rule?.name ?? "", maxLength: 255, required: true })),
      field("language", say("language"), select(languages.map((code) => [code, code]), rule?.language ?? languages[0])),
      field("trigger.match", say("ruleMatch"), select(MATCHES.map((kind) => [kind, say(`ruleMatch.${kind}`)]), rule?.trigger.match ?? "contains")),
      field("trigger.query", say("ruleQuery"), input({ value: rule?.trigger.query ?? "", maxLength: 500 }), say("ruleQueryHint")),
      field("type", say("ruleType"), type),
      field("actions", say("ruleActions"), actionsText, say("ruleActionsHint")),
      field("priority", say("priority"), input({ type: "number", min: 0, value: rule?.priority ?? 0 })),
      date("startDate", rule?.startDate),
      date("endDate", rule?.endDate),
    ];
  };
}

const body = (created) => (values) => ({
  name: values.name,
  language: values.language,
  trigger: { match: values["trigger.match"], query: values["trigger.query"] },
  ...(values.type ? { type: values.type } : {}),
  actions: jsonValue(values.actions),
  priority: Number(values.priority),
  ...(values.startDate || !created ? { startDate: fromLocal(values.startDate) || null } : {}),
  ...(values.endDate || !created ? { endDate: fromLocal(values.endDate) || null } : {}),
});

function saveAll(rules) {
  const heads = ["id", "name", "language", "type", "match", "query", "actions", "priority", "active", "status", "startDate", "endDate"];
  const rows = rules.map((rule) => [rule.id, rule.name, rule.language, rule.type, rule.trigger.match, rule.trigger.query, JSON.stringify(rule.actions), rule.priority, rule.active, rule.status, rule.startDate, rule.endDate]);
  save("rules.csv", csv([heads, ...rows]), "text/csv;charset=utf-8");
}

// Whether a query meets the trigger, as near as the page can tell; regular expressions are left to the service.
function meets(rule, query) {
  const own = rule.trigger.query.trim().toLowerCase();
  if (rule.trigger.match === "exact") return query === own;
  if (rule.trigger.match === "starts_with") return query.startsWith(own);
  return rule.trigger.match === "contains" && own !== "" && ` ${query} `.includes(` ${own} `);
}

// The rules that fit what is chosen; those that meet the typed query stand first.
function fitting(rules, { q, lang, type, status }) {
  const wanted = q.trim().toLowerCase();
  const fits = rules.filter((rule) => (lang === "" || rule.language === lang) && (type === "" || rule.type === type) && (status === "" || rule.status === status));
  if (wanted === "") return fits;
  const first = fits.filter((rule) => meets(rule, wanted));
  const met = new Set(first);
  const others = fits.filter((rule) => !met.has(rule) && [rule.name, rule.trigger.query, rule.id].some((own) => own.toLowerCase().includes(wanted)));
  return [...first, ...others];
}

function window(rule) {
  if (!rule.startDate && !rule.endDate) return "–";
  return `${rule.startDate ? time(rule.startDate) : "…"} – ${rule.endDate ? time(rule.endDate) : "…"}`;
}

function row(rule, store, open, redraw) {
  const path = `${list}/${rule.id}`;
  const own = { path, name: rule.name, active: rule.active, open: () => open(path, say("editRule"), false), redraw };
  const trigger = rule.trigger.query === "" ? say("everyQuery") : `${say(`ruleMatch.${rule.trigger.match}`)} “${rule.trigger.query}”`;
  return [rule.name, say(`ruleType.${rule.type}`), trigger, rule.language, rule.priority, say(`ruleStatus.${rule.status}`), window(rule), store.editor ? actions(own) : ""];
}

page(async (main, me) => {
  const store = await storeOf(me, id);
  const chosen = { q: "", lang: "", type: "", status: "" };
  const shown = el("div", { className: "stack" });
  let rules = [];
  const load = async () => { rules = await get(list); };
  const redraw = async () => { await load(); draw(1); };
  const open = (path, title, created) => edit({ title, list, path, fields: fields(store.languages), body: body(created), saved: redraw });
  const heads = [say("name"), say("ruleType"), say("ruleQuery"), say("language"), say("priority"), say("state"), say("ruleWindow"), say("actions")];
  const draw = (at) => {
    const fit = fitting(rules, chosen);
    const rows = fit.slice((at - 1) * PAGE, at * PAGE).map((rule) => row(rule, store, open, redraw));
    const none = el("p", {}, say(rules.length > 0 ? "noRecordMatches" : "noRules"));
    fill(shown, el("p", { className: "quiet", role: "status" }, say("rulesFound", { n: fit.length })), rows.length > 0 ? table(say("rules"), heads, rows) : none, localPager(at, Math.ceil(fit.length / PAGE), draw));
  };
  const control = (name, made) => {
    made.addEventListener("input", () => { chosen[name] = made.value; draw(1); });
    return made;
  };
  const search = el("section", { className: "card columns" },
    field("q", say("ruleSearch"), control("q", input({ type: "search", maxLength: 500 }))),
    field("lang", say("language"), control("lang", select([["", say("allLanguages")], ...store.languages.map((code) => [code, code])], ""))),
    field("type", say("ruleType"), control("type", select([["", say("allKinds")], ...types()], ""))),
    field("status", say("state"), control("status", select([["", say("allStates")], ...STATES.map((state) => [state, say(`ruleStatus.${state}`)])], ""))));
  await load();
  fill(main,
    el("h1", {}, say("rulesOf", { name: store.name })),
    store.editor ? null : await roleNotice(store.account),
    el("div", { className: "row" }, store.editor ? button(say("newRule"), () => open(null, say("newRule"), true), report, "button strong") : null, button(say("downloadCsv"), () => saveAll(rules), report)),
    search, shown, el("p", { className: "hint" }, say("timesIn", { zone: zone() })));
  draw(1);
});
