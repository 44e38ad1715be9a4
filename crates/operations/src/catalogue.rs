//! The table of operations: their ids, required access, REST paths and summaries. Plain data, no function pointers.

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
    /// Only the operator.
    Operator,
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Verb and resource, such as `update_rule`; also the name of the MCP tool, if any, and in the audit trail.
    pub id: &'static str,
    /// Who may run it.
    pub access: RequiredAccess,
    /// Method and path below `/api/v1`, if the operation is part of the REST interface.
    pub rest: Option<(&'static str, &'static str)>,
    /// Whether it changes anything.
    pub writes: bool,
    /// Summary in one line.
    pub summary: &'static str,
}

const READ: RequiredAccess = RequiredAccess::Configuration(Scope::Read);
const WRITE: RequiredAccess = RequiredAccess::Configuration(Scope::Write);

const fn read(
    id: &'static str,
    access: RequiredAccess,
    rest: (&'static str, &'static str),
    summary: &'static str,
) -> Operation {
    Operation {
        id,
        access,
        rest: Some(rest),
        writes: false,
        summary,
    }
}

const fn write(
    id: &'static str,
    access: RequiredAccess,
    rest: (&'static str, &'static str),
    summary: &'static str,
) -> Operation {
    Operation {
        writes: true,
        ..read(id, access, rest, summary)
    }
}

const fn operator(id: &'static str, writes: bool, summary: &'static str) -> Operation {
    Operation {
        id,
        access: RequiredAccess::Operator,
        rest: None,
        writes,
        summary,
    }
}

