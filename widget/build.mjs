// Bundles the sources into the files that the server embeds. Names of assets stay placeholders: the server fills them
// in.

import { build } from "esbuild";

const out = new URL("../crates/server/src/assets/widget/", import.meta.url).pathname;
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

await Promise.all([
  build({ ...common, entryPoints: ["src/loader.ts"], format: "iife", outfile: `${out}loader.js` }),
  build({ ...common, entryPoints: ["src/snippet.ts"], format: "esm", outfile: `${out}snippet.js` }),
  build({ ...common, entryPoints: ["src/box/box.ts"], format: "esm", outfile: `${out}box.js` }),
  build({ ...common, entryPoints: ["src/results/results.ts"], format: "esm", outfile: `${out}results.js` }),
  build({ ...common, entryPoints: ["css/box.css"], outfile: `${out}box.css` }),
  build({ ...common, entryPoints: ["css/results.css"], outfile: `${out}results.css` }),
]);
