// The sources of a store: addresses from which its catalogue is fetched, what became of that, and what can be done.

import { get, post, put, remove } from "./call.js";
import { el, fill } from "./element.js";
import { ask, button, table } from "./form.js";
import { report } from "./frame.js";
import { sizeOf, troubleOf } from "./import-words.js";
import { ago, number, say, time } from "./catalogue-words.js";

const LOOK_MS = 2000;

// The state in words, since when, and what is wrong.
function stateOf(one) {
  const trouble = one.code
    ? el("p", { className: one.state === "inactive" ? "quiet" : "wrong" }, troubleOf(one))
    : null;
  const since = one.failingSince ? el("p", {}, say("sourceFailingSince", { time: time(one.failingSince) })) : null;
  return el("div", {}, el("strong", {}, say(`sourceState.${one.active ? one.state : "paused"}`)), trouble, since);
}

function countsOf(fetch) {
  const result = fetch.result ?? {};
  const { new: added = 0, changed = 0, removed = 0, rejected = [], rejectedMore = 0 } = result;
  if (fetch.outcome === "held") return say("fetchHeld", { n: result.held?.wouldPurge ?? 0 });
  if (fetch.outcome !== "updated") return fetch.outcome === "failed" ? troubleOf(fetch) : "–";
  const counts = { n: added, changed: number(changed), removed: number(removed) };
  return say("fetchCounts", { ...counts, rejected: number(rejected.length + rejectedMore) });
}

function fetchRow(fetch) {
  return [
    time(fetch.at),
    say(`fetchTrigger.${fetch.trigger}`),
    say(`fetchOutcome.${fetch.outcome}`),
    countsOf(fetch),
    fetch.bytes > 0 ? sizeOf(fetch.bytes) : "–",
  ];
}

// The last fetches, read when they are unfolded.
function history(base, one) {
  const place = el("div", {}, el("p", { className: "quiet" }, say("loading")));
  const heads = [say("when"), say("fetchStartedBy"), say("state"), say("fetchChanges"), say("importSize")];
  const whole = el("details", {}, el("summary", {}, say("lastFetches")), place);
  whole.addEventListener("toggle", async () => {
    if (!whole.open) return;
    const fetches = await get(`${base}/${one.id}/fetches`);
    const none = el("p", { className: "quiet" }, say("noFetches"));
    fill(place, fetches.length > 0 ? table(say("lastFetches"), heads, fetches.map(fetchRow)) : none);
  });
  return whole;
}

function actions(store, base, one, redraw) {
  const now = async () => {
    await post(`${base}/${one.id}/fetch`);
    report(say("sourceFetching", { name: one.name }));
    await redraw();
  };
  const pause = async () => {
    await put(`${base}/${one.id}`, { active: !one.active });
    report(say(one.active ? "sourcePaused" : "sourceResumed", { name: one.name }));
    await redraw();
  };
  const end = async () => {
    const about = el("p", {}, say("sourceDeleteAbout", { name: one.name }));
    if (!(await ask(say("sourceDelete"), about, say("sourceDelete")))) return;
    await remove(`${base}/${one.id}`);
    report(say("sourceDeleted", { name: one.name }));
    await redraw();
  };
  const idle = !["fetching", "inactive"].includes(one.state);
  return el(
    "div",
    { className: "row" },
    store.editor && idle ? button(say("fetchNow"), now, report, "button slim") : null,
    store.owner ? button(say(one.active ? "sourcePause" : "sourceResume"), pause, report, "button slim") : null,
    store.owner ? button(say("sourceDelete"), end, report, "button slim") : null,
  );
}

function card(store, base, one, redraw) {
  const fact = (name, value) => el("div", {}, el("dt", {}, say(name)), el("dd", {}, value));
  return el(
    "li",
    { className: "source" },
    el("h3", {}, one.name),
    el("p", { className: "address" }, one.url),
    stateOf(one),
    el(
      "dl",
      { className: "facts" },
      fact("sourceLastSuccess", one.lastSuccessAt ? ago(one.lastSuccessAt) : "–"),
      fact("sourceNext", one.nextFetchAt && one.state !== "fetching" ? time(one.nextFetchAt) : "–"),
      fact("sourceInterval", say("minutes", { n: one.intervalMinutes })),
      fact("sourceMode", say(`sourceMode.${one.mode}`)),
      fact("products", one.documents === undefined ? "–" : number(one.documents)),
    ),
    actions(store, base, one, redraw),
    history(base, one),
  );
}

// Returns the card. `changed` hears when a fetch has ended, which may have changed the catalogue.
export function sourcesCard(store, sources, changed) {
  const base = `/stores/${store.id}/sources`;
  const place = el("div", { className: "stack" });
  let turn = 0;

  const draw = (list) => {
    const none = el("p", { className: "quiet" }, say(store.owner ? "noSources" : "noSourcesOwner"));
    const cards = list.map((one) => card(store, base, one, redraw));
    fill(place, list.length > 0 ? el("ul", { className: "sources plain" }, cards) : none);
    if (list.some((one) => one.state === "fetching" || one.state === "new")) follow();
  };
  const redraw = async () => {
    turn += 1;
    draw(await get(base));
  };
  // Looks again until nothing is being fetched.
  const follow = async () => {
    turn += 1;
    const started = turn;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (started !== turn || !place.isConnected) return;
    const list = await get(base).catch(() => null);
    if (started !== turn || list === null) return;
    const busy = list.some((one) => one.state === "fetching" || one.state === "new");
    if (!busy) await changed();
    if (place.isConnected) draw(list);
  };
  draw(sources);
  return el(
    "section",
    { className: "card", id: "sources" },
    el("h2", {}, say("sources")),
    el("p", { className: "quiet" }, say("sourcesAbout")),
    place,
  );
}
