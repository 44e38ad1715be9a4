//! The table of operations: what there is, who may, what it does. Data, not a registry of functions.
//!
//! How the interface shows them is in the rows of the server's catalogue.

use domain::Scope;

/// Who may run an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredAccess {
    /// A configuration key with at least this scope.
    Configuration(Scope),
    /// A connector key.
    Feed,
    /// A search-only key.
    Search,
    /// Nobody but the operator.
    Operator,
}

/// One operation.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Verb and resource; the name of the tool where there is one, and of the audit record.
    pub id: &'static str,
    /// Who may run it.
    pub access: RequiredAccess,
    /// Whether it changes anything.
    pub writes: bool,
    /// One line for people.
    pub summary: &'static str,
}

const READ: RequiredAccess = RequiredAccess::Configuration(Scope::Read);
const WRITE: RequiredAccess = RequiredAccess::Configuration(Scope::Write);

const fn read(id: &'static str, access: RequiredAccess, summary: &'static str) -> Operation {
    Operation {
        id,
        access,
        writes: false,
        summary,
    }
}

const fn write(id: &'static str, access: RequiredAccess, summary: &'static str) -> Operation {
    Operation {
        writes: true,
        ..read(id, access, summary)
    }
}

const fn operator(id: &'static str, writes: bool, summary: &'static str) -> Operation {
    Operation {
        writes,
        ..read(id, RequiredAccess::Operator, summary)
    }
}

/// All operations, by wing.
pub const OPERATIONS: [Operation; 63] = [
    read(
        "get_account",
        READ,
        "Account, scopes and stores of the key.",
    ),
    read("list_stores", READ, "The stores that the key reaches."),
    read("get_store", READ, "A store with its indices and counters."),
    write("update_store", WRITE, "Changes name or devUrl of a store."),
    write(
        "delete_store",
        WRITE,
        "Reserved to the control panel: with a key always 403 `reserved`.",
    ),
    read(
        "get_relevance",
        READ,
        "Boosts and search settings in effect.",
    ),
    write(
        "update_relevance",
        WRITE,
        "Saves boosts and search settings.",
    ),
    read(
        "test_relevance",
        READ,
        "Ranks a question under provisional settings; saves nothing.",
    ),
    read("list_synonyms", READ, "Synonym groups, all or by page."),
    read("get_synonym", READ, "One synonym group."),
    write("create_synonym", WRITE, "Makes a synonym group."),
    write("update_synonym", WRITE, "Changes a synonym group."),
    write("delete_synonym", WRITE, "Deletes a synonym group."),
    write(
        "import_synonyms_csv",
        WRITE,
        "Makes synonym groups from comma-separated values.",
    ),
    read("list_rules", READ, "Rules of one language or of all."),
    read("get_rule", READ, "One rule."),
    write("create_rule", WRITE, "Makes a rule."),
    write("update_rule", WRITE, "Changes a rule."),
    write("delete_rule", WRITE, "Deletes a rule."),
    read(
        "list_filters",
        READ,
        "Filters in the order in which they are shown.",
    ),
    read("get_filter", READ, "One filter."),
    write("create_filter", WRITE, "Makes a filter."),
    write("update_filter", WRITE, "Changes a filter."),
    write("delete_filter", WRITE, "Deletes a filter."),
    write(
        "sync_filters",
        WRITE,
        "Turns the automatic facets into filters.",
    ),
    read(
        "list_filter_values",
        READ,
        "Values of a field with their products.",
    ),
    read("get_widget", READ, "The widget's configuration."),
    write(
        "update_widget",
        WRITE,
        "Changes the widget's configuration.",
    ),
    read(
        "list_revisions",
        READ,
        "Revisions of the configuration, the newest first.",
    ),
    read("get_revision", READ, "One revision with what it changed."),
    read("search", RequiredAccess::Search, "The shopper's search."),
    read(
        "suggest",
        RequiredAccess::Search,
        "Suggestions for the beginning of a question.",
    ),
    read(
        "connect_feed",
        RequiredAccess::Feed,
        "The store of a connector key.",
    ),
    write(
        "create_indices",
        RequiredAccess::Feed,
        "Makes the missing indices.",
    ),
    write(
        "issue_public_key",
        RequiredAccess::Feed,
        "The key of a store's pages.",
    ),
    read(
        "get_plan",
        RequiredAccess::Feed,
        "What the plan limits, and how much of it is used.",
    ),
    write(
        "declare_currencies",
        RequiredAccess::Feed,
        "Declares currencies with own prices.",
    ),
    write(
        "declare_price_tiers",
        RequiredAccess::Feed,
        "Declares groups with own prices.",
    ),
    write(
        "declare_price_countries",
        RequiredAccess::Feed,
        "Declares countries with own prices.",
    ),
    write(
        "declare_access_groups",
        RequiredAccess::Feed,
        "Declares what groups may see.",
    ),
    write(
        "upsert_documents",
        RequiredAccess::Feed,
        "Adds and replaces documents.",
    ),
    write(
        "delete_documents",
        RequiredAccess::Feed,
        "Deletes documents.",
    ),
    write(
        "clear_products",
        RequiredAccess::Feed,
        "Empties the indices of products, at once or by the next run.",
    ),
    write("open_run", RequiredAccess::Feed, "Opens an indexing run."),
    read(
        "get_run",
        RequiredAccess::Feed,
        "State and counts of a run.",
    ),
    write(
        "touch_documents",
        RequiredAccess::Feed,
        "Marks unchanged documents as current.",
    ),
    write(
        "close_run",
        RequiredAccess::Feed,
        "Closes a run and purges.",
    ),
    write(
        "abort_run",
        RequiredAccess::Feed,
        "Ends a run without purge.",
    ),
    operator("create_account", true, "Makes an account."),
    operator("list_accounts", false, "All accounts."),
    operator("create_store", true, "Makes a store."),
    operator("list_all_stores", false, "All stores of all accounts."),
    operator(
        "set_store",
        true,
        "Changes status, plan or purge breaker of a store.",
    ),
    operator("list_runs", false, "The latest runs of a store."),
    operator("release_run", true, "Lets purges pass that are held back."),
    operator("create_key", true, "Makes a key."),
    operator("list_keys", false, "All keys, or those of a store."),
    operator("deactivate_key", true, "Stops a key at once."),
    operator("list_audit", false, "The audit trail, the newest first."),
    operator(
        "import_documents",
        true,
        "Adds and replaces documents from a file.",
    ),
    operator(
        "back_up",
        false,
        "Copies database and indexes while the service runs.",
    ),
    operator(
        "check",
        true,
        "Compares database and indexes, and repairs what differs.",
    ),
    operator(
        "reindex",
        true,
        "Builds indexes anew while they are searched.",
    ),
];

/// The operation called `id`.
pub fn operation(id: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_has_its_own_name() {
        for (at, operation) in OPERATIONS.iter().enumerate() {
            let twin = OPERATIONS[..at]
                .iter()
                .find(|other| other.id == operation.id);
            assert!(twin.is_none(), "{} twice", operation.id);
            assert_eq!(
                self::operation(operation.id).map(|o| o.summary),
                Some(operation.summary)
            );
        }
    }
}
