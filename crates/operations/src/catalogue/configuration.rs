//! The operations of configuration keys: stores, relevance, synonyms, rules, filters, widget, search log, drafts.

use super::{Operation, PROPOSE, READ, read, write};

pub(super) const ROWS: &[Operation] = &[
    read(
        "get_account",
        READ,
        "Account, scopes and stores of the key.",
    ),
    read(
        "list_stores",
        READ,
        "Lists the stores that the key can access.",
    ),
    read("get_store", READ, "A store with its indices and counters."),
    write(
        "update_store",
        PROPOSE,
        "Updates name or devUrl of a store.",
    ),
    write(
        "delete_store",
        PROPOSE,
        "Reserved for the control panel: with a key always 403 `reserved`.",
    ),
    read(
        "get_relevance",
        READ,
        "Boosts and search settings in effect.",
    ),
    write(
        "update_relevance",
        PROPOSE,
        "Saves boosts and search settings.",
    ),
    read(
        "test_relevance",
        READ,
        "Ranks a query under provisional settings; saves nothing.",
    ),
    read("list_synonyms", READ, "Synonym groups, all or by page."),
    read("get_synonym", READ, "One synonym group."),
    write("create_synonym", PROPOSE, "Creates a synonym group."),
    write("update_synonym", PROPOSE, "Updates a synonym group."),
    write("delete_synonym", PROPOSE, "Deletes a synonym group."),
    write(
        "import_synonyms_csv",
        PROPOSE,
        "Creates synonym groups from CSV.",
    ),
    read("list_rules", READ, "Rules of one language or of all."),
    read("get_rule", READ, "One rule."),
    write("create_rule", PROPOSE, "Creates a rule."),
    write("update_rule", PROPOSE, "Updates a rule."),
    write("delete_rule", PROPOSE, "Deletes a rule."),
    read("list_filters", READ, "Filters in display order."),
    read("get_filter", READ, "One filter."),
    write("create_filter", PROPOSE, "Creates a filter."),
    write("update_filter", PROPOSE, "Updates a filter."),
    write("delete_filter", PROPOSE, "Deletes a filter."),
    write(
        "sync_filters",
        PROPOSE,
        "Creates filters from the automatic facets.",
    ),
    read(
        "list_filter_values",
        READ,
        "Values of a field with their product counts.",
    ),
    read("get_widget", READ, "The widget's configuration."),
    write(
        "update_widget",
        PROPOSE,
        "Updates the widget's configuration.",
    ),
    read(
        "list_revisions",
        READ,
        "Revisions of the configuration, newest first.",
    ),
    read("get_revision", READ, "One revision with its changes."),
    read(
        "list_queries",
        READ,
        "What shoppers searched, with results, clicks and conversions.",
    ),
    read(
        "get_search_summary",
        READ,
        "Statistics of all searches, in total and by day.",
    ),
    read(
        "check_import",
        READ,
        "What an import of synonym groups would create.",
    ),
    read(
        "preview",
        READ,
        "Ranks a query under a draft, beside what is saved.",
    ),
    read(
        "preview_explain",
        READ,
        "Explains products under a draft, or why they are missing.",
    ),
    read(
        "preview_watched",
        READ,
        "What moves in the results of watched queries under a draft.",
    ),
    read(
        "get_product",
        READ,
        "A product as it is stored, and where it is among the hits of a query.",
    ),
    read("list_watched", READ, "The watched queries."),
    write("set_watched", PROPOSE, "Replaces the watched queries."),
    read(
        "get_hidden_queries",
        READ,
        "Queries that a store never suggests.",
    ),
    write(
        "set_hidden_queries",
        PROPOSE,
        "Replaces the queries that a store never suggests.",
    ),
    write(
        "apply_changes",
        PROPOSE,
        "Saves a draft of the configuration as one revision.",
    ),
    read(
        "list_proposals",
        READ,
        "Proposals of a store, newest first.",
    ),
    read(
        "get_proposal",
        READ,
        "One proposal, and where what is saved now contradicts it.",
    ),
    write(
        "create_proposal",
        PROPOSE,
        "Proposes changes, about which a person decides.",
    ),
    write(
        "withdraw_proposal",
        PROPOSE,
        "Withdraws an open proposal of the key.",
    ),
    read(
        "export_configuration",
        READ,
        "The whole configuration as one file.",
    ),
    write(
        "import_configuration",
        PROPOSE,
        "Imports a configuration file, or copies another store's configuration, as one revision.",
    ),
    write(
        "restore_revision",
        PROPOSE,
        "Restores the configuration, or parts of it, to a former revision.",
    ),
];
