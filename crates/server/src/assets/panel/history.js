// The revisions of a store by day, each with its differences when it is opened.

import { call, get } from "./call.js";
import { learnNames, outlinesOf } from "./change-words.js";
import { author, changeList, headline, noteOf } from "./changes.js";
import { el, fill } from "./element.js";
import { messageOf } from "./form.js";
import { page, parts } from "./frame.js";
import { pager, wanted } from "./pager.js";
import { storeOf } from "./store-access.js";
import "./widget-words.js";
import { clock, day, say, zone } from "./words.js";

const id = parts[1];

function revision(one, outline) {
  const differences = el("div", { "aria-live": "polite" });
  const whole = el(
    "details",
    { className: "revision" },
    el(
      "summary",
      {},
      headline(one, outline),
      el(
        "span",
        { className: "quiet" },
        say("revisionNumber", { n: one.revision }),
        " · ",
        clock(one.at),
        " · ",
        author(one.by),
      ),
    ),
    differences,
  );
  whole.addEventListener("toggle", async () => {
    if (!whole.open || differences.childNodes.length > 0) return;
    try {
      const detail = await get(`/stores/${id}/revisions/${one.revision}`);
      await learnNames(id, [detail]);
      const way = el(
        "a",
        { className: "button slim", href: `/panel/stores/${id}/workbench?restore=${one.revision}` },
        say("tryRevision"),
        el("span", { className: "unseen" }, ` ${say("revisionNumber", { n: one.revision })}`),
      );
      fill(
        differences,
        el("div", { className: "row between" }, noteOf(one) ?? el("span", {}), way),
        changeList(detail.changes, one.resource),
      );
    } catch (error) {
      fill(differences, el("p", { className: "wrong" }, messageOf(error)));
      whole.open = false;
    }
  });
  return whole;
}

page(async (main, me) => {
  const store = await storeOf(me, id);
  const query = wanted(["page"]);
  query.set("limit", "50");
  const [{ data: revisions, meta }, outlines] = await Promise.all([
    call("GET", `/stores/${id}/revisions?${query}`),
    get(`/stores/${id}/outlines?${query}`),
  ]);
  const changes = await outlinesOf(id, revisions, outlines);
  const days = Map.groupBy
    ? Map.groupBy(revisions, (one) => day(one.at))
    : revisions.reduce((all, one) => all.set(day(one.at), [...(all.get(day(one.at)) ?? []), one]), new Map());
  const lists = [...days].map(([name, list]) =>
    el(
      "section",
      { className: "card" },
      el("h2", {}, name),
      list.map((one) => revision(one, changes.get(one.revision))),
    ),
  );
  fill(
    main,
    el("h1", {}, say("historyOf", { name: store.name })),
    el("p", { className: "quiet" }, say("historyAbout")),
    lists.length > 0 ? lists : el("p", {}, say("noRevisions")),
    pager(meta),
    el("p", { className: "hint" }, say("timesIn", { zone: zone() })),
  );
});
