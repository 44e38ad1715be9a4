// Words for what the audit trail can be filtered by: actions, kinds of what they changed, and who acted.

import { enAudit } from "./en-audit.js";
import { esAudit } from "./es-audit.js";
import { field, input, select } from "./form.js";
import { addTexts, say } from "./words.js";

addTexts({ en: enAudit, es: esAudit });

const ACTIONS = [
  "update_relevance",
  "create_synonym",
  "update_synonym",
  "delete_synonym",
  "import_synonyms_csv",
  "create_rule",
  "update_rule",
  "delete_rule",
  "create_filter",
  "update_filter",
  "delete_filter",
  "sync_filters",
  "update_widget",
  "set_custom_code",
  "apply_changes",
  "restore_revision",
  "import_configuration",
  "update_store",
  "set_store_details",
  "set_hidden_queries",
  "set_watched",
  "start_import",
  "create_source",
  "update_source",
  "delete_source",
  "fetch_source",
  "create_indices",
  "release_run",
  "abort_run",
  "create_key",
  "deactivate_key",
  "sign_in",
  "invite_member",
  "set_member",
  "remove_member",
  "create_store",
  "remove_store",
  "reopen_store",
];
const KINDS = [
  "relevance",
  "synonyms",
  "rules",
  "filters",
  "widget",
  "store",
  "hidden-queries",
  "watched",
  "imports",
  "sources",
  "indices",
  "runs",
  "key",
  "member",
  "account",
];

// Returns a list to choose from, in the order of its words. What the address names beside it is in it, too: by its name,
// or as it is.
function choice(words, chosen, name = chosen) {
  const sorted = [...words].sort(([, a], [, b]) => a.localeCompare(b));
  const other = chosen && !words.some(([code]) => code === chosen) ? [[chosen, name]] : [];
  return select([["", say("anyOfThem")], ...other, ...sorted], chosen ?? "");
}

const inWords = (codes, word) => codes.map((code) => [code, word(code)]);
const action = (code) => say(`audited.${code}`);
const resource = (code) => say(`auditedKind.${code}`);

export const actions = (chosen) => choice(inWords(ACTIONS, action), chosen);
export const kinds = (chosen) => choice(inWords(KINDS, resource), chosen);

// Returns the field of a person or key: a list of names, or one for an id where the user may not list them, `null`.
// `records` are those that were found, which name who was chosen.
function actor(name, labels, words, chosen, records) {
  if (!words) return field(name, say(labels.id), input({ value: chosen ?? "", maxLength: 255 }));
  const former = records.map((one) => one.actor).find((by) => [by.userId, by.keyId].includes(chosen));
  return field(name, say(labels.name), choice(words, chosen, former?.name));
}

const memberOption = ({ userId, name }) => [userId, name];
const keyOption = ({ id, name, lastFour }) => [id, `${name} (…${lastFour})`];

// Returns the fields of who acted, from the members and keys of a store or account.
export function actors({ members, keys }, query, records) {
  const of = (name, labels, words) => actor(name, labels, words, query.get(name), records);
  return [
    of("user", { name: "actingPerson", id: "userId" }, members?.map(memberOption)),
    of("key", { name: "actingKey", id: "keyId" }, keys?.map(keyOption)),
  ];
}
