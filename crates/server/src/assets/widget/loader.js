// Placeholder of the loader. The server replaces the texts in capitals: the base address of the API (empty if it is not
// known: then it is the address that this file was loaded from) and the names of the assets.
(() => {
  const line = document.currentScript;
  const key = line && line.dataset.key;
  if (!key) return;
  const base = "__FINDWELL_BASE__" || line.src.replace(/\/widget\/loader\.js.*$/, "");
  const assets = {
    box: "__FINDWELL_BOX_JS__",
    boxStyle: "__FINDWELL_BOX_CSS__",
    results: "__FINDWELL_RESULTS_JS__",
    resultsStyle: "__FINDWELL_RESULTS_CSS__",
  };
  const inputs = line.dataset.input || "[data-findwell-input], [role=search] input";
  const lang = line.dataset.lang || document.documentElement.lang;
  let started;
  const start = () => {
    started ??= import(`${base}/widget/assets/${assets.box}`).then((box) => box.start({ base, key, lang, assets }));
    return started;
  };
  document.addEventListener("focusin", ({ target }) => {
    if (!target.matches(inputs)) return;
    start().then((attach) => attach(target)).catch(() => console.info("findwell: off"));
  });
})();
