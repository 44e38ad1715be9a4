// The parts of the widget that need no page: marks, words, prices, weights of texts, addresses, corrected queries.

import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";

const root = new URL("..", import.meta.url).pathname;
const load = async (name) => {
  const bundled = { absWorkingDir: root, entryPoints: [`src/${name}.ts`], bundle: true, format: "esm", write: false };
  const [file] = (await build(bundled)).outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(file.contents).toString("base64")}`);
};
const { pieces } = await load("show/mark");
const { fill } = await load("show/words");
const { money, number } = await load("show/money");
const { weight } = await load("box/panel");
const { read, write } = await load("results/address");
const { heading, proposal, requested } = await load("results/correction");

const text = (found) => found.map((one) => (one.marked ? `[${one.text}]` : one.text)).join("");

test("a highlighted name is cut at its marks, and its entities are decoded once", () => {
  assert.equal(text(pieces("x", "Big <em>te</em>nt &amp; &lt;b&gt; &quot;&#39;")), "Big [te]nt & <b> \"'");
  assert.equal(text(pieces("x", "&amp;lt;")), "&lt;");
});

test("anything but text and marks gives way to the plain name", () => {
  for (const bad of [
    "<b>x</b>",
    "<em>x",
    "x</em>",
    "<em><em>x</em></em>",
    "<em onclick=a>x</em>",
    "<EM>x</EM>",
    "",
    undefined,
  ]) {
    assert.deepEqual(pieces("plain", bad), [{ text: "plain", marked: false }], String(bad));
  }
});

test("labels take their numbers, plurals and nothing else", () => {
  const labels = {
    a: "{n} of {q}, {other}",
    "a.one": "one {q}",
    "a.zero": "none",
    b: "{n} b",
    "b.few": "{n} few",
    c: "{constructor} {toString}",
  };
  const format = (n) => n.toLocaleString("en");
  const say = (key, values, language = "en") => fill(labels, language, format, key, values);
  assert.equal(say("a", { n: 1200, q: "{n}" }), "1,200 of {n}, {other}");
  assert.equal(say("a", { n: 1, q: "x" }), "one x");
  assert.equal(say("a", { n: 0, q: "x" }), "none");
  assert.equal(say("b", { n: 3 }, "pl"), "3 few");
  assert.equal(say("missing", { n: 3 }), "");
  assert.equal(say("c", { n: 3 }), "{constructor} {toString}");
  assert.equal(say("b", { n: 3 }, "not a language"), "3 b");
});

test("prices have the declared decimals and symbol, in the page's language", () => {
  const declared = [
    { code: "EUR", decimals: 2, symbol: "€" },
    { code: "JPY", decimals: 0, symbol: "円" },
  ];
  assert.equal(money(1234.5, "EUR", declared, "en"), "€1,234.50");
  assert.match(money(1234.5, "EUR", declared, "de"), /^1\.234,50\s€$/);
  assert.match(money(1234, "JPY", declared, "en"), /円\s?1,234/);
  assert.equal(money(5, undefined, declared, "en"), "5.00");
  assert.match(money(5, "nonsense", declared, "en"), /^5 nonsense$/);
  assert.equal(number(1.239, "en"), "1.24");
});

test("characters that are words of their own count twice", () => {
  assert.deepEqual(["te", " te ", "日本", "にほ", "한", "😀", ""].map(weight), [2, 2, 4, 4, 2, 1, 0]);
});

test("what is asked survives the address", () => {
  const state = {
    q: "a,b & c",
    sort: "price_asc",
    pages: 3,
    filters: {
      manufacturer: ["1", "a,b", "c\\d"],
      price: { min: 10, max: 20.5 },
      rating: { min: 4 },
      "attributes.1": ["10-20"],
      feature_num: { max: 3 },
    },
  };
  const address = write("https://shop.example/find?page=2&fw_f.old=1#x", "fw_q", state);
  assert.deepEqual(read(new URL(address).search, "fw_q"), state);
  assert.match(address, /page=2/);
  assert.doesNotMatch(address, /old/);
  assert.equal(write(address, "fw_q", undefined), "https://shop.example/find?page=2#x");
  assert.equal(read("?x=1", "fw_q"), undefined);
});

test("a hostile address is read within its bounds", () => {
  const many = Array.from({ length: 500 }, (_, at) => `fw_f.f${at}=1`).join("&");
  const state = read(`?fw_q=${"x".repeat(900)}&fw_n=9999999&fw_sort=&fw_f.a=-&fw_f.b=,,&${many}`, "fw_q");
  assert.equal(state.q.length, 500);
  assert.equal(state.pages, 100);
  assert.equal(state.sort, "relevance");
  assert.equal(state.filters.b, undefined);
  assert.ok(Object.keys(state.filters).length <= 64);
  assert.equal(read("?fw_q=a&fw_n=-5", "fw_q").pages, 1);
});

test("addresses of random filters come back as they were", () => {
  let seed = 7;
  const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  const characters = ["a", ",", "\\", "-", "1", "é", "&", "%", "=", " ", "+", "#"];
  for (let round = 0; round < 500; round += 1) {
    const value = () => Array.from({ length: 1 + random(5) }, () => characters[random(characters.length)]).join("");
    const filters = { f: Array.from({ length: 1 + random(4) }, value) };
    const address = write("https://shop.example/", "s", { q: "x", sort: "relevance", pages: 1, filters });
    assert.deepEqual(read(new URL(address).search, "s").filters, filters, address);
  }
});

test("a corrected query is asked for under the response that proposed it, unless the words are wanted as typed", () => {
  const response = { queryId: "first", correctedQuery: { text: "tent", reason: "spelling" } };
  assert.deepEqual(proposal(response, false), { text: "tent", of: "first" });
  assert.equal(proposal(response, true), undefined);
  assert.equal(proposal({ queryId: "first" }, false), undefined);
  assert.equal(proposal({ queryId: "first", correctedQuery: null }, false), undefined);
  assert.deepEqual(requested("tnet", proposal(response, false)), { q: "tent", correctionOf: "first" });
  assert.deepEqual(requested("tnet", undefined), { q: "tnet" });
});

test("the heading names what was typed and what is shown", () => {
  const say = (key, values) => `${key} ${JSON.stringify(values)}`;
  const correction = { text: "tent", of: "first" };
  assert.equal(heading(say, "tnet", 8, correction), 'none.corrected {"q":"tnet","text":"tent"}');
  assert.equal(heading(say, "tnet", 0, undefined), 'none.title {"n":0,"q":"tnet"}');
  assert.equal(heading(say, "tent", 8, undefined), 'results.countFor {"n":8,"q":"tent"}');
  assert.equal(heading(say, "", 8, undefined), 'results.count {"n":8}');
});
