// The tab "Synonyms": the groups that fire for the query first, then all by search, and the form of a group.

import { PROPOSED } from "../alternatives.js";
import { SYNONYM_TYPES } from "../choices.js";
import { el, fill } from "../element.js";
import { field, input, messageOf } from "../form.js";
import { report } from "../frame.js";
import { localPager } from "../records.js";
import { PATHS, readSynonym, synonymFields } from "../synonym-form.js";
import { addedRows, edit, part, savedRow } from "./records.js";
import { refresh, saved, savedOf, synonymPage } from "./saved.js";
import { on, state } from "./state.js";
import { say } from "./words.js";

const make = (record, target) => synonymFields(record, { saved: Boolean(target.resource) });
const open = (target) =>
  edit("synonyms", target, {
    title: say("synonymTitle"),
    make,
    read: readSynonym,
    paths: PATHS,
    initial: {
      language: state.query.lang,
      type: SYNONYM_TYPES[0],
      terms: state.query.q ? [state.query.q] : [],
      alternatives: PROPOSED,
    },
  }).catch((error) => report(messageOf(error), true));

// Opens the form of a new group of the query.
export const newSynonym = () => open({});

const about = (record) => say(`synonymType.${record.type}`);
const rows = (records) => records.map((record) => savedRow("synonyms", record, { open, about }));

export function synonyms() {
  const fired = el("div", { className: "stack" });
  const mine = el("div", { className: "stack" });
  const all = el("div", { className: "stack" });
  const search = input({ type: "search", maxLength: 100 });
  let page = null;
  let at = 1;
  const drawAll = () =>
    page &&
    fill(
      all,
      el("p", { className: "quiet" }, say("groupsFound", { n: page.meta.total })),
      part("", rows(page.data.map((one) => savedOf(`synonyms/${one.id}`)).filter(Boolean))),
      localPager(page.meta.page, page.meta.totalPages, turn),
    );
  const find = async () => {
    const wanted = `${at} ${state.query.lang} ${search.value}`;
    try {
      const found = await synonymPage(search.value, at);
      if (wanted !== `${at} ${state.query.lang} ${search.value}`) return;
      page = found;
      drawAll();
    } catch (error) {
      report(messageOf(error), true);
    }
  };
  const turn = async (to) => {
    at = to;
    await find();
    all.querySelector("button")?.focus({ preventScroll: true });
    all.scrollIntoView({ block: "nearest" });
  };
  const first = () => {
    at = 1;
    return find();
  };
  const drawFired = async () => {
    const ids = (state.last?.query.synonyms ?? [])
      .map((one) => `synonyms/${one.id}`)
      .filter((one) => !one.includes("draft:"));
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
  on("saved", () => {
    draw();
    find();
  });
  on("language", first);
  search.addEventListener("input", first);
  draw();
  find();
  const adding = state.store.editor
    ? el("button", { className: "button slim", type: "button", onclick: newSynonym }, say("addSynonyms"))
    : null;
  return [
    el("div", { className: "row" }, adding),
    mine,
    fired,
    field("synonymSearch", say("searchSynonyms"), search),
    all,
  ];
}
