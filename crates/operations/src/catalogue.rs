//! The table of all operations: id, required access, whether it writes, summary. Data, not a registry of functions.
//!
//! The server's catalogue has the row of the same id with route, handler, types and tool.

use domain::{RequiredRole, Scope};

/// Who may run an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredAccess {
    /// A configuration key with at least this scope.
    Configuration(Scope),
    /// A connector key.
    Feed,
    /// A search-only key.
    Search,
    /// Users of the control panel; anybody if no role is required.
    Panel,
    /// The operator, and users whose role suffices if one is named.
    Operator,
}

/// One operation.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Verb and resource; also the name of the tool, if there is one, and of the audit record.
    pub id: &'static str,
    /// Who may run it.
    pub access: RequiredAccess,
    /// What it requires of a user of the control panel; `None` if users may not run it, or if it needs no user.
    pub role: Option<RequiredRole>,
    /// Whether it changes data.
    pub writes: bool,
    /// One sentence for the OpenAPI description.
    pub summary: &'static str,
}

const VIEWER: Option<RequiredRole> = Some(RequiredRole::Viewer);
const OWNER: Option<RequiredRole> = Some(RequiredRole::Owner);
const CONFIRMED: Option<RequiredRole> = Some(RequiredRole::ConfirmedOwner);
const READ: RequiredAccess = RequiredAccess::Configuration(Scope::Read);
const WRITE: RequiredAccess = RequiredAccess::Configuration(Scope::Write);

