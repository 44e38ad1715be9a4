// The latest indexing runs of a store with their scopes, purges that are held back, and rejected documents.

import { get } from "./call.js";
import { el, fill } from "./element.js";
import { table, translated } from "./form.js";
import { page, parts } from "./frame.js";
import { heldPurges } from "./held.js";
import { fieldName } from "./import-words.js";
import { scopeTitle } from "./scope-words.js";
import { storeOf } from "./store-access.js";
import { say, time, zone } from "./words.js";

const id = parts[1];

function outcome(scope) {
  const { seen, documents, purged = 0, wouldPurge = 0 } = scope;
  return say(`scope.${scope.status ?? "running"}`, {
    seen,
    documents,
    n: scope.status === "held" ? wouldPurge : purged,
  });
}

function row(run) {
  const scopes = el(
    "ul",
    { className: "plain" },
    run.scopes.map((scope) => el("li", {}, `${scopeTitle(scope.type, scope.language)}: ${outcome(scope)}`)),
  );
  return [
    time(run.openedAt),
    say(`runState.${run.state}`),
    say(`runMode.${run.mode}`),
    scopes,
    [say(`runOrigin.${run.origin}`), run.by ? el("span", { className: "quiet" }, ` ${run.by.name}`) : null],
    run.endedAt ? time(run.endedAt) : "–",
  ];
}

function rejectedRow(one) {
  return [
    one.id ?? "–",
    scopeTitle(one.type, one.language),
    el("span", {}, say(`rejectionCode.${one.code}`), el("span", { className: "quiet" }, ` (${one.code})`)),
    one.field ? el("span", { title: one.field }, fieldName(one.field)) : "–",
    translated(one.message, one.translatable),
    time(one.at),
  ];
}

// The documents that the feed rejected and has not accepted since.
function rejected(documents) {
  const heads = [
    say("documentId"),
    say("scopes"),
    say("rejectionCode"),
    say("rejectionField"),
    say("rejectionReason"),
    say("when"),
  ];
  const list =
    documents.length > 0 ? table(say("rejected"), heads, documents.map(rejectedRow)) : el("p", {}, say("noRejected"));
  return [el("h2", {}, say("rejected")), el("p", { className: "quiet" }, say("rejectedAbout")), list];
}

// What runs are, where there was none yet, and the way to the first one.
const never = (store) =>
  el(
    "section",
    { className: "card" },
    el("p", {}, say("noRuns")),
    store.editor ? el("a", { className: "button", href: `/panel/stores/${id}/catalogue` }, say("addProducts")) : null,
  );

page(async (main, me) => {
  const store = await storeOf(me, id);
  const redraw = async () => {
    const [detail, runs, documents] = await Promise.all([
      get(`/stores/${id}`),
      get(`/stores/${id}/runs`),
      get(`/stores/${id}/rejected`),
    ]);
    const heads = [say("opened"), say("state"), say("mode"), say("scopes"), say("runBy"), say("endedAt")];
    const list = runs.length > 0 ? table(say("runs"), heads, runs.map(row)) : never(store);
    fill(
      main,
      el("h1", {}, say("runsOf", { name: store.name })),
      await heldPurges(store, detail.heldPurges ?? [], redraw),
      el("p", { className: "quiet" }, say("runsAbout")),
      list,
      rejected(documents),
      el("p", { className: "hint" }, say("timesIn", { zone: zone() })),
    );
  };
  await redraw();
});
