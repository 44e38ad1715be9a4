// Groups of values in the form of a filter: each is one option for shoppers and has several values of the field.

import { el, fill } from "./element.js";
import { field, input, select, textarea } from "./form.js";
import { say } from "./words.js";

const PATH = "config.valueGroups";
const lines = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

// Returns the controls of groups, and a function that takes values of the catalogue with their labels, to choose from.
export function groupFields(groups) {
  let offered = [];
  let edited = groups.map((group) => ({ ...group }));
  const list = el("div", { className: "stack" });
  const keep = () => {
    edited = [...list.children].map((row, at) => ({
      ...edited[at],
      label: row.querySelector("input").value.trim(),
      values: lines(row.querySelector("textarea").value),
    }));
  };
  const offer = (more) => {
    more.hidden = offered.length === 0;
    fill(
      more,
      el("option", { value: "" }, say("chooseValue")),
      offered.map((one) => el("option", { value: one.id }, one.label === one.id ? one.id : `${one.label} (${one.id})`)),
    );
  };
  const row = (group, at) => {
    const n = String(at + 1);
    const values = textarea({ rows: 3, spellcheck: "false" }, group.values.join("\n"));
    const more = select([], "");
    more.setAttribute("aria-label", say("addValue"));
    offer(more);
    more.addEventListener("change", () => {
      values.value = [...new Set([...lines(values.value), more.value])].join("\n");
      more.value = "";
    });
    const drop = el(
      "button",
      {
        className: "link",
        type: "button",
        onclick: () => {
          keep();
          edited.splice(at, 1);
          draw();
          add.focus();
        },
      },
      say("removeGroup", { n }),
    );
    return el(
      "div",
      { className: "value-group stack", "data-key": group.key ?? "" },
      field(`${PATH}[${at}].label`, say("groupName", { n }), input({ value: group.label ?? "", maxLength: 255 })),
      field(`${PATH}[${at}].values`, say("groupValues"), values, say("groupValuesHint")),
      more,
      el("div", { className: "row" }, drop),
    );
  };
  const draw = () => fill(list, edited.map(row));
  const add = el(
    "button",
    {
      className: "button slim",
      type: "button",
      onclick: () => {
        keep();
        edited.push({ label: "", values: [] });
        draw();
        list.lastElementChild.querySelector("input").focus();
      },
    },
    say("addGroup"),
  );
  draw();
  // What concerns all groups has its message here.
  const learn = (values) => {
    offered = values;
    list.querySelectorAll("select").forEach(offer);
  };
  const whole = el(
    "div",
    { className: "field", "data-field": PATH },
    el("h3", {}, say("part.valueGroups")),
    el("p", { className: "wrong", hidden: true }),
    list,
    el("div", { className: "row" }, add),
  );
  return { whole, learn };
}

// Returns the groups of a form; undefined if there are none.
export function groupsIn(form) {
  const groups = [...form.querySelectorAll(".value-group")].map((row) => {
    const label = row.querySelector("input").value.trim();
    return {
      ...(row.dataset.key ? { key: row.dataset.key } : {}),
      ...(label ? { label } : {}),
      values: lines(row.querySelector("textarea").value),
    };
  });
  return groups.length > 0 ? groups : undefined;
}
