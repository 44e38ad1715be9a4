// The synonym groups of a store: list, search, edit, and files that are checked before anything of them is saved.

import { PROPOSED } from "./alternatives.js";
import { call, get, post } from "./call.js";
import { SYNONYM_TYPES } from "./choices.js";
import { save } from "./download.js";
import { el, fill } from "./element.js";
import { button, field, form, input, select, table, textarea } from "./form.js";
import { page, parts, report, roleNotice } from "./frame.js";
import { pager, reload, wanted } from "./pager.js";
import { actions, chosenText, edit } from "./records.js";
import { storeOf } from "./store-access.js";
import { PATHS, readSynonym, synonymFields } from "./synonym-form.js";
import { isForeign, reason, say } from "./words.js";
import { languageName, languageOption, languageTitle } from "./language-names.js";

const id = parts[1];
const list = `/stores/${id}/synonyms`;
const FILTERS = ["q", "lang", "type", "active"];

const kinds = () => SYNONYM_TYPES.map((kind) => [kind, say(`direction.${kind}`)]);
const shown = (group) => (group.input ? `${group.input} → ${group.terms.join(", ")}` : group.terms.join(", "));

function filters(query, languages) {
  return el(
    "section",
    { className: "card" },
    form({
      fields: el(
        "div",
        { className: "columns" },
        field("q", say("containsText"), input({ type: "search", value: query.get("q") ?? "", maxLength: 200 })),
        field(
          "lang",
          say("language"),
          select([["", say("allLanguages")], ...languages.map(languageOption)], query.get("lang") ?? ""),
        ),
        field("type", say("synonymKind"), select([["", say("allKinds")], ...kinds()], query.get("type") ?? "")),
        field(
          "active",
          say("state"),
          select(
            [
              ["", say("allStates")],
              ["true", say("stateOn")],
              ["false", say("stateOff")],
            ],
            query.get("active") ?? "",
          ),
        ),
      ),
      button: say("show"),
      send: (values) => reload(values),
    }),
  );
}

// A term as a line of a file has it.
const quoted = (term) => (/[",\n#]|=>|^\s|\s$/.test(term) ? `"${term.replaceAll('"', '""')}"` : term);
const line = (group) => `${group.input ? `${quoted(group.input)} => ` : ""}${group.terms.map(quoted).join(",")}\n`;

async function saveAll(language) {
  const groups = await get(`${list}?lang=${encodeURIComponent(language)}`);
  save(`synonyms-${language}.csv`, groups.map(line).join(""), "text/csv;charset=utf-8");
}

// A file is checked as a whole; what it would create is saved by a second press.
function importing(languages, redraw) {
  const result = el("div", { className: "stack", role: "status" });
  const language = select(languages.map(languageOption), languages[0]);
  const whole = form({
    fields: [
      field("language", say("language"), language),
      field("file", say("csvFile"), el("input", { type: "file", accept: ".csv,.txt,text/csv,text/plain" })),
      field("csv", say("csvText"), textarea({ rows: 5, spellcheck: "false" }), say("csvHint")),
    ],
    button: say("checkFile"),
    send: async (_, form) => {
      const csv = await chosenText(form);
      const wanted = { language: language.value, csv };
      const report = await post(`${list}/check`, wanted);
      const wrong = report.errors.map((one) =>
        el(
          "li",
          {},
          say("csvLine", { n: one.line }),
          ": ",
          el("span", { lang: isForeign(one.translatable) ? "en" : undefined }, reason(one.reason, one.translatable)),
        ),
      );
      const more = report.more ? el("p", {}, say("csvMore", { n: report.more })) : null;
      fill(
        result,
        el("p", {}, say("csvChecked", { n: report.created }), " ", say("csvSkipped", { n: report.skipped })),
        wrong.length > 0 ? el("ul", {}, wrong) : null,
        more,
        report.created > 0 ? confirmButton(wanted, report.created, redraw) : null,
      );
    },
  });
  return el("details", { className: "card" }, el("summary", {}, say("importCsv")), whole, result);
}

function confirmButton(wanted, n, redraw) {
  return button(
    say("importGroups", { n }),
    async () => {
      const done = await post(`${list}/import`, wanted);
      report(say("imported", { n: done.created }));
      await redraw();
    },
    report,
    "button strong",
  );
}

page(async (main, me) => {
  const store = await storeOf(me, id);
  const query = wanted(FILTERS);
  const redraw = async () => {
    const paged = wanted([...FILTERS, "page"]);
    paged.set("limit", "100");
    const { data: groups, meta } = await call("GET", `${list}?${paged}`);
    const blank = {
      language: query.get("lang") ?? store.languages[0],
      type: SYNONYM_TYPES[0],
      terms: [],
      alternatives: PROPOSED,
    };
    const fields = (group, saved) => synonymFields(group, { saved, languages: saved ? null : store.languages });
    const open = (path, title) =>
      edit({ title, list, path, initial: blank, fields, read: readSynonym, paths: PATHS, saved: redraw });
    const create = button(say("newSynonym"), () => open(null, say("newSynonym")), report, "button strong");
    const rows = groups.map((group) => {
      const path = `${list}/${group.id}`;
      const item = {
        path,
        name: shown(group),
        active: group.active,
        open: () => open(path, say("editSynonym")),
        redraw,
      };
      return [
        shown(group),
        languageTitle(group.language),
        say(`direction.${group.type}`),
        say(group.active ? "stateOn" : "stateOff"),
        store.editor ? actions(item) : "",
      ];
    });
    const heads = [say("synonymTerms"), say("language"), say("synonymKind"), say("state"), say("actions")];
    const filtered = query.size > 0;
    const none = [
      el("p", {}, say(filtered ? "noRecordMatches" : "noSynonyms")),
      filtered
        ? null
        : el(
            "a",
            { className: "button", href: `/panel/stores/${id}/searches?kind=without_results` },
            say("queryKind.without_results"),
          ),
    ];
    const language = query.get("lang") ?? store.languages[0];
    fill(
      main,
      el("h1", {}, say("synonymsOf", { name: store.name })),
      store.editor ? null : await roleNotice(store.account),
      filters(query, store.languages),
      el(
        "div",
        { className: "row between" },
        el("p", { className: "quiet" }, say("groupsFound", { n: meta.total })),
        el(
          "div",
          { className: "row" },
          store.editor ? create : null,
          meta.total > 0
            ? button(say("downloadCsvOf", { language: languageName(language) }), () => saveAll(language), report)
            : null,
        ),
      ),
      rows.length > 0 ? table(say("synonyms"), heads, rows) : none,
      pager(meta),
      store.editor ? importing(store.languages, redraw) : null,
    );
  };
  await redraw();
});