/// All operations, by area.
pub const OPERATIONS: [Operation; 63] = [
    read(
        "get_account",
        READ,
        ("GET", "/me"),
        "Account, scopes and stores of the key.",
    ),
    read(
        "list_stores",
        READ,
        ("GET", "/stores"),
        "The stores that the key reaches.",
    ),
    read(
        "get_store",
        READ,
        ("GET", "/stores/{id}"),
        "A store with its indices and counters.",
    ),
    write(
        "update_store",
        WRITE,
        ("PUT", "/stores/{id}"),
        "Updates name or devUrl of a store.",
    ),
    write(
        "delete_store",
        WRITE,
        ("DELETE", "/stores/{id}"),
        "Reserved to the control panel: with a key always 403 `reserved`.",
    ),
    read(
        "get_relevance",
        READ,
        ("GET", "/stores/{id}/relevance"),
        "Boosts and search settings in effect.",
    ),
    write(
        "update_relevance",
        WRITE,
        ("PUT", "/stores/{id}/relevance"),
        "Saves boosts and search settings.",
    ),
    read(
        "test_relevance",
        READ,
        ("POST", "/stores/{id}/relevance/test"),
        "Ranks the results of a query under provisional settings; saves nothing.",
    ),
    read(
        "list_synonyms",
        READ,
        ("GET", "/stores/{id}/synonyms"),
        "Synonym groups, all or by page.",
    ),
    read(
        "get_synonym",
        READ,
        ("GET", "/stores/{id}/synonyms/{synId}"),
        "One synonym group.",
    ),
    write(
        "create_synonym",
        WRITE,
        ("POST", "/stores/{id}/synonyms"),
        "Creates a synonym group.",
    ),
    write(
        "update_synonym",
        WRITE,
        ("PUT", "/stores/{id}/synonyms/{synId}"),
        "Updates a synonym group.",
    ),
    write(
        "delete_synonym",
        WRITE,
        ("DELETE", "/stores/{id}/synonyms/{synId}"),
        "Deletes a synonym group.",
    ),
    write(
        "import_synonyms_csv",
        WRITE,
        ("POST", "/stores/{id}/synonyms/import"),
        "Creates synonym groups from comma-separated values.",
    ),
    read(
        "list_rules",
        READ,
        ("GET", "/stores/{id}/rules"),
        "Rules of one language or of all.",
    ),
    read(
        "get_rule",
        READ,
        ("GET", "/stores/{id}/rules/{ruleId}"),
        "One rule.",
    ),
    write(
        "create_rule",
        WRITE,
        ("POST", "/stores/{id}/rules"),
        "Creates a rule.",
    ),
    write(
        "update_rule",
        WRITE,
        ("PUT", "/stores/{id}/rules/{ruleId}"),
        "Updates a rule.",
    ),
    write(
        "delete_rule",
        WRITE,
        ("DELETE", "/stores/{id}/rules/{ruleId}"),
        "Deletes a rule.",
    ),
    read(
        "list_filters",
        READ,
        ("GET", "/stores/{id}/filters"),
        "Filters in the order in which they are shown.",
    ),
    read(
        "get_filter",
        READ,
        ("GET", "/stores/{id}/filters/{filterId}"),
        "One filter.",
    ),
    write(
        "create_filter",
        WRITE,
        ("POST", "/stores/{id}/filters"),
        "Creates a filter.",
    ),
    write(
        "update_filter",
        WRITE,
        ("PUT", "/stores/{id}/filters/{filterId}"),
        "Updates a filter.",
    ),
    write(
        "delete_filter",
        WRITE,
        ("DELETE", "/stores/{id}/filters/{filterId}"),
        "Deletes a filter.",
    ),
    write(
        "sync_filters",
        WRITE,
        ("POST", "/stores/{id}/filters/sync"),
        "Turns the automatic facets into filters.",
    ),
    read(
        "list_filter_values",
        READ,
        ("GET", "/stores/{id}/filters/values"),
        "Values of a field with the number of their products.",
    ),
    read(
        "get_widget",
        READ,
        ("GET", "/stores/{id}/widget"),
        "The widget's configuration.",
    ),
    write(
        "update_widget",
        WRITE,
        ("PUT", "/stores/{id}/widget"),
        "Updates the widget's configuration.",
    ),
    read(
        "list_revisions",
        READ,
        ("GET", "/stores/{id}/revisions"),
        "Revisions of the configuration, the newest first.",
    ),
    read(
        "get_revision",
        READ,
        ("GET", "/stores/{id}/revisions/{n}"),
        "One revision with what it changed.",
    ),
    read(
        "search",
        RequiredAccess::Search,
        ("POST", "/search"),
        "The shopper's search.",
    ),
    read(
        "suggest",
        RequiredAccess::Search,
        ("POST", "/suggest"),
        "Suggestions for the prefix of a query.",
    ),
    read(
        "connect_feed",
        RequiredAccess::Feed,
        ("GET", "/feed/connect"),
        "The store of a connector key.",
    ),
    write(
        "create_indices",
        RequiredAccess::Feed,
        ("POST", "/feed/indices"),
        "Creates the missing indices.",
    ),
    write(
        "issue_public_key",
        RequiredAccess::Feed,
        ("POST", "/feed/public-key"),
        "The key of a store's pages.",
    ),
    read(
        "get_plan",
        RequiredAccess::Feed,
        ("GET", "/feed/plan"),
        "What the plan limits, and how much of it is used.",
    ),
    write(
        "declare_currencies",
        RequiredAccess::Feed,
        ("POST", "/feed/currencies"),
        "Declares currencies with own prices.",
    ),
    write(
        "declare_price_tiers",
        RequiredAccess::Feed,
        ("POST", "/feed/price-tiers"),
        "Declares groups with own prices.",
    ),
    write(
        "declare_price_countries",
        RequiredAccess::Feed,
        ("POST", "/feed/price-countries"),
        "Declares countries with own prices.",
    ),
    write(
        "declare_access_groups",
        RequiredAccess::Feed,
        ("POST", "/feed/access-groups"),
        "Declares which groups may see what.",
    ),
    write(
        "upsert_documents",
        RequiredAccess::Feed,
        ("POST", "/feed/{type}/bulk"),
        "Adds and replaces documents.",
    ),
    write(
        "delete_documents",
        RequiredAccess::Feed,
        ("POST", "/feed/{type}/delete"),
        "Deletes documents.",
    ),
    write(
        "clear_products",
        RequiredAccess::Feed,
        ("POST", "/feed/products/clear"),
        "Empties the indices of products, at once or by the next run.",
    ),
    write(
        "open_run",
        RequiredAccess::Feed,
        ("POST", "/feed/runs"),
        "Opens an indexing run.",
    ),
    read(
        "get_run",
        RequiredAccess::Feed,
        ("GET", "/feed/runs/{runId}"),
        "State and counts of a run.",
    ),
    write(
        "touch_documents",
        RequiredAccess::Feed,
        ("POST", "/feed/touch"),
        "Marks unchanged documents as current.",
    ),
    write(
        "close_run",
        RequiredAccess::Feed,
        ("POST", "/feed/runs/{runId}/close"),
        "Closes a run and purges.",
    ),
    write(
        "abort_run",
        RequiredAccess::Feed,
        ("POST", "/feed/runs/{runId}/abort"),
        "Ends a run without purge.",
    ),
    operator("create_account", true, "Creates an account."),
    operator("list_accounts", false, "All accounts."),
    operator("create_store", true, "Creates a store."),
    operator("list_all_stores", false, "All stores of all accounts."),
    operator(
        "set_store",
        true,
        "Updates status, plan or purge breaker of a store.",
    ),
    operator("list_runs", false, "The latest runs of a store."),
    operator("release_run", true, "Releases purges that are held back."),
    operator("create_key", true, "Creates a key."),
    operator("list_keys", false, "All keys, or those of a store."),
    operator("deactivate_key", true, "Deactivates a key at once."),
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
    operator("reindex", true, "Rebuilds indexes while they are searched."),
];

/// Returns the operation with this id.
pub fn operation(id: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_has_its_own_name_and_path() {
        for (at, operation) in OPERATIONS.iter().enumerate() {
            let twin = OPERATIONS[..at].iter().find(|other| {
                other.id == operation.id
                    || (operation.rest.is_some() && other.rest == operation.rest)
            });
            assert!(twin.is_none(), "{} twice", operation.id);
            assert_eq!(
                self::operation(operation.id).map(|o| o.summary),
                Some(operation.summary)
            );
        }
    }
}
