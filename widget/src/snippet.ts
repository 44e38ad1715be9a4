//! The inline snippet of a page: keeps the place of the results, and imports the loader once it has come. Until the
//! `load` event a script or an import that does not come would hold that event up, which a fetch does not.

import type { Line } from "./contract";

const PATIENCE = 10_000;

((line: Line) => {
  const place = (line.place = new CSSStyleSheet());
  place.replaceSync("[data-findwell-results]:not([data-replaces]){min-height:100vh}");
  document.adoptedStyleSheets.push(place);
  const start = () => {
    const address = line.dataset["loader"]?.trim();
    if (!address) return place.replaceSync("");
    fetch(address, { signal: AbortSignal.timeout(PATIENCE) })
      .then((response) => (response.ok ? response.blob() : Promise.reject()))
      .then(() => import(address))
      .catch(() => place.replaceSync(""));
    // What the results take the place of is kept as high as they are at least, so that nothing below moves.
    for (const { dataset } of document.querySelectorAll<HTMLElement>("[data-findwell-results][data-replaces]"))
      place.insertRule(`${dataset["replaces"]}{min-height:100vh}`);
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
  else start();
})(document.currentScript as Line);
