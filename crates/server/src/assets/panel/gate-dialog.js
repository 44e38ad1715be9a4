// Asks whether to save what the gate of a store rejects: what moves, a box, and a reason.

import { el } from "./element.js";
import { dialog, field, form, messageOf, textarea } from "./form.js";
import { say } from "./gate-words.js";
import { languageName } from "./language-names.js";
import { isForeign } from "./words.js";

const REASON_CHARACTERS_MAX = 500;

function moved({ q, lang, changedTop3, lostAllResults }) {
  const what = lostAllResults ? "gateLost" : "gateTop3";
  return el(
    "li",
    {},
    el("bdi", { lang }, q),
    el("span", { className: "quiet" }, ` (${languageName(lang)})`),
    changedTop3 || lostAllResults ? `: ${say(what)}` : null,
  );
}

function list({ changedTop3, queries }) {
  const rest = changedTop3 - queries.filter((one) => one.changedTop3).length;
  return [
    el("ul", {}, queries.map(moved)),
    rest > 0 ? el("p", { className: "quiet" }, say("gateMore", { n: rest })) : null,
  ];
}

// Resolves to the reason of who saves all the same; null of who does not, or may not.
function reasonToForce(error, typed = "") {
  const { details } = error;
  const lang = isForeign(error.translatable) ? "en" : undefined;
  const about = [el("p", { lang, role: "alert" }, messageOf(error)), list(details)];
  return new Promise((resolve) => {
    let given = null;
    if (!details.forceAllowed) {
      const whole = dialog(say("gateTitle"), about);
      whole.addEventListener("close", () => resolve(null));
      return;
    }
    const box = el("input", { type: "checkbox", name: "force", value: "on" });
    const reason = textarea({ rows: 2, maxLength: REASON_CHARACTERS_MAX, required: true }, typed);
    const insist = form({
      fields: [el("label", { className: "check" }, box, say("gateForce")), field("note", say("gateReason"), reason)],
      button: say("gateForce"),
      send: async (values) => {
        given = values.note.trim();
        whole.close();
      },
    });
    const submit = insist.querySelector("[type=submit]");
    const redraw = () => {
      submit.disabled = !box.checked || reason.value.trim() === "";
    };
    insist.addEventListener("input", redraw);
    redraw();
    const whole = dialog(say("gateTitle"), about, insist);
    whole.addEventListener("close", () => resolve(given));
    box.focus();
  });
}

// Saves what was rejected with `error`, if the user insists and says why.
export async function insisted(error, send, method, path, body, ifMatch) {
  const note = await reasonToForce(error, body?.note);
  if (note === null) throw error;
  // A proposal has both in its body.
  if (path.endsWith("/apply")) return send(method, path, { ...body, note, force: true }, ifMatch);
  const forced = `${path}${path.includes("?") ? "&" : "?"}force=true`;
  // A note of the body would be another one.
  const rest = body && { ...body, note: undefined };
  return send(method, forced, rest, ifMatch, { "X-Change-Note": encodeURIComponent(note) });
}
