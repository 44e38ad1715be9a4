// The first steps of a store, each ticked off by what the service sees: products, pages of the shop, a search.

import { get } from "./call.js";
import { el } from "./element.js";
import { moduleDownload } from "./module-download.js";
import { pagesLine, pagesSeen } from "./pages-line.js";
import { say } from "./catalogue-words.js";

const EVERY_MS = 10_000;

// Returns the state of the steps; null if it cannot be read, because a page is complete without them.
export const stepsOf = (id) => get(`/stores/${id}/first-steps`).catch(() => null);

export const isOver = (steps) => steps === null || Object.values(steps).every((step) => step.done);

function mark(name, place) {
  const sign = el("span", { className: "tick", "aria-hidden": "true" });
  const words = el("span", { className: "unseen" });
  return {
    element: el("span", { "data-step": name }, sign, words),
    show: (done) => {
      sign.textContent = done ? "✓" : String(place);
      sign.classList.toggle("done", done);
      words.textContent = say(done ? "stepDone" : "stepOpen");
    },
  };
}

// Returns the card of the steps; `redraw` draws the page again. It looks again while the page is shown.
export async function firstSteps(store, first, releases, redraw) {
  const base = `/panel/stores/${store.id}`;
  const key = await get(`/stores/${store.id}/widget/preview-key`);
  const marks = Object.fromEntries(Object.keys(first).map((name, at) => [name, mark(name, at + 1)]));
  const seen = el("strong", { role: "status" });
  const step = (name, title, ...content) =>
    el("li", {}, el("div", { className: "row" }, marks[name].element, el("h3", {}, title)), content);
  const show = (steps) => {
    for (const [name, one] of Object.entries(marks)) one.show(steps[name].done);
    seen.textContent = pagesSeen(steps.pages);
  };
  const whole = el(
    "section",
    { className: "card steps" },
    el("h2", {}, say("firstSteps")),
    el(
      "ol",
      { className: "stack plain" },
      step(
        "catalogue",
        say("step.catalogue"),
        el("p", { className: "quiet" }, say("step.catalogueAbout")),
        el(
          "div",
          { className: "row" },
          store.editor
            ? el("a", { className: "button strong", href: `${base}/catalogue` }, say("addProducts"))
            : el("span", {}, say("step.catalogueEditor")),
          releases.map(moduleDownload),
          store.owner && releases.length > 0 ? el("a", { href: `${base}/keys` }, say("step.moduleKey")) : null,
        ),
      ),
      step(
        "pages",
        say("step.pages"),
        el("p", { className: "quiet" }, say("step.pagesAbout")),
        pagesLine(store, key, redraw),
        el("p", {}, seen),
      ),
      step(
        "search",
        say("step.search"),
        el("p", { className: "quiet" }, say("step.searchAbout")),
        el("p", {}, el("a", { className: "button", href: `${base}/workbench` }, say("trySearch"))),
      ),
    ),
  );
  show(first);
  const timer = setInterval(async () => {
    if (!whole.isConnected) {
      clearInterval(timer);
      return;
    }
    if (document.hidden) return;
    const steps = await stepsOf(store.id);
    if (steps === null) return;
    show(steps);
    if (isOver(steps)) clearInterval(timer);
  }, EVERY_MS);
  return whole;
}