const fn read(id: &'static str, access: RequiredAccess, summary: &'static str) -> Operation {
    Operation {
        id,
        access,
        role: match access {
            RequiredAccess::Configuration(Scope::Read) => Some(RequiredRole::Viewer),
            RequiredAccess::Configuration(Scope::Write) => Some(RequiredRole::Editor),
            _ => None,
        },
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

const fn panel(
    id: &'static str,
    role: Option<RequiredRole>,
    writes: bool,
    summary: &'static str,
) -> Operation {
    Operation {
        role,
        writes,
        ..read(id, RequiredAccess::Panel, summary)
    }
}

impl Operation {
    /// The same operation, which users with this role may run, too.
    const fn by_users(self, role: RequiredRole) -> Self {
        Self {
            role: Some(role),
            ..self
        }
    }
}

/// All operations: configuration, search, feed, control panel, command line.
pub const OPERATIONS: &[Operation] = &[
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
    write("update_store", WRITE, "Updates name or devUrl of a store."),
    write(
        "delete_store",
        WRITE,
        "Reserved for the control panel: with a key always 403 `reserved`.",
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
        "Ranks a query under provisional settings; saves nothing.",
    ),
    read("list_synonyms", READ, "Synonym groups, all or by page."),
    read("get_synonym", READ, "One synonym group."),
    write("create_synonym", WRITE, "Creates a synonym group."),
    write("update_synonym", WRITE, "Updates a synonym group."),
    write("delete_synonym", WRITE, "Deletes a synonym group."),
    write(
        "import_synonyms_csv",
        WRITE,
        "Creates synonym groups from CSV.",
    ),
    read("list_rules", READ, "Rules of one language or of all."),
    read("get_rule", READ, "One rule."),
    write("create_rule", WRITE, "Creates a rule."),
    write("update_rule", WRITE, "Updates a rule."),
    write("delete_rule", WRITE, "Deletes a rule."),
    read("list_filters", READ, "Filters in display order."),
    read("get_filter", READ, "One filter."),
    write("create_filter", WRITE, "Creates a filter."),
    write("update_filter", WRITE, "Updates a filter."),
    write("delete_filter", WRITE, "Deletes a filter."),
    write(
        "sync_filters",
        WRITE,
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
        WRITE,
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
    read("search", RequiredAccess::Search, "The shopper's search."),
    read(
        "suggest",
        RequiredAccess::Search,
        "Suggestions for a query prefix.",
    ),
    write(
        "send_events",
        RequiredAccess::Search,
        "Counts clicks, carts and purchases of shoppers.",
    ),
    read(
        "get_widget_config",
        RequiredAccess::Search,
        "The widget's configuration for a page.",
    ),
    read(
        "connect_feed",
        RequiredAccess::Feed,
        "The store of a connector key.",
    ),
    write(
        "create_indices",
        RequiredAccess::Feed,
        "Creates missing indices.",
    ),
    write(
        "issue_public_key",
        RequiredAccess::Feed,
        "Issues the search-only key for a store's pages.",
    ),
    read(
        "get_plan",
        RequiredAccess::Feed,
        "Limits of the plan and their usage.",
    ),
    write(
        "declare_currencies",
        RequiredAccess::Feed,
        "Declares currencies that have their own prices.",
    ),
    write(
        "declare_price_tiers",
        RequiredAccess::Feed,
        "Declares customer groups that have their own prices.",
    ),
    write(
        "declare_price_countries",
        RequiredAccess::Feed,
        "Declares countries that have their own prices.",
    ),
    write(
        "declare_access_groups",
        RequiredAccess::Feed,
        "Declares which documents customer groups may see.",
    ),
    write(
        "upsert_documents",
        RequiredAccess::Feed,
        "Adds or replaces documents.",
    ),
    write(
        "delete_documents",
        RequiredAccess::Feed,
        "Deletes documents.",
    ),
    write(
        "clear_products",
        RequiredAccess::Feed,
        "Clears the product indices, at once or with the next run.",
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
        "Closes a run and purges outdated documents.",
    ),
    write(
        "abort_run",
        RequiredAccess::Feed,
        "Aborts a run; nothing is purged.",
    ),
    panel(
        "sign_in",
        None,
        true,
        "Starts a session with e-mail address and password.",
    ),
    panel("look_at_link", None, false, "What a one-time link is for."),
    panel(
        "use_link",
        None,
        true,
        "Uses a one-time link and starts a session.",
    ),
    panel(
        "get_me",
        VIEWER,
        false,
        "The signed-in user with accounts and roles.",
    ),
    panel(
        "update_me",
        VIEWER,
        true,
        "Updates one's own name and language.",
    ),
    panel(
        "change_password",
        VIEWER,
        true,
        "Replaces one's own password and ends the other sessions.",
    ),
    panel(
        "confirm_password",
        VIEWER,
        true,
        "Gives the password again, for ten minutes.",
    ),
    panel(
        "sign_out",
        VIEWER,
        true,
        "Ends the session, or all of one's own.",
    ),
    panel("list_sessions", VIEWER, false, "One's own sessions."),
    panel(
        "end_session",
        VIEWER,
        true,
        "Ends one of one's own sessions.",
    ),
    panel(
        "list_reached_stores",
        VIEWER,
        false,
        "The stores of all accounts that the user reaches.",
    ),
    panel(
        "list_members",
        VIEWER,
        false,
        "Members of an account with their roles.",
    ),
    panel(
        "set_member",
        CONFIRMED,
        true,
        "Replaces role and stores of a member.",
    ),
    panel(
        "remove_member",
        CONFIRMED,
        true,
        "Removes a member from an account.",
    ),
    panel(
        "reset_member",
        CONFIRMED,
        true,
        "Makes a link with which a member sets a new password.",
    ),
    panel(
        "invite_member",
        CONFIRMED,
        true,
        "Makes a link with which somebody joins an account.",
    ),
    panel(
        "list_links",
        OWNER,
        false,
        "Open links of an account, without their tokens.",
    ),
    panel("revoke_link", OWNER, true, "Revokes a link of an account."),
    operator(
        "create_user",
        true,
        "Makes a link with which somebody joins an account.",
    ),
    operator(
        "list_users",
        false,
        "All users with their accounts and roles.",
    ),
    operator(
        "reset_user",
        true,
        "Makes a link with which a user sets a new password.",
    ),
    operator(
        "sign_out_users",
        true,
        "Ends all sessions of a user, or of all users.",
    ),
    operator("set_user_active", true, "Deactivates or activates a user."),
    operator(
        "set_user_role",
        true,
        "Replaces or ends the role of a user in an account.",
    ),
    operator("create_account", true, "Creates an account."),
    operator("list_accounts", false, "All accounts."),
    operator("create_store", true, "Creates a store."),
    operator("list_all_stores", false, "All stores of all accounts."),
    operator(
        "set_store",
        true,
        "Updates status, plan, purge breaker, address or platform of a store.",
    ),
    operator(
        "get_custom_code",
        false,
        "The custom styles and scripts of a store.",
    ),
    operator(
        "set_custom_code",
        true,
        "Updates the custom styles and scripts of a store.",
    ),
    operator("list_runs", false, "The latest runs of a store."),
    operator("release_run", true, "Releases held purges of a run."),
    operator(
        "get_hidden_queries",
        false,
        "Queries that a store never suggests.",
    ),
    operator(
        "set_hidden_queries",
        true,
        "Replaces the queries that a store never suggests.",
    ),
    operator(
        "clear_analytics",
        true,
        "Deletes the statistics of searches of a store.",
    ),
    operator("create_key", true, "Creates a key.").by_users(RequiredRole::ConfirmedOwner),
    operator("list_keys", false, "All keys, or those of a store.").by_users(RequiredRole::Editor),
    operator("deactivate_key", true, "Deactivates a key at once.").by_users(RequiredRole::Owner),
    operator("list_audit", false, "The audit trail, newest first."),
    operator(
        "import_documents",
        true,
        "Adds or replaces documents from a file.",
    ),
    operator(
        "back_up",
        false,
        "Backs up database and indexes while the server runs.",
    ),
    operator(
        "check",
        true,
        "Compares database and indexes and repairs differences.",
    ),
    operator(
        "reindex",
        true,
        "Rebuilds indexes without interrupting search.",
    ),
];

/// Returns the operation with this id.
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
