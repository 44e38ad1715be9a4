// What changes, records and fields are called.

import { savedOf } from "./saved.js";
import { productName } from "./state.js";
import { say } from "./words.js";

// Returns the name of a record.
export function recordName(kind, record) {
  if (!record) return say("unknownRecord");
  if (kind === "synonyms")
    return record.input ? `${record.input} → ${record.terms.join(", ")}` : record.terms.join(" = ");
  if (kind === "rules") return record.name;
  return Object.values(record.label ?? {})[0] ?? record.field;
}

// Returns the name of a field of the relevance by its path.
export function leverName(path) {
  const at = path.indexOf(".");
  return say(path.startsWith("boosts.") ? `field.${path.slice(at + 1)}` : `setting.${path.slice(at + 1)}`);
}

// Returns the name of a field of a record by its path.
export const fieldName = (kind, path) =>
  kind === "relevance" ? leverName(path) : say(`part.${path.replace(/^config\./, "")}`);

export function changeName(one) {
  if (one.kind === "relevance") return leverName(one.path);
  const name = recordName(one.kind, one.record ?? savedOf(one.resource));
  return say(`change.${one.kind}.${one.verb}`, { name });
}

// Returns a value of a field as text.
export function valueText(value) {
  if (value === null || value === undefined) return say("noValue");
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(valueText).join("; ");
  return (
    Object.entries(value)
      .map(([key, one]) => `${key}: ${valueText(one)}`)
      .join(", ") || say("noValue")
  );
}

// Returns the value of a field of a record as text.
export function partText(path, value) {
  if (path === "trigger" && value) return `${say(`match.${value.match}`)} “${value.query}”`;
  if (path === "actions" && value)
    return Object.entries(value)
      .map(
        ([kind, one]) =>
          `${say(`ruleType.${kind.toUpperCase()}`)}: ${["pin", "hide"].includes(kind) ? one.map(productName).join(", ") : valueText(one)}`,
      )
      .join("; ");
  return valueText(value);
}
