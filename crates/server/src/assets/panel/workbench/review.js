// The review: each change old and new with a box, decisions where others saved the same, a note, and the save.

import { CallError, get } from "../call.js";
import { fieldName, partText } from "../change-values.js";
import { productsOf } from "../change-words.js";
import { el, fill, freshId } from "../element.js";
import { dialog, field, input, messageOf, translated } from "../form.js";
import { report, roleNotice } from "../frame.js";
import { learn } from "../product-names.js";
import { errorName, placeOf } from "./draft-errors.js";
import { changes } from "./draft-parts.js";
import { changeName } from "./labels.js";
import { conflicts, keepMine, takeTheirs } from "./merge.js";
import { others, save } from "./saving.js";
import { emit, state } from "./state.js";
import { say, time } from "./words.js";

const NOTE_CHARACTERS_MAX = 500;
const HIDDEN = ["id", "createdAt", "updatedAt", "status"];

function values(one) {
  if (one.verb === "delete") return null;
  const lines =
    one.verb === "create"
      ? Object.entries(one.record)
          .filter(([key]) => !HIDDEN.includes(key))
          .map(([path, to]) => [path, undefined, to])
      : Object.entries(one.fields).map(([path, { from, to }]) => [path, from, to]);
  return el(
    "dl",
    { className: "changes" },
    lines.map(([path, from, to]) =>
      el(
        "div",
        {},
        one.kind === "relevance"
          ? el("dt", { className: "unseen" }, changeName(one))
          : el("dt", {}, fieldName(one.kind, path)),
        el(
          "dd",
          {},
          one.verb === "create"
            ? null
            : [el("del", {}, partText(path, from)), el("span", { "aria-label": say("becomes") }, " → ")],
          el("ins", {}, partText(path, to)),
        ),
      ),
    ),
  );
}

function whose(resource) {
  const one = others.get(resource);
  return one?.by
    ? say("theirsOf", { name: one.by.name, revision: one.revision ?? "?", time: time(one.at) })
    : say("theirs");
}

function decision(one, conflict, redraw) {
  const decide = (text, action) =>
    el(
      "button",
      {
        className: "button slim",
        type: "button",
        onclick: () => {
          action(conflict);
          redraw();
        },
      },
      text,
    );
  const who = whose(conflict.resource);
  if (conflict.gone)
    return el(
      "div",
      { className: "conflict" },
      el("p", {}, say("goneMeanwhile", { who })),
      el("div", { className: "row" }, decide(say("createAgain"), keepMine), decide(say("letItGo"), takeTheirs)),
    );
  if (conflict.deleted)
    return el(
      "div",
      { className: "conflict" },
      el("p", {}, say("changedMeanwhile", { who })),
      el("div", { className: "row" }, decide(say("deleteAnyway"), keepMine), decide(say("letItStay"), takeTheirs)),
    );
  const side = (title, name) =>
    el(
      "div",
      {},
      el("h4", {}, title),
      conflict.fields.map((part) =>
        el(
          "p",
          {},
          one.kind === "relevance" ? null : `${fieldName(one.kind, part.path)}: `,
          el("b", {}, partText(part.path, part[name])),
        ),
      ),
    );
  return el(
    "div",
    { className: "conflict" },
    el("p", {}, say("bothChanged")),
    el("div", { className: "sides" }, side(say("yours"), "mine"), side(who, "theirs"), side(say("before"), "from")),
    el("div", { className: "row" }, decide(say("keepMine"), keepMine), decide(say("takeTheirs"), takeTheirs)),
  );
}

function row(one, chosen, conflict, redraw) {
  const id = freshId("change");
  const box = el("input", { type: "checkbox", id, checked: chosen.get(one.key) !== false });
  box.addEventListener("change", () => {
    chosen.set(one.key, box.checked);
    redraw();
  });
  return el(
    "li",
    { className: "change", "data-key": one.key },
    el("span", { className: "check" }, box, el("label", { for: id }, changeName(one))),
    values(one),
    conflict ? decision(one, conflict, redraw) : null,
    el("p", { className: "wrong", hidden: true }),
  );
}

