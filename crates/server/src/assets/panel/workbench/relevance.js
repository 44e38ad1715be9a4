// The tabs "Weights" and "Behaviour": every field and every setting, in groups.

import { el } from "../element.js";
import { lever } from "./levers.js";
import { on } from "./state.js";
import { BOOST_MAX, BOOST_RECOMMENDED_MAX, FIELDS, SETTINGS, SETTING_GROUPS } from "./tables.js";
import { say } from "./words.js";

const WEIGHTS = [
  ["names", ["name", "name.autocomplete", "name.partial"]],
  ["codes", ["reference", "ean13", "upc", "mpn", "combinationReferences", "combinationEans", "combinationMpns"]],
  ["kinds", ["categories.name", "tags", "attributes.value", "features.value"]],
  ["makers", ["manufacturer", "supplier"]],
  ["texts", ["short_description", "description", "ai_description_manual", "ai_description"]],
];
const BEHAVIOUR = SETTING_GROUPS.map((group) => [
  group,
  SETTINGS.filter((one) => one.group === group)
    .sort((a, b) => a.place - b.place)
    .map((one) => one.name),
]);
const SLIDER_MAX = 10;

const weight = ({ name, initial }) => ({
  path: `boosts.${name}`,
  name,
  label: say(`field.${name}`),
  kind: "number",
  min: 0,
  max: BOOST_MAX,
  most: BOOST_RECOMMENDED_MAX,
  step: 0.5,
  recommended: BOOST_RECOMMENDED_MAX,
  initial,
});

function setting(one) {
  const { kind, max, recommended } = one;
  const most = kind === "number" ? (recommended ?? Math.min(max, SLIDER_MAX)) : max;
  const step = kind === "number" ? (most > SLIDER_MAX ? 0.5 : 0.1) : 1;
  return {
    ...one,
    path: `searchSettings.${one.name}`,
    label: say(`setting.${one.name}`),
    about: say(`settingAbout.${one.name}`),
    most,
    step,
  };
}

// What no group names stands in the last one.
function grouped(groups, all) {
  const named = new Set(groups.flatMap(([, names]) => names));
  const rest = all.map((one) => one.name).filter((name) => !named.has(name));
  return groups.map(([group, names], at) => [
    group,
    [...names, ...(at === groups.length - 1 ? rest : [])]
      .map((name) => all.find((one) => one.name === name))
      .filter(Boolean),
  ]);
}

function part(groups, all, spec, about) {
  const levers = [];
  const sections = grouped(groups, all).map(([group, members]) => {
    const drawn = members.map((one) => lever(spec(one)));
    levers.push(...drawn);
    return el(
      "details",
      { className: "group", open: true },
      el("summary", {}, say(`group.${group}`)),
      drawn.map((one) => one.row),
    );
  });
  const show = () => levers.forEach((one) => one.show());
  on("draft", show);
  on("saved", show);
  show();
  return [el("p", { className: "hint" }, say(about)), sections];
}

export const weights = () => part(WEIGHTS, FIELDS, weight, "weightsAbout");
export const behaviour = () => part(BEHAVIOUR, SETTINGS, setting, "behaviourAbout");
