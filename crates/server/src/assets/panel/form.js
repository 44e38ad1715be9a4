// Forms and tables: labelled controls, errors beside the control that they belong to, buttons that wait.

import { el, fill, freshId } from "./element.js";
import { CallError } from "./call.js";
import { isForeign, reason, say } from "./words.js";

// Returns the message of an error for people.
export function messageOf(error) {
  if (!(error instanceof CallError)) return String(error);
  if (error.status === 0) return say("unreachable");
  if (error.code === "sign_in_failed") return say("signInFailed");
  if (error.code === "link_gone") return say("link.gone");
  if (error.code === "rate_limited") return say("tooMany", { n: Math.max(1, Math.ceil(error.retryAfter / 60)) });
  if (error.status === 412) return say("savedByOthers");
  return reason(error.message, error.translatable);
}

// What the service says in the language of the user, or marked as English; `message` is its key and values.
export function translated(text, message) {
  return el("span", { lang: isForeign(message) ? "en" : undefined }, reason(text, message));
}

// A labelled control. `control` is an input, select or textarea.
export function field(name, label, control, hint) {
  const id = freshId(name);
  const about = hint ? el("p", { className: "hint", id: `${id}-hint` }, hint) : null;
  const wrong = el("p", { className: "wrong", id: `${id}-wrong`, hidden: true });
  control.id = id;
  control.name = name;
  control.setAttribute("aria-describedby", [about && `${id}-hint`, `${id}-wrong`].filter(Boolean).join(" "));
  return el("div", { className: "field", "data-field": name }, el("label", { for: id }, label), control, about, wrong);
}

export const input = (attributes = {}) => el("input", { type: "text", ...attributes });

export const textarea = (attributes, text) => el("textarea", attributes, text);

export function select(options, chosen) {
  return el(
    "select",
    {},
    options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)),
  );
}

