// The indices of a store with their documents and last change, and a button that creates those that are missing.

import { post } from "./call.js";
import { el } from "./element.js";
import { button, table } from "./form.js";
import { report } from "./frame.js";
import { languageNames, languageTitle } from "./language-names.js";
import { typeTitle } from "./scope-words.js";
import { ago, number, say, time } from "./words.js";

// A button that creates the indices of products that languages of the store lack.
function missing(store, detail, redraw) {
  const indexed = new Set(detail.indices.filter((index) => index.type === "products").map((index) => index.language));
  if (!store.editor || detail.languages.every((code) => indexed.has(code))) return null;
  return el(
    "div",
    { className: "row" },
    button(
      say("createIndices"),
      async () => {
        const made = await post(`/stores/${store.id}/indices`, {
          types: ["products"],
          languages: detail.languages.map((code) => ({ code })),
        });
        const skipped = made.languages.skipped ?? [];
        report(
          skipped.length > 0
            ? say("indicesSkipped", { languages: languageNames(skipped.map((one) => one.code)) })
            : say("indicesCreated"),
        );
        await redraw();
      },
      report,
      "button slim",
    ),
  );
}

// Returns the card of the indices with `more` at its end.
export function indexTable(store, detail, redraw, ...more) {
  const rows = detail.indices.map((index) => [
    typeTitle(index.type),
    languageTitle(index.language),
    number(index.documents),
    say(`indexState.${index.state}`),
    el("span", {}, ago(index.updatedAt), el("span", { className: "quiet" }, ` · ${time(index.updatedAt)}`)),
  ]);
  const heads = [say("indexType"), say("language"), say("documents"), say("state"), say("updated")];
  const none = el("p", {}, say("noIndices"));
  return el(
    "section",
    { className: "card" },
    el("h2", {}, say("indices")),
    rows.length > 0 ? table(say("indices"), heads, rows) : none,
    missing(store, detail, redraw),
    more,
  );
}