// Lays the errors of a save at the changes that they belong to; returns those without one.
function lay(list, selected, errors) {
  return errors.filter(({ field: path, reason: text, translatable }) => {
    const place = placeOf(selected, path);
    if (!place) return true;
    const wrong = list.querySelector(`[data-key="${CSS.escape(place.change.key)}"] .wrong`);
    wrong.append(
      el("span", { "data-field": path }, place.part ? `${place.part}: ` : "", translated(text, translatable)),
      " ",
    );
    wrong.hidden = false;
    return false;
  });
}

// Whoever may not save any more sees why; the draft stays.
async function forbidden() {
  const me = await get("/me");
  const account = me.accounts.find((one) => one.id === state.store.account.id);
  return account ? roleNotice(account) : el("p", {}, say("outOfReach"));
}

export function review() {
  if (changes().length === 0) return;
  const chosen = new Map();
  const list = el("ul", { className: "plain stack" });
  const about = el("p", { className: "quiet" });
  const wrong = el("div", { className: "wrong", role: "alert" });
  const note = input({ maxLength: NOTE_CHARACTERS_MAX });
  const button = el("button", { className: "button strong", type: "button" });
  const moving = el("div", { className: "moving" });
  const whole = dialog(
    say("reviewTitle"),
    about,
    list,
    moving,
    field("note", say("note"), note, say("noteHint")),
    wrong,
    el("div", { className: "row" }, button),
  );
  const keep = (key) => chosen.get(key) !== false;
  const selected = () => changes().filter((one) => keep(one.key));
  const redraw = () => {
    const all = changes();
    if (all.length === 0) return whole.close();
    const both = conflicts();
    const focused = list.contains(document.activeElement) ? document.activeElement.closest("li").dataset.key : null;
    fill(
      list,
      all.map((one) => row(one, chosen, both.get(one.key), redraw)),
    );
    if (focused) (list.querySelector(`[data-key="${CSS.escape(focused)}"] input`) ?? button).focus();
    const open = selected().filter((one) => both.has(one.key)).length;
    about.textContent = open > 0 ? say("decideFirst", { n: open }) : say("reviewAbout");
    button.textContent = say(others.size > 0 ? "saveOver" : "saveChanges", { n: selected().length });
    button.disabled = selected().length === 0 || open > 0;
    emit("review", moving);
  };
  button.addEventListener("click", async () => {
    button.disabled = true;
    fill(wrong);
    const sent = selected();
    try {
      const revision = await save(keep, note.value.trim());
      if (revision === null) return redraw();
      others.clear();
      whole.close();
      emit("done", revision);
      report("");
    } catch (error) {
      redraw();
      const rest = error instanceof CallError ? lay(list, sent, error.errors) : [];
      fill(
        wrong,
        rest.length > 0 || (error.errors ?? []).length === 0
          ? [
              el("p", {}, say("nothingSaved")),
              el(
                "p",
                {},
                rest.length > 0
                  ? rest.map((one) => [
                      `${errorName(sent, one.field)}: `,
                      translated(one.reason, one.translatable),
                      " ",
                    ])
                  : messageOf(error),
              ),
            ]
          : el("p", {}, say("nothingSaved")),
        error.code === "role_missing" || error.status === 404 ? await forbidden() : null,
      );
    }
  });
  redraw();
  button.focus();
  const ids = changes().flatMap((one) => [
    ...productsOf({ path: "", before: undefined, after: one.record }),
    ...Object.entries(one.fields ?? {}).flatMap(([path, { from, to }]) =>
      productsOf({ path, before: from, after: to }),
    ),
  ]);
  learn(state.store.id, { ids, lang: state.query.lang }).then(redraw);
}
