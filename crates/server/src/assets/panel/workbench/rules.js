// The tab "Rules": those that the query meets first, applied or why not, then all by search; and rules made from a
// card.

import { PROPOSED } from "../alternatives.js";
import { el, fill } from "../element.js";
import { dialog, field, form, input, messageOf, translated } from "../form.js";
import { report } from "../frame.js";
import { languageName } from "../language-names.js";
import { fromLocal } from "../words.js";
import { PATHS, readRule, ruleFields } from "../rule-form.js";
import { ruleWindow } from "../rule-window.js";
import { PLACES } from "./card.js";
import { add, added } from "./draft.js";
import { addedRows, edit, part, savedRow } from "./records.js";
import { saved, savedOf } from "./saved.js";
import { equal, id, on, state } from "./state.js";
import { say } from "./words.js";

const SHOWN = 100;
const SAID_MS = 4000;

const trigger = () => ({ query: state.query.q, match: state.query.q.trim() ? "exact" : "contains" });
const blank = () => ({
  name: "",
  language: state.query.lang,
  type: "PIN",
  trigger: { ...trigger(), match: "contains", alternatives: PROPOSED },
  actions: {},
  priority: 0,
  active: true,
});
const make = (record, target) => ruleFields(record, { store: id, saved: Boolean(target.resource) });
const open = (target) =>
  edit("rules", target, { title: say("ruleTitle"), make, read: readRule, paths: PATHS, initial: blank() }).catch(
    (error) => report(messageOf(error), true),
  );

// Opens the form of a new rule for the query.
export const newRule = () => open({});

function about(rule) {
  const { match, query } = rule.trigger;
  const when = `${say("whenQuery")} ${say(`match.${match}`)} “${query}” (${languageName(rule.language)})`;
  return [`${when}: ${say(`ruleType.${rule.type}`)}`, ruleWindow(rule)].filter(Boolean).join(" · ");
}

export function rules() {
  const met = el("div", { className: "stack" });
  const mine = el("div", { className: "stack" });
  const all = el("div", { className: "stack" });
  const search = input({ type: "search", maxLength: 255 });
  const drawMet = () =>
    fill(
      met,
      part(
        say("metHere"),
        (state.last?.rules ?? []).map((one) => {
          const record = savedOf(`rules/${one.id}`);
          const verdict = el(
            "p",
            { className: one.applied ? "verdict" : "quiet" },
            `${say(one.applied ? "applied" : "notApplied")}: `,
            translated(one.reason, one.translatable),
          );
          if (!record)
            return el(
              "li",
              { className: "record" },
              el("p", {}, el("b", {}, one.name), " ", el("small", { className: "dot" }, say("mark.new"))),
              verdict,
            );
          const row = savedRow("rules", record, { open });
          row.insertBefore(verdict, row.lastChild);
          return row;
        }),
      ),
    );
  const drawAll = () => {
    const wanted = search.value.trim().toLowerCase();
    const found = saved.rules.filter(
      (rule) =>
        savedOf(`rules/${rule.id}`) &&
        rule.language === state.query.lang &&
        (!wanted || `${rule.name} ${rule.trigger.query}`.toLowerCase().includes(wanted)),
    );
    fill(
      all,
      el("p", { className: "quiet" }, say("rulesFound", { n: found.length })),
      part(
        "",
        found.slice(0, SHOWN).map((rule) => savedRow("rules", rule, { open, about })),
      ),
    );
  };
  const draw = () => {
    fill(mine, part(say("inYourDraft"), addedRows("rules", { open, about })));
    drawMet();
    drawAll();
  };
  on("result", drawMet);
  on("draft", draw);
  on("saved", draw);
  on("language", drawAll);
  search.addEventListener("input", drawAll);
  draw();
  const adding = state.store.editor
    ? el("button", { className: "button slim", type: "button", onclick: newRule }, say("addRule"))
    : null;
  return [el("div", { className: "row" }, adding), mine, met, field("ruleSearch", say("searchRules"), search), all];
}

// Adds a rule for exactly this query to the draft, or its action to the one that was added before.
function fromCard(type, name, action, dates = {}) {
  const existing = added("rules").findIndex(
    (rule) =>
      rule.type === type &&
      rule.language === state.query.lang &&
      equal(rule.trigger, trigger()) &&
      rule.startDate === dates.startDate &&
      rule.endDate === dates.endDate,
  );
  const key = type.toLowerCase();
  if (existing < 0)
    add("rules", {
      ...blank(),
      name: name.slice(0, 255),
      type,
      trigger: trigger(),
      actions: { [key]: action },
      ...dates,
    });
  else {
    const rule = added("rules")[existing];
    const before = rule.actions[key];
    const joined =
      type === "BOOST"
        ? [...before, ...action]
        : [
            ...new Set(
              type === "PIN" ? [...action, ...before.filter((id) => !action.includes(id))] : [...before, ...action],
            ),
          ];
    add("rules", { ...rule, actions: { [key]: joined } }, existing);
  }
  report(say("ruleInDraft"));
  setTimeout(() => report(""), SAID_MS);
}

// Asks for one number and the days from and until which it counts, and runs `action` with them.
function asking(title, label, attributes, action) {
  const whole = dialog(
    title,
    form({
      fields: [
        field("value", label, input({ type: "number", required: true, ...attributes })),
        ["startDate", "endDate"].map((name) => field(name, say(`part.${name}`), input({ type: "datetime-local" }))),
      ],
      button: say("intoDraft"),
      send: (values) => {
        const value = Number(values.value);
        if (!(value >= attributes.min && value <= attributes.max)) return;
        const dates = ["startDate", "endDate"].map((name) => [name, fromLocal(values[name])]);
        action(value, Object.fromEntries(dates.filter(([, at]) => at)));
        whole.close();
      },
    }),
  );
  whole.querySelector("input").select();
}

const nameOf = (key, hit) => say(key, { name: hit.name, q: state.query.q || "*" });

// Pins a product to a place, and what stands before it where it is.
function pinAt(hit, place, dates) {
  const before = state.last.order
    .map(([id]) => id)
    .filter((id) => id !== hit.id)
    .slice(0, place - 1);
  fromCard("PIN", nameOf("pinName", hit), [...before, hit.id], dates);
}

export function cardRules() {
  on("place", pinAt);
  on("pin", (hit) =>
    asking(say("pinTitle", { name: hit.name }), say("place"), { min: 1, max: PLACES, value: 1 }, (place, dates) =>
      pinAt(hit, place, dates),
    ),
  );
  on("hide", (hit) => fromCard("HIDE", nameOf("hideName", hit), [hit.id]));
  on("boost", (hit) =>
    asking(
      say("boostTitle", { name: hit.manufacturer }),
      say("part.weight"),
      { min: 0.1, max: 100, step: 0.1, value: 2 },
      (weight, dates) =>
        fromCard(
          "BOOST",
          nameOf("boostName", { name: hit.manufacturer }),
          [{ mode: "term", field: "manufacturer", value: hit.manufacturer, weight }],
          dates,
        ),
    ),
  );
}
