// Bundles the sources into the files that the server embeds. Names of assets stay placeholders: the server fills them
// in. The shop module has a copy of the snippet, as a file of the shop's own.

import { build } from "esbuild";
import { copyFile, mkdir, readFile } from "node:fs/promises";

const out = new URL("../crates/server/src/assets/widget/", import.meta.url).pathname;
const ofModule = new URL("../modules/prestashop/findwell/views/js/", import.meta.url).pathname;
const root = new URL(".", import.meta.url).pathname;
const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  legalComments: "none",
  charset: "utf8",
  target: ["chrome114", "firefox125", "safari17"],
  logLevel: "warning",
};

/** Marks every declaration of a sheet as important, but for custom properties and those of key frames, which cannot be. */
const important = (css) =>
  css.replaceAll(/([^{}]*)\{([^{}]*)\}/g, (rule, selector, body) => {
    if (/(^|\s)(from|to)\s*$/.test(selector)) return rule;
    const marked = body
      .split(";")
      .map((one) => (!one.trim() || one.trim().startsWith("--") ? one : `${one} !important`));
    return `${selector}{${marked.join(";")}}`;
  });

const guarded = {
  name: "guarded",
  setup({ onLoad }) {
    onLoad({ filter: /box\.css$/ }, async ({ path }) => ({
      contents: important(await readFile(path, "utf8")),
      loader: "css",
    }));
  },
};

await Promise.all([
  build({ ...common, entryPoints: ["src/loader.ts"], format: "iife", outfile: `${out}loader.js` }),
  build({ ...common, entryPoints: ["src/snippet.ts"], format: "esm", outfile: `${out}snippet.js` }),
  build({ ...common, entryPoints: ["src/box/box.ts"], format: "esm", outfile: `${out}box.js` }),
  build({ ...common, entryPoints: ["src/results/results.ts"], format: "esm", outfile: `${out}results.js` }),
  build({ ...common, entryPoints: ["css/box.css"], plugins: [guarded], outfile: `${out}box.css` }),
  build({ ...common, entryPoints: ["css/results.css"], outfile: `${out}results.css` }),
]);

await mkdir(ofModule, { recursive: true });
await copyFile(`${out}snippet.js`, `${ofModule}snippet.js`);
