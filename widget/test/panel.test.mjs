// The sentences of the control panel for what changed: every change has words in every language, without codes or ids.

import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";

const root = new URL("..", import.meta.url).pathname;
const panel = "../crates/server/src/assets/panel";
const contents = `
  export * from "${panel}/change-values.js";
  export * from "${panel}/change-words.js";
  import "${panel}/widget-words.js";
  export { remember } from "${panel}/product-names.js";
  export { reason, say, speak, time } from "${panel}/words.js";
`;
globalThis.document = { documentElement: {} };
const options = { absWorkingDir: root, bundle: true, format: "esm", write: false };
const [file] = (await build({ ...options, stdin: { contents, resolveDir: root } })).outputFiles;
const words = await import(`data:text/javascript;base64,${Buffer.from(file.contents).toString("base64")}`);
const { partText, reason, remember, sentences, speak, time } = words;

remember([
  { id: "p1", name: "Norte 2 tent" },
  { id: "p2", name: "Gas stove" },
]);

const group = { language: "en", type: "BIDIRECTIONAL", terms: ["tv", "television"], active: true };
const created = (record, under = "") =>
  Object.entries(record).map(([path, after]) => ({ path: `${under}${path}`, after }));

// Writes of every resource with their sentences.
const CASES = [
  [
    "relevance",
    [{ path: "searchSettings.salesBoost", before: 0.5, after: 0 }],
    ["Units sold 0.5 → 0"],
    ["Unidades vendidas 0,5 → 0"],
  ],
  [
    "relevance",
    [
      { path: "relevance.boosts.name", before: 6, after: 8 },
      { path: "relevance.searchSettings.minMatchShort", before: "75%", after: "50%" },
    ],
    ["Name 6 → 8", "Words that must match, short queries 75% → 50%"],
    ["Nombre 6 → 8", "Palabras que deben coincidir, consultas cortas 75 % → 50 %"],
  ],
  ["synonyms/k3x", created(group), ["Synonyms “tv = television” added"], ["Sinónimos «tv = television» añadidos"]],
  [
    "rules/r9z",
    [
      { path: "name", before: "Gifts", after: "Presents" },
      { path: "actions.pin", before: ["p1"], after: ["p2", "p1"] },
      { path: "active", before: true, after: false },
    ],
    [
      "Rule “Presents”: Name Gifts → Presents; pin products to the top Norte 2 tent → Gas stove, Norte 2 tent; Active yes → no",
    ],
    [
      "Regla «Presents»: Nombre Gifts → Presents; fijar productos arriba Norte 2 tent → Gas stove, Norte 2 tent; Activo sí → no",
    ],
  ],
  [
    "configuration",
    [
      ...created({ ...group, type: "UNIDIRECTIONAL", input: "telly" }, "synonyms/a."),
      { path: "widget.features.displayMode", before: "overlay", after: "page" },
      { path: "widget/custom.customCSS", after: { hash: "0f", bytes: 9 } },
    ],
    [
      "Synonyms “telly → tv, television” added",
      "Widget: Mode a layer over the page → results in a page of the shop",
      "Custom code changed",
    ],
    [
      "Sinónimos «telly → tv, television» añadidos",
      "Buscador: Modo una capa sobre la página → resultados en una página de la tienda",
      "Código propio cambiado",
    ],
  ],
  [
    "filters",
    [{ path: "f1", after: { field: "manufacturer", label: {}, type: "list" } }],
    ["Filter “Brand” added"],
    ["Filtro «Marca» añadido"],
  ],
];

test("each write has its sentences in both languages", () => {
  for (const [resource, changes, en, es] of CASES) {
    speak("en");
    assert.deepEqual(sentences(resource, changes), en);
    speak("es");
    const plain = sentences(resource, changes).map((one) => one.replace(/\u00a0/g, " "));
    assert.deepEqual(plain, es);
  }
});

test("values have no codes, and dates are those of the reader", () => {
  speak("en");
  const at = "2026-12-01T00:00:00Z";
  assert.equal(partText("startDate", at), time(at));
  assert.equal(reason(`must not be before startDate, ${at}`, undefined), `must not be before “From”, ${time(at)}`);
  const boost = { boost: [{ mode: "term", field: "manufacturer", value: "Norte", weight: 2 }] };
  assert.equal(partText("actions", boost), "boost products: Brand = Norte × 2");
  assert.equal(partText("trigger", { query: "", match: "contains" }), "every query");
  assert.equal(partText("type", "BIDIRECTIONAL"), "All of them mean the same");
  assert.equal(partText("theme", "brand-new"), "brand-new");
});

test("changes of any form have some words", () => {
  const values = [undefined, null, "", 0, 1.5, true, "x", [], ["a"], [{ a: 1 }], {}, { pin: 1 }, { a: { b: [null] } }];
  const paths = [
    "actions",
    "actions.pin",
    "actions.banner",
    "actions.x.y",
    "trigger.query",
    "label",
    "label.en",
    "config.sort",
  ];
  for (const resource of [
    "relevance",
    "rules/r1",
    "rules",
    "filters/f",
    "widget",
    "store",
    "configuration",
    "member/u",
  ])
    for (const path of [...paths, "rules/r1.actions.pin", "boosts.x", "features.sorts", "colors.primary", ""])
      for (const before of values)
        for (const after of values)
          for (const one of sentences(resource, [{ path, before, after }])) {
            assert.equal(typeof one, "string");
            assert.ok(!/undefined|\[object/.test(one), one);
          }
});
