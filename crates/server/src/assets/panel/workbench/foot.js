// The foot: how many changes are not saved and what they move, the steps back and forth, and the way to the review.

import { get } from "../call.js";
import { el, fill } from "../element.js";
import { ask, button, messageOf } from "../form.js";
import { report } from "../frame.js";
import { canRedo, canUndo, count, discard, redo, undo } from "./draft.js";
import { touched } from "./draft-parts.js";
import { conflicts, settleEqual } from "./merge.js";
import { review } from "./review.js";
import { lastSave, takeBack } from "./saving.js";
import { loadSaved, saved } from "./saved.js";
import { base, emit, on, state } from "./state.js";
import { say, time } from "./words.js";

const POLL_MS = 20_000;

const text = el("span", { className: "unsaved" });
const watched = el("span", { className: "quiet", role: "status" });
const done = el("p", { className: "done", role: "status" });
const news = el("p", { className: "news", role: "status" });
let controls = null;

const plain = (label, action) => el("button", { className: "button slim", type: "button", onclick: action }, label);

function draw() {
  const n = count();
  const both = conflicts().size;
  text.textContent =
    n === 0 ? say("noChangesYet") : say("unsaved", { n }) + (both > 0 ? ` · ${say("conflictsNow", { n: both })}` : "");
  // On narrow screens the button for the review says as much.
  text.classList.toggle("repeated", n > 0 && both === 0);
  if (!controls) return;
  const [back, forth, away, save] = controls.children;
  back.disabled = !canUndo();
  forth.disabled = !canRedo();
  away.disabled = n === 0;
  save.disabled = n === 0;
  save.textContent = n === 0 ? say("review") : say("reviewChanges", { n });
}

async function tookBack() {
  try {
    const revision = await takeBack();
    fill(done, say("undone", { n: revision }));
  } catch (error) {
    const by = error.details?.stale?.map((one) => one.by?.name).filter(Boolean) ?? [];
    fill(
      done,
      error.status === 412
        ? say("notUndone", { name: [...new Set(by)].join(", ") || say("somebody") })
        : messageOf(error),
    );
  }
}

function wasSaved(revision) {
  const back = lastSave.revision === null ? null : button(say("undoSave"), tookBack, report, "button slim");
  const { later, only } = lastSave;
  const reached = later === null ? "reachedNow" : only ? "reachedLater" : "reachedBoth";
  const said = say(reached, { time: later === null ? "" : time(later) });
  fill(done, say("savedAsRevision", { n: revision }), " ", said, " ", back);
  back?.focus({ preventScroll: true });
}

// The revision after which others' saves are still to be said; null if there is none.
let unsaid = null;

// Says what others saved. If that cannot be read, the next poll tries again.
async function sayNews() {
  if (unsaid === null) return;
  const since = unsaid;
  const { newsSince } = await import("./news.js");
  const said = await newsSince(since);
  if (unsaid !== since) return;
  unsaid = null;
  fill(news, said, conflicts().size > 0 ? ` ${say("othersConflict")}` : "");
}

// Asks whether somebody else has saved, and takes over what the draft does not touch.
async function poll() {
  if (document.hidden) return;
  try {
    const head = await get(`${base}/head`);
    const moved = state.catalogue !== null && head.catalogueChange !== state.catalogue;
    state.catalogue = head.catalogueChange;
    if (head.configRevision > saved.revision) {
      unsaid ??= saved.revision;
      await loadSaved(touched());
      settleEqual();
      draw();
    } else if (moved) emit("query");
    await sayNews();
  } catch {
    // The previews say that the server is away; the next poll asks again.
  }
}

export const showWatched = (line) => {
  watched.textContent = line;
};

export function foot() {
  const editable = state.store.editor && state.restore === null;
  if (editable) {
    controls = el(
      "div",
      { className: "row" },
      plain(say("undo"), undo),
      plain(say("redo"), redo),
      plain(say("discard"), async () => {
        if (await ask(say("discard"), el("p", {}, say("discardAsk", { n: count() })), say("discard"))) discard();
      }),
      el("button", { className: "button strong", type: "button", onclick: review }),
    );
  }
  on("draft", draw);
  on("saved", draw);
  on("done", wasSaved);
  on("done", () => {
    unsaid = null;
    fill(news);
  });
  on("draft", () => {
    if (count() > 0) fill(done);
  });
  draw();
  setInterval(poll, POLL_MS);
  document.addEventListener("visibilitychange", poll);
  poll();
  return el(
    "section",
    { className: "bench-foot", "aria-label": say("draftState") },
    el("div", { className: "stack" }, news, done, el("div", { className: "row" }, editable ? text : null, watched)),
    controls,
  );
}
