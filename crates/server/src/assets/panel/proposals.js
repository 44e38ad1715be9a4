// The proposals of a store: what keys propose, and what people decide about it.

import { CallError, call, get } from "./call.js";
import { learnNames } from "./change-words.js";
import { el, fill } from "./element.js";
import { ask, button, field, input, messageOf } from "./form.js";
import { enProposals } from "./en-proposals.js";
import { esProposals } from "./es-proposals.js";
import { page, parts, report } from "./frame.js";
import { pager, wanted } from "./pager.js";
import { about, adviceOf, changesOf, conflictsOf, decisionOf, impactOf, titleOf } from "./proposal-card.js";
import { keepAsDraft, opens } from "./proposal-draft.js";
import { storeOf } from "./store-access.js";
import "./widget-words.js";
import { addTexts, say } from "./words.js";

addTexts({ en: enProposals, es: esProposals });

const id = parts[1];
const base = `/stores/${id}/proposals`;
const PAGE = 50;

// Decides with the state that was shown; if it is another by now, that is shown.
async function decided(path, body, etag, done, redraw) {
  try {
    await call("POST", path, body, etag);
    report(say(done));
  } catch (error) {
    const changed = error instanceof CallError && [409, 412].includes(error.status);
    if (!changed) throw error;
    report(error.details?.conflicts ? messageOf(error) : say("proposalChanged"), true);
  }
  await redraw();
}

function actions(me, proposal, etag, chosen, redraw) {
  const path = `${base}/${proposal.id}`;
  const reason = input({ maxLength: 500 });
  const apply = async (text, resources) => {
    const about = [el("p", {}, say("applyAsk")), resources ? el("p", {}, say("applyLeaves")) : []];
    if (await ask(text, about, text))
      await decided(`${path}/apply`, resources ? { resources } : {}, etag, "proposalApplied", redraw);
  };
  const reject = async () => {
    const about = [el("p", {}, say("rejectAsk")), field("reason", say("rejectReason"), reason)];
    if (await ask(say("rejectProposal"), about, say("rejectProposal")))
      await decided(`${path}/reject`, { reason: reason.value }, etag, "proposalRejected", redraw);
  };
  const some = button(say("applySelected"), () => apply(say("applySelected"), [...chosen]), report);
  const selectable = proposal.kind === "draft" && proposal.resources.length > 1;
  return el(
    "div",
    { className: "row" },
    button(say("applyProposal"), () => apply(say("applyProposal"), null), report, "button strong"),
    selectable ? some : null,
    opens(proposal)
      ? button(
          say("openInWorkbench"),
          async () => {
            await keepAsDraft(me, id, proposal, etag);
            location.assign(`/panel/stores/${id}/workbench`);
          },
          report,
        )
      : null,
    button(say("rejectProposal"), reject, report),
  );
}

async function open(me, store, one, redraw) {
  const { data: proposal, etag } = await call("GET", `${base}/${one.id}`);
  await learnNames(id, [{ resource: "configuration", changes: proposal.changes }]);
  const chosen = new Set(proposal.resources);
  const choice = (resource, on) => (on ? chosen.add(resource) : chosen.delete(resource));
  const selectable = store.editor && proposal.kind === "draft" && proposal.resources.length > 1;
  return el(
    "article",
    { className: "card stack", "data-proposal": proposal.id },
    el("h2", {}, titleOf(proposal)),
    about(proposal),
    conflictsOf(proposal),
    changesOf(proposal, selectable ? choice : null),
    adviceOf(proposal),
    impactOf(proposal, `${base}/${proposal.id}`),
    store.editor ? actions(me, proposal, etag, chosen, redraw) : el("p", { className: "quiet" }, say("proposalViewer")),
  );
}

// A decided proposal, whose changes are read when it is opened.
function ended(one) {
  const inside = el("div", { "aria-live": "polite" });
  const whole = el("details", { className: "card" }, el("summary", {}, titleOf(one), " ", decisionOf(one)), inside);
  whole.addEventListener("toggle", async () => {
    if (!whole.open || inside.childNodes.length > 0) return;
    try {
      const proposal = await get(`${base}/${one.id}`);
      await learnNames(id, [{ resource: "configuration", changes: proposal.changes }]);
      fill(inside, about(proposal), changesOf(proposal, null));
    } catch (error) {
      fill(inside, el("p", { className: "wrong" }, messageOf(error)));
    }
  });
  return whole;
}

// What proposals are, where there was none yet, and the way to the first one.
function never(store) {
  return el(
    "section",
    { className: "card" },
    el("p", {}, say(store.owner ? "neverProposals" : "neverProposalsElse")),
    store.owner ? el("a", { className: "button", href: `/panel/stores/${id}/keys` }, say("agentsGo")) : null,
  );
}

page(async (main, me) => {
  const store = await storeOf(me, id);
  const redraw = async () => {
    const query = wanted(["page"]);
    query.set("limit", String(PAGE));
    const [waiting, { data: all, meta }] = await Promise.all([
      get(`${base}?state=open&limit=${PAGE}`),
      call("GET", `${base}?${query}`),
    ]);
    const others = all.filter((one) => one.state !== "open");
    // One after the other: each is compared with what is saved now.
    const cards = [];
    for (const one of waiting) cards.push(await open(me, store, one, redraw));
    const none = meta.total > 0 ? el("p", {}, say("noProposals")) : never(store);
    fill(
      main,
      el("h1", {}, say("proposalsOf", { name: store.name })),
      el("p", { className: "quiet" }, say("proposalsAbout")),
      cards.length > 0 ? cards : none,
      others.length > 0 ? [el("h2", {}, say("proposalsEnded")), others.map(ended)] : null,
      pager(meta),
    );
  };
  await redraw();
});
