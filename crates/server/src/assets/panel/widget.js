// The designer of the widget: its settings beside the real widget, and the shop's own code.

import { call, get, post } from "./call.js";
import { confirmed } from "./confirm.js";
import { el, fill } from "./element.js";
import { button, field, form, input, select, textarea } from "./form.js";
import { stepsOf } from "./first-steps.js";
import { page, parts, report, roleNotice } from "./frame.js";
import { pagesLine, pagesSeen } from "./pages-line.js";
import { storeOf } from "./store-access.js";
import { controls, patchOf, shownWith } from "./widget-form.js";
import { configOf, preview } from "./widget-preview.js";
import { say } from "./words.js";
import { languageOption } from "./language-names.js";

const id = parts[1];
const base = `/stores/${id}/widget`;

function off(whole) {
  for (const control of whole.querySelectorAll("input, select, textarea, button")) control.disabled = true;
  return whole;
}

// The shop's own code. It runs in the preview once it is saved.
function code(store, loaded, saved, notice) {
  let { etag } = loaded;
  const text = (name) =>
    textarea({ rows: 8, spellcheck: "false", autocapitalize: "off", className: "code" }, loaded.data[name] ?? "");
  const whole = form({
    fields: [
      field("customCSS", say("customCSS"), text("customCSS")),
      field("customJS", say("customJS"), text("customJS")),
    ],
    button: say("saveCode"),
    send: async (values) => {
      const body = { customCSS: values.customCSS || null, customJS: values.customJS || null };
      ({ etag } = await confirmed(() => call("PUT", `${base}/custom`, body, etag)));
      report(say("saved"));
      saved();
    },
  });
  return el(
    "section",
    { className: "card" },
    el("h2", {}, say("customCode")),
    el("p", { className: "quiet" }, say("customCodeAbout")),
    notice,
    store.owner ? whole : off(whole),
  );
}

function noKey(store, redraw) {
  const make = button(
    say("makePreviewKey"),
    async () => {
      await confirmed(() => post(`/stores/${id}/keys`, { kind: "search-only", name: say("previewKeyName") }));
      await redraw();
    },
    report,
    "button strong",
  );
  return [el("p", {}, say("noPreviewKey")), store.owner ? make : null];
}

page(async (main, me) => {
  const store = await storeOf(me, id);
  const notice = store.owner ? null : await roleNotice(store.account);
  const redraw = async () => {
    const [loaded, custom, about, steps] = await Promise.all([
      call("GET", base),
      call("GET", `${base}/custom`),
      get(`${base}/preview-key`),
      stepsOf(id),
    ]);
    const { key } = about;
    const language = select(
      store.languages.map(languageOption),
      new URLSearchParams(location.search).get("lang") ?? store.languages[0],
    );
    language.addEventListener("change", () => location.assign(`?lang=${language.value}`));
    const config = key ? await configOf(key, language.value) : null;
    const state = {
      languages: store.languages,
      language: language.value,
      labels: config?.labels ?? {},
      translations: structuredClone(loaded.data.translations ?? {}),
      defaultSearch: loaded.data.defaultSearch ?? {},
    };
    const query = input({ type: "search", value: "" });
    const shown = key ? preview(key, language.value, query) : null;
    let { etag } = loaded;
    let waiting = null;
    const show = () => shown?.show(shownWith(config, store.editor ? patchOf(whole, state) : initial));
    const changed = () => {
      clearTimeout(waiting);
      waiting = setTimeout(show, 200);
    };
    const whole = form({
      fields: controls(loaded.data, state, changed),
      button: say("saveWidget"),
      send: async () => {
        const { defaultSearch, ...patch } = patchOf(whole, state);
        const sent = JSON.stringify(defaultSearch);
        ({ etag } = await call("PUT", base, sent === firstSaved ? patch : { ...patch, defaultSearch }, etag));
        firstSaved = sent;
        report(say("savedForShops"));
      },
    });
    whole.addEventListener("input", changed);
    // Controls that are off say nothing, so this is read before.
    const initial = patchOf(whole, state);
    // What nobody has changed is not sent, so that it stays as it is saved.
    let firstSaved = JSON.stringify(initial.defaultSearch);
    if (!store.editor) off(whole);
    fill(
      main,
      el("h1", {}, say("widgetOf", { name: store.name })),
      // It stands where it is true: an editor may change all but the shop's own code.
      store.editor ? null : notice,
      el(
        "div",
        { className: "designer" },
        whole,
        el(
          "section",
          { className: "stack" },
          el(
            "div",
            { className: "columns" },
            field("previewLanguage", say("language"), language),
            field("previewQuery", say("query"), query, say("previewQueryHint")),
          ),
          shown ? shown.element : noKey(store, redraw),
        ),
      ),
      el(
        "details",
        { className: "card", open: steps !== null && !steps.pages.done },
        el(
          "summary",
          {},
          say("pagesLine"),
          steps ? el("span", { className: "hint" }, ` · ${pagesSeen(steps.pages)}`) : null,
        ),
        pagesLine(store, about, redraw),
      ),
      code(store, custom, () => shown?.reload(), store.editor ? notice : null),
    );
    if (shown) show();
  };
  await redraw();
});
