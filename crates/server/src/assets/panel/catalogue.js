// The catalogue of a store: add products from a file or an address, its indices, its sources, its latest imports.

import { get } from "./call.js";
import { el, fill } from "./element.js";
import { table } from "./form.js";
import { page, parts, report, roleNotice } from "./frame.js";
import { firstSteps, isOver, stepsOf } from "./first-steps.js";
import { importPanel } from "./import-panel.js";
import { sizeOf } from "./import-words.js";
import { indexTable } from "./index-table.js";
import { moduleReleases } from "./module-download.js";
import { sourcesCard } from "./sources-card.js";
import { storeOf } from "./store-access.js";
import { number, say, time, zone } from "./catalogue-words.js";

const id = parts[1];
const base = `/stores/${id}`;

// What last changed the catalogue, as far as it is known.
function changedBy(imports, detail) {
  const last = imports.find((one) => one.state === "done");
  const shop = detail.connector?.seenAt;
  if (shop && (!last || shop > last.createdAt))
    return say("changedByShop", { client: detail.connector.client, time: time(shop) });
  return last ? say("changedByImport", { name: last.name, who: last.by.name, time: time(last.createdAt) }) : null;
}

function importRow(one, show) {
  const result = one.result ?? {};
  const counts = ["done", "held"].includes(one.state)
    ? say("importCounts", { n: result.accepted ?? 0, rejected: number(result.rejectedCount ?? 0) })
    : "–";
  return [
    el("span", {}, one.name),
    time(one.createdAt),
    one.by.name,
    sizeOf(one.bytes),
    say(`importState.${one.state}`),
    counts,
    el("button", { className: "button slim", type: "button", onclick: () => show(one.id) }, say("showImport")),
  ];
}

function latest(imports, show) {
  const heads = [
    say("importFile"),
    say("when"),
    say("who"),
    say("importSize"),
    say("state"),
    say("products"),
    say("actions"),
  ];
  return el(
    "section",
    { className: "card" },
    el("h2", {}, say("latestImports")),
    imports.length > 0
      ? table(
          say("latestImports"),
          heads,
          imports.map((one) => importRow(one, show)),
        )
      : el("p", { className: "quiet" }, say("noImports")),
  );
}

page(async (main, me) => {
  const store = await storeOf(me, id);
  const notice = store.editor ? null : await roleNotice(store.account);
  const redraw = async () => {
    const [detail, steps, releases, imports, sources] = await Promise.all([
      get(base),
      store.editor ? stepsOf(id) : null,
      store.editor ? moduleReleases() : [],
      store.editor ? get(`${base}/imports`) : [],
      get(`${base}/sources`),
    ]);
    const lists = el("div", { className: "stack lists" });
    const drawLists = async () => {
      const [fresh, list, fetched] = await Promise.all([
        get(base),
        store.editor ? get(`${base}/imports`) : [],
        get(`${base}/sources`),
      ]);
      fillLists(fresh, list, fetched);
    };
    const adding = store.editor ? importPanel(store, detail, imports, drawLists) : null;
    const fillLists = (now, list, fetched) => {
      const by = changedBy(list, now);
      fill(
        lists,
        indexTable(store, now, redraw, by ? el("p", { className: "quiet" }, by) : null),
        sourcesCard(store, fetched, drawLists),
        store.editor ? latest(list, (which) => adding.show(which).catch((error) => report(String(error), true))) : null,
      );
    };
    fillLists(detail, imports, sources);
    fill(
      main,
      el("h1", {}, say("catalogueOf", { name: detail.name })),
      notice,
      adding?.element,
      lists,
      !store.editor || isOver(steps) ? null : await firstSteps(store, steps, releases, redraw),
      el("p", { className: "hint" }, say("timesIn", { zone: zone() })),
    );
  };
  await redraw();
});
