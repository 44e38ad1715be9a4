// "Why here?": the summary of the simulator and the parts of a product's score as bars.

import { el } from "./element.js";
import { local } from "./address.js";
import { fieldName, number, say } from "./words.js";

const dialog = document.getElementById("why");
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

function bar(title, note, value, largest, kind, shown) {
  const fill = el("span", { className: `fill ${kind}` });
  fill.style.width = `${largest > 0 ? Math.max(1.5, (100 * value) / largest) : 0}%`;
  return el(
    "li",
    { className: value > 0 ? "part" : "part nil" },
    el("span", { className: "part-name" }, title, note && el("small", {}, note)),
    el("span", { className: "part-value" }, shown ?? number(value)),
    el("span", { className: "track", "aria-hidden": "true" }, value > 0 && fill),
  );
}

function textParts(text) {
  const parts = text.matches.map((match) => {
    const kind = say(`kind.${match.kind}`);
    // An exact match only repeats its stem.
    const other = match.kind !== "exact" && match.matched && match.matched !== match.word;
    const as = other ? `, ${say("likes", match.matched)}` : "";
    return [
      say("wordIn", match.word, fieldName(match.field)),
      kind + as,
      match.score,
      match.kind === "exact" ? "text" : "near",
    ];
  });
  parts.sort((a, b) => b[2] - a[2]);
  for (const bonus of ["phrase", "crossFields", "exactReference"]) {
    const part = text[bonus];
    if (part) parts.push([say(bonus), part.field ? fieldName(part.field) : "", part.score, "bonus"]);
  }
  const largest = Math.max(...parts.map((part) => part[2]), 0);
  return parts.map(([title, note, value, kind]) => bar(title, note, value, largest, kind));
}

function factorParts(factors) {
  const parts = ["stock", "sales", "rating", "discount"].map((name) => [name, factors[name] ?? 0]);
  const largest = Math.max(1, ...parts.map((part) => part[1]));
  return [
    bar(say("start"), "", 1, largest, "plain"),
    ...parts.map(([name, value]) =>
      bar(say(name), "", value, largest, "factor", value > 0 ? `+ ${number(value)}` : say("none")),
    ),
  ];
}

function section(title, total, parts, empty) {
  return el(
    "section",
    {},
    el("h3", {}, title, el("b", {}, total)),
    parts.length ? el("ul", { className: "parts" }, parts) : el("p", { className: "quiet" }, empty),
  );
}

function body(hit) {
  const { text, factors, summary, rules = [] } = hit.breakdown;
  return [
    el("p", { className: "sentence", lang: "en" }, summary),
    section(say("whyText"), number(text.score), textParts(text), say("whyNoWords")),
    section(say("whyFactors"), `× ${number(factors.multiplier)}`, factorParts(factors), ""),
    rules.length > 0 &&
      section(
        say("rules"),
        "",
        rules.map((rule) => bar(rule.type, "", rule.multiplier, 10, "factor", `× ${number(rule.multiplier)}`)),
        "",
      ),
    el(
      "p",
      { className: "sum" },
      `${number(text.score)} × ${number(factors.multiplier)}`,
      rules.map((rule) => ` × ${number(rule.multiplier)}`),
      " = ",
      el("b", {}, number(hit.score)),
    ),
  ];
}

// Opens the explanation of `card`; `ranked` returns the ranking that contains it. `own` is set if the list on the
// page is that ranking, unfiltered and in its order.
export async function explain(card, ranked, plain) {
  const place = el("p", { className: "quiet" }, "…");
  const inside = el("div", { className: "why-body", "aria-live": "polite" });
  dialog.replaceChildren(
    el(
      "div",
      { className: "why-head" },
      card.image && el("img", { src: local(card.image), alt: "", width: "72", height: "72" }),
      el("div", {}, el("h2", { id: "why-title" }, card.name), place),
      el(
        "button",
        { type: "button", className: "close", "aria-label": say("close"), onclick: () => dialog.close() },
        "×",
      ),
    ),
    inside,
  );
  dialog.showModal();
  try {
    const { hits } = await ranked();
    const hit = hits.find((found) => found.id === card.id);
    const stands = hit && `${say("whyPlace", hit.position)}${plain ? "" : ` ${say("whyAmongAll")}`}`;
    place.textContent = hit ? `${stands} · ${say("score")} ${number(hit.score)}` : "";
    inside.replaceChildren(...(hit ? body(hit).filter(Boolean) : [el("p", {}, say("whyMissing"))]));
  } catch (error) {
    place.textContent = "";
    inside.replaceChildren(el("p", { className: "wrong" }, `${say("failed")} ${error.message}`));
  }
}
