// What the lists of synonyms, rules and filters share: dialogs that create and edit, switches, deletion with a
// question.

import { call } from "./call.js";
import { el } from "./element.js";
import { ask, button, dialog, form } from "./form.js";
import { report } from "./frame.js";
import { patchOf, valueAt } from "./paths.js";
import { say } from "./words.js";

// Opens a dialog that saves a record; without `path` of one it creates a record of `list`, from `initial`. `fields`
// makes the form, `read` returns the record that it says, of which `paths` are saved.
export async function edit({ title, list, path = null, initial, fields, read, paths = null, saved }) {
  const present = path ? await call("GET", path) : null;
  const record = present?.data ?? initial;
  const whole = dialog(
    title,
    form({
      fields: fields(record, Boolean(path)),
      button: say("save"),
      send: async (values, element) => {
        const next = read(values, record, element);
        await (path
          ? call(
              "PUT",
              path,
              patchOf(Object.fromEntries(paths.map((name) => [name, valueAt(next, name) ?? null]))),
              present.etag,
            )
          : call("POST", list, next));
        whole.close();
        report(say("saved"));
        await saved();
      },
    }),
  );
  whole.querySelector("input, select, textarea")?.focus();
}

// The buttons of a record: edit, on or off, delete.
export function actions({ path, name, active, open, redraw }) {
  const turn = async () => {
    await call("PUT", path, { active: !active });
    report(say("saved"));
    await redraw();
  };
  const drop = async () => {
    if (!(await ask(say("deleteRecord"), el("p", {}, say("deleteRecordAsk", { name })), say("deleteRecord")))) return;
    await call("DELETE", path);
    report(say("recordDeleted"));
    await redraw();
  };
  const named = (text, action) => {
    const control = button(text, action, report, "button slim");
    control.setAttribute("aria-label", `${text}: ${name}`);
    return control;
  };
  return el(
    "div",
    { className: "row" },
    named(say("editRecord"), open),
    named(say(active ? "switchOff" : "switchOn"), turn),
    named(say("deleteRecord"), drop),
  );
}

// Buttons for the pages of a list that is already here.
export function localPager(at, pages, go) {
  if (pages < 2) return null;
  const step = (page, text) =>
    el("button", { className: "button slim", type: "button", onclick: () => go(page) }, text);
  const where = say("pageOf", { page: at, pages });
  return el(
    "nav",
    { className: "row", "aria-label": where },
    at > 1 ? step(at - 1, say("previous")) : null,
    el("span", {}, where),
    at < pages ? step(at + 1, say("next")) : null,
  );
}

// Returns the text of a file that somebody chose, or of the field beside it.
export async function chosenText(whole) {
  const [file] = whole.querySelector('[type="file"]').files;
  return file ? file.text() : whole.querySelector("textarea").value;
}