function clear(form) {
  for (const wrong of form.querySelectorAll(".wrong")) {
    wrong.hidden = true;
    wrong.textContent = "";
  }
  for (const control of form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
}

// Returns the field of a path, or of the nearest part of the path that has one.
function holderOf(form, path) {
  for (let part = path; part !== ""; part = part.replace(/(^|\.|\[)[^.[]*$/, "")) {
    const holder = form.querySelector(`[data-field="${CSS.escape(part)}"]`);
    if (holder !== null) return holder;
  }
  return null;
}

// Returns how paths of errors are called: whole, or within the part of the path that the form names. Errors of fields as
// a whole need no words for their parts.
async function namesFor(form, errors) {
  const whole = errors.every((one) => holderOf(form, one.field)?.dataset.field === one.field);
  const words = whole ? null : await import("./error-words.js").catch(() => null);
  return (path, within = "") => (path === within ? "" : (words?.pathName(path, { within }) ?? path));
}

// Shows above the button what has no control: errors of other parts, or the message of the response.
function layAbove(form, error, unplaced) {
  const all = form.querySelector(".form-wrong");
  all.textContent = unplaced.length > 0 ? unplaced.join(". ") : messageOf(error);
  all.lang = unplaced.length === 0 && messageOf(error) === error.message && isForeign(error.translatable) ? "en" : "";
  if (error.requestId) all.append(` ${say("requestId", { id: error.requestId })}`);
  all.hidden = false;
}

// Lays the errors of a response beside their controls. One that has words for what it is `about` is called by them.
async function lay(form, error) {
  const errors = error.errors ?? [];
  const named = await namesFor(form, errors);
  const unplaced = [];
  let first = null;
  for (const { field: path, reason: text, translatable, about } of errors) {
    const holder = holderOf(form, path);
    if (holder === null) {
      unplaced.push(`${about ?? named(path)}: ${reason(text, translatable)}`);
      continue;
    }
    const wrong = holder.querySelector(".wrong");
    const control = holder.querySelector("input, select, textarea");
    const line = [named(path, holder.dataset.field), reason(text, translatable)].filter(Boolean).join(": ");
    wrong.textContent = [wrong.textContent, line].filter(Boolean).join(". ");
    wrong.lang = isForeign(translatable) ? "en" : "";
    wrong.hidden = false;
    control?.setAttribute("aria-invalid", "true");
    first ??= control;
  }
  if (unplaced.length > 0 || errors.length === 0) layAbove(form, error, unplaced);
  first?.focus();
}

// A form whose button waits until `send` has ended. Nothing that was typed is lost when it fails.
export function form({ fields, button, send, quiet = [] }) {
  const submit = el("button", { className: "button strong", type: "submit" }, button);
  const wrong = el("p", { className: "wrong form-wrong", role: "alert", hidden: true });
  const whole = el("form", { novalidate: true }, fields, wrong, el("div", { className: "row" }, submit, quiet));
  whole.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    clear(whole);
    submit.disabled = true;
    try {
      await send(Object.fromEntries(new FormData(whole)), whole);
    } catch (error) {
      await lay(whole, error);
    } finally {
      submit.disabled = false;
    }
  });
  return whole;
}

// A table that scrolls within itself on small screens.
export function table(label, heads, rows) {
  const head = el(
    "tr",
    {},
    heads.map((text) => el("th", { scope: "col" }, text)),
  );
  const body = rows.map((cells) =>
    el(
      "tr",
      {},
      cells.map((cell, at) =>
        el(at === 0 ? "th" : "td", at === 0 ? { scope: "row" } : { "data-head": heads[at] }, cell),
      ),
    ),
  );
  return el(
    "div",
    { className: "scroll", role: "region", "aria-label": label, tabIndex: 0 },
    el("table", {}, el("thead", {}, head), el("tbody", {}, body)),
  );
}

// A button that waits until `action` has ended, and reports what went wrong to `report`.
export function button(text, action, report, className = "button") {
  const control = el("button", { className, type: "button" }, text);
  control.addEventListener("click", async () => {
    control.disabled = true;
    try {
      await action(control);
    } catch (error) {
      report(messageOf(error), true);
    } finally {
      control.disabled = false;
    }
  });
  return control;
}

// A text to copy, with its button.
export function copyable(label, text) {
  const id = freshId("copy");
  const said = el("span", { className: "said", role: "status" });
  const copy = el("button", { className: "button slim", type: "button", "aria-describedby": id }, say("copy"));
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = say("copied");
    } catch {
      said.textContent = say("copyFailed");
    }
  });
  return el(
    "div",
    { className: "copyable" },
    el("div", { className: "row between" }, el("strong", { id }, label), el("span", { className: "row" }, said, copy)),
    el("pre", { tabIndex: 0, "aria-labelledby": id }, text),
  );
}

// A dialog with a title; returns it opened. It is removed when it is closed.
export function dialog(title, ...content) {
  const id = freshId("dialog");
  const close = el(
    "button",
    { className: "close", type: "button", "aria-label": say("close"), onclick: () => whole.close() },
    "×",
  );
  const whole = el(
    "dialog",
    { "aria-labelledby": id },
    el("div", { className: "row between" }, el("h2", { id }, title), close),
    content,
  );
  whole.addEventListener("close", () => whole.remove());
  document.body.append(whole);
  whole.showModal();
  return whole;
}

// Asks before something that cannot be taken back; resolves to whether it was confirmed.
export function ask(title, content, action) {
  return new Promise((resolve) => {
    let confirmed = false;
    const yes = el(
      "button",
      {
        className: "button strong",
        type: "button",
        onclick: () => {
          confirmed = true;
          whole.close();
        },
      },
      action,
    );
    const no = el("button", { className: "button", type: "button", onclick: () => whole.close() }, say("cancel"));
    const whole = dialog(title, content, el("div", { className: "row" }, yes, no));
    whole.addEventListener("close", () => resolve(confirmed));
    no.focus();
  });
}

export { fill };
