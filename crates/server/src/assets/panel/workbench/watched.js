// The watched queries: what the draft moves among the first ten products of each, the worst first.

import { get } from "../call.js";
import { el, fill } from "../element.js";
import { button, field, form, input, messageOf } from "../form.js";
import { report } from "../frame.js";
import { changeWatched, readWatched, watchKey, watching as watchIt } from "../watch-list.js";
import { ask } from "./ask.js";
import { closeDrawer, openDrawer, uncover } from "./drawer.js";
import { body, tried } from "./draft-parts.js";
import { showWatched } from "./foot.js";
import { base, id, on, state } from "./state.js";
import { setQuery } from "./top.js";
import { say } from "./words.js";
import { languageName } from "../language-names.js";

const AT_ONCE = 25;
const QUIET_MS = 300;
const NAMED_MAX = 8;

let list = { queries: [], etag: null };
let place = null;
let timer = 0;
let round = 0;
const effects = new Map();

const key = watchKey;
const lost = (one) => one.total === 0 && one.savedTotal > 0;
const won = (one) => one.total > 0 && one.savedTotal === 0;
const moves = (one) => one.moved + one.entered + one.left > 0 || one.total !== one.savedTotal;
const weight = (one) => (lost(one) ? 1000 : 0) + (won(one) ? 500 : 0) + one.left * 3 + one.entered * 2 + one.moved;

function sums() {
  const all = [...effects.values()];
  if (list.queries.length === 0 || all.length === 0 || (state.restore === null && !body())) return "";
  const gone = all.filter(lost).length;
  return (
    say("watchedSums", { n: all.filter(moves).length, of: list.queries.length }) +
    (gone > 0 ? `, ${say("watchedLost", { n: gone })}` : "")
  );
}

function effectText(one) {
  if (!one) return "";
  if (lost(one)) return say("losesResults", { n: one.savedTotal });
  if (won(one)) return say("winsResults", { n: one.total });
  if (!moves(one)) return say("nothingMoved");
  return say("watchedMoves", { moved: one.moved, entered: one.entered, left: one.left });
}

// Changes the list and looks at all of it anew.
async function edit(change) {
  list = await changeWatched(id, list, change);
  effects.clear();
  draw();
  again();
}

const without = (one) => edit((all) => all.filter((other) => key(other) !== key(one)));
const adding = (q, lang, note = "") => edit(watchIt({ q, lang, note }));

function row(one) {
  const effect = effects.get(key(one));
  const open = el(
    "button",
    {
      className: "link",
      type: "button",
      onclick: () => {
        setQuery(one.q, one.lang);
        uncover();
      },
    },
    one.q,
  );
  return el(
    "li",
    { className: "watch", "data-query": one.q },
    el(
      "div",
      { className: "row between" },
      el("span", {}, open, " ", el("small", { className: "quiet" }, languageName(one.lang))),
      state.store.editor ? button(say("unwatch"), () => without(one), report, "link") : null,
    ),
    one.note ? el("p", { className: "quiet" }, one.note) : null,
    el("p", { className: effect && lost(effect) ? "advice high" : "quiet" }, effectText(effect)),
  );
}

const ordered = () =>
  [...list.queries].sort(
    (a, b) =>
      weight(effects.get(key(b)) ?? { total: 1, savedTotal: 1, moved: 0, entered: 0, left: 0 }) -
      weight(effects.get(key(a)) ?? { total: 1, savedTotal: 1, moved: 0, entered: 0, left: 0 }),
  );

function draw() {
  showWatched(sums());
  if (!place) return;
  const focused = place.contains(document.activeElement)
    ? document.activeElement.closest("[data-query]")?.dataset.query
    : null;
  fill(
    place,
    list.queries.length === 0 ? el("p", {}, say("noWatched")) : el("ul", { className: "plain" }, ordered().map(row)),
  );
  if (focused) place.querySelector(`[data-query="${CSS.escape(focused)}"] button`)?.focus();
}

// Queries of the search log that are not watched yet, each added by one press.
async function fromLog(content) {
  try {
    const lists = await Promise.all(
      ["top", "without_results"].map((kind) =>
        get(`${base}/analytics/queries?${new URLSearchParams({ kind, limit: "10", lang: state.query.lang })}`),
      ),
    );
    const parts = lists.map((queries, at) => {
      const fresh = queries.filter(
        (one) => !list.queries.some((other) => key(other) === key({ q: one.query, lang: one.language })),
      );
      if (fresh.length === 0) return null;
      return el(
        "section",
        { className: "stack" },
        el("h3", {}, say(`queryKind.${["top", "without_results"][at]}`)),
        el(
          "ul",
          { className: "plain" },
          fresh.map((one) =>
            el(
              "li",
              { className: "row between" },
              one.query,
              button(
                say("watch"),
                async (control) => {
                  await adding(one.query, one.language);
                  control.closest("li").remove();
                },
                report,
                "link",
              ),
            ),
          ),
        ),
      );
    });
    fill(content, parts);
  } catch {
    fill(content, el("p", { className: "quiet" }, say("searchesUnavailable")));
  }
}

function show() {
  const content = openDrawer(say("watched"), () => {
    place = null;
  });
  place = el("div", { className: "stack" });
  const log = el("div", { className: "stack" });
  const whole = state.store.editor
    ? form({
        fields: [
          field("watch", say("query"), input({ value: state.query.q, maxLength: 500 })),
          field("note", say("watchNote"), input({ maxLength: 500 })),
        ],
        button: say("watch"),
        send: async (values, element) => {
          if (!values.watch.trim()) return;
          await adding(values.watch, state.query.lang, values.note);
          element.reset();
        },
      })
    : null;
  fill(
    content,
    el("p", { className: "hint" }, say("watchedAbout")),
    place,
    whole,
    log,
    el("button", { className: "button slim", type: "button", onclick: closeDrawer }, say("close")),
  );
  draw();
  if (state.store.editor) fromLog(log);
}

async function run() {
  round += 1;
  const turn = round;
  for (let from = 0; from < list.queries.length; from += AT_ONCE) {
    const found = await ask("preview/watched", () => ({
      ...tried(),
      from,
      count: AT_ONCE,
      visitor: state.query.visitor,
      at: state.query.at,
    }));
    if (turn !== round) return;
    for (const one of found) effects.set(key(one), one);
    draw();
  }
}

// A draft that cannot be tried does nothing to any query.
function forget() {
  effects.clear();
  draw();
}

function again() {
  clearTimeout(timer);
  timer = setTimeout(() => run().catch(forget), QUIET_MS);
}

// In the review: what the draft moves.
function review(content) {
  const worst = ordered()
    .map((one) => [one, effects.get(key(one))])
    .filter(([, effect]) => effect && moves(effect));
  fill(
    content,
    worst.length === 0
      ? null
      : [
          el("h3", {}, sums()),
          el(
            "ul",
            {},
            worst.slice(0, NAMED_MAX).map(([one, effect]) => el("li", {}, `${one.q}: ${effectText(effect)}`)),
          ),
        ],
  );
}

export async function watching() {
  on("watched", show);
  on("draft", again);
  on("saved", again);
  on("review", review);
  try {
    list = await readWatched(id);
    again();
  } catch (error) {
    report(messageOf(error), true);
  }
}
