// Words for what the audit trail can be filtered by: actions, and kinds of what they changed.

import { enAudit } from "./en-audit.js";
import { esAudit } from "./es-audit.js";
import { select } from "./form.js";
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

// Returns a list to choose from, in the order of its words; what the address names beside it is in it as it is.
function choice(codes, inWords, chosen) {
  const words = codes.map((code) => [code, inWords(code)]);
  words.sort(([, a], [, b]) => a.localeCompare(b));
  const other = chosen && !codes.includes(chosen) ? [[chosen, chosen]] : [];
  return select([["", say("anyOfThem")], ...other, ...words], chosen ?? "");
}

export const actions = (chosen) => choice(ACTIONS, (code) => say(`audited.${code}`), chosen);
export const kinds = (chosen) => choice(KINDS, (code) => say(`auditedKind.${code}`), chosen);
