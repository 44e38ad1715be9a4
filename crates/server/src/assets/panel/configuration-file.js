// The configuration as one file: downloaded, imported and copied from another store, tried before anything is saved.

import { call, get, put } from "./call.js";
import { changeList } from "./changes.js";
import { say } from "./configuration-words.js";
import { save } from "./download.js";
import { el, fill } from "./element.js";
import { pathName } from "./error-words.js";
import { button, field, form, select, translated } from "./form.js";
import { report } from "./frame.js";

const BYTES_MAX = 20 * 1024 * 1024;
const MODES = ["replace", "merge"];
const OTHERS = 100;

// Returns the content of the file that was chosen, or null, and says why.
async function chosenFile(whole) {
  const file = whole.querySelector("[type=file]").files[0];
  const wrong = (key) => {
    report(say(key), true);
    return null;
  };
  if (!file) return wrong("chooseFile");
  if (file.size > BYTES_MAX) return wrong("fileTooLarge");
  try {
    return JSON.parse((await file.text()).replace(/^\uFEFF/, ""));
  } catch {
    return wrong("noConfigurationFile");
  }
}

function counts(parts) {
  return el(
    "ul",
    {},
    Object.entries(parts).map(([name, of]) =>
      el("li", {}, say("importCounts", { part: say(`filePart.${name}`), ...of })),
    ),
  );
}

function effect(impact) {
  if (!impact) return null;
  const { measured, changed, lostAllResults } = impact;
  return el("p", {}, say("importImpact", { measured, changed: changed.top10, lost: lostAllResults }));
}

// Shows what an import would do, and saves it by a second press.
async function tryFirst(path, body, result) {
  const tried = await call("PUT", `${path}&dryRun=true`, body);
  const { parts, advice } = tried.data;
  const changes = tried.changes ?? [];
  const confirm = button(
    say("saveImport"),
    async () => {
      await put(path, body);
      fill(result);
      report(say("configurationImported"));
    },
    report,
    "button strong",
  );
  fill(
    result,
    counts(parts),
    effect(tried.impact),
    advice.map((one) =>
      el("p", { className: "quiet" }, `${pathName(one.field)}: `, translated(one.text, one.translatable)),
    ),
    el("details", {}, el("summary", {}, say("importChanges", { n: changes.length })), changeList(changes)),
    tried.changesMore ? el("p", { className: "quiet" }, say("importChangesMore", { n: tried.changesMore })) : null,
    changes.length > 0 ? confirm : el("p", {}, say("importNothing")),
  );
}

function mode() {
  const choices = MODES.map((name) => [name, say(`importMode.${name}`)]);
  return field("mode", say("importMode"), select(choices, MODES[0]));
}

function importForm(base) {
  const result = el("div", { role: "status" });
  const file = el("input", { type: "file", accept: ".json,application/json" });
  const whole = form({
    fields: [field("file", say("configurationFile"), file), mode()],
    button: say("tryImport"),
    send: async (values, sent) => {
      const content = await chosenFile(sent);
      if (content !== null) await tryFirst(`${base}/configuration?mode=${values.mode}`, content, result);
    },
  });
  return el("details", {}, el("summary", {}, say("importConfiguration")), whole, result);
}

function copyForm(base, others) {
  const result = el("div", { role: "status" });
  const choices = others.map((store) => [store.id, store.name]);
  const whole = form({
    fields: [field("store", say("storeToCopy"), select(choices, choices[0][0])), mode()],
    button: say("tryImport"),
    send: (values) =>
      tryFirst(`${base}/configuration?mode=${values.mode}`, { copyFrom: { storeId: values.store } }, result),
  });
  return el("details", {}, el("summary", {}, say("copyConfiguration")), whole, result);
}

// Returns the card of a store; only editors import and copy.
export async function configurationCard(store) {
  const base = `/stores/${store.id}`;
  const stores = store.editor ? await get(`/stores?limit=${OTHERS}`) : [];
  const others = stores.filter((one) => one.id !== store.id);
  const download = button(
    say("downloadConfiguration"),
    async () => {
      const { data } = await call("GET", `${base}/configuration`);
      save(`configuration-${store.id}.json`, `${JSON.stringify(data, null, 2)}\n`, "application/json");
    },
    report,
  );
  return el(
    "section",
    { className: "card" },
    el("h2", {}, say("configurationAsFile")),
    el("p", { className: "quiet" }, say("configurationAbout")),
    el("div", { className: "row" }, download),
    store.editor ? importForm(base) : null,
    others.length > 0 ? copyForm(base, others) : null,
  );
}
