// The tab "Synonyms": the groups that fire for the query first, then all by search, and the form of a group.

import { el, fill } from "../element.js";
import { field, input, messageOf, select, textarea } from "../form.js";
import { report } from "../frame.js";
import { addedRows, edit, part, savedRow } from "./records.js";
import { refresh, saved, savedOf, synonymPage } from "./saved.js";
import { on, state } from "./state.js";
import { say } from "./words.js";

const PATHS = ["type", "input", "terms", "active"];
const TYPES = ["BIDIRECTIONAL", "UNIDIRECTIONAL"];

function make(record, target) {
  const type = select(TYPES.map((one) => [one, say(`synonymType.${one}`)]), record.type);
  const typed = field("input", say("typesThis"), input({ value: record.input ?? "", maxLength: 255 }));
  const show = () => { typed.hidden = type.value !== "UNIDIRECTIONAL"; };
  type.addEventListener("change", show);
  show();
  return [
    field("type", say("part.type"), type), typed,
    field("terms", say("part.terms"), textarea({ rows: 5 }, record.terms.join("\n")), say("onePerLine")),
    target.resource ? el("label", { className: "check" }, el("input", { type: "checkbox", name: "active", checked: record.active !== false }), say("part.active")) : null,
  ];
}

function read(values, record, form) {
  const active = form.querySelector("[name=active]");
  const terms = values.terms.split("\n").map((text) => text.trim()).filter(Boolean);
  return { language: record.language, type: values.type, ...(values.type === "UNIDIRECTIONAL" ? { input: values.input } : {}), terms, ...(active ? { active: active.checked } : {}) };
}

const open = (target) => edit("synonyms", target, { title: say("synonymTitle"), make, read, paths: PATHS, initial: { language: state.asked.lang, type: TYPES[0], terms: state.asked.q ? [state.asked.q] : [] } }).catch((error) => report(messageOf(error), true));

const about = (record) => say(`synonymType.${record.type}`);
const rows = (records) => records.map((record) => savedRow("synonyms", record, { open, about }));

export function synonyms() {
  const fired = el("div", { className: "stack" });
  const mine = el("div", { className: "stack" });
  const all = el("div", { className: "stack" });
  const search = input({ type: "search", maxLength: 255 });
  let page = null;
  const drawAll = () => page && fill(all, el("p", { className: "quiet" }, say("groupsFound", { n: page.meta.total })), part("", rows(page.data.map((one) => savedOf(`synonyms/${one.id}`)).filter(Boolean))));
  const find = async () => {
    const wanted = search.value;
    try {
      const found = await synonymPage(wanted, 1);
      if (wanted !== search.value) return;
      page = found;
      drawAll();
    } catch (error) {
      report(messageOf(error), true);
    }
  };
  const drawFired = async () => {
    const ids = (state.last?.query.synonyms ?? []).map((one) => `synonyms/${one.id}`).filter((one) => !one.includes("draft:"));
    await Promise.all(ids.filter((one) => !saved.records.has(one)).map((one) => refresh(one).catch(() => null)));
    fill(fired, part(say("firesHere"), rows(ids.map(savedOf).filter(Boolean))));
  };
  const draw = () => {
    fill(mine, part(say("inYourDraft"), addedRows("synonyms", { open, about })));
    drawFired();
    drawAll();
  };
  on("result", drawFired);
  on("draft", draw);
  on("saved", () => { draw(); find(); });
  on("language", find);
  search.addEventListener("input", find);
  draw();
  find();
  const adding = state.store.editor ? el("button", { className: "button slim", type: "button", onclick: () => open({}) }, say("addSynonyms")) : null;
  return [el("div", { className: "row" }, adding), mine, fired, field("synonymSearch", say("searchSynonyms"), search), all];
}
