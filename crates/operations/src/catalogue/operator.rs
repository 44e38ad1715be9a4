//! The operations of the command line, some of which users of the control panel may run, too.

use super::{Operation, operator};
use domain::RequiredRole;

pub(super) const ROWS: &[Operation] = &[
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
    operator(
        "set_account",
        true,
        "Sets how many stores the users of an account may have.",
    ),
    operator("create_store", true, "Creates a store.").by_users(RequiredRole::Owner),
    operator(
        "remove_store",
        true,
        "Closes a store at once; some days later it is removed.",
    )
    .by_users(RequiredRole::ConfirmedOwner),
    operator("remove_store_now", true, "Removes a closed store at once."),
    operator("reopen_store", true, "Opens a closed store again."),
    operator("list_closed_stores", false, "Stores that were closed.").by_users(RequiredRole::Owner),
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
    )
    .by_users(RequiredRole::Viewer),
    operator(
        "set_custom_code",
        true,
        "Updates the custom styles and scripts of a store.",
    )
    .by_users(RequiredRole::ConfirmedOwner),
    operator("list_runs", false, "The latest runs of a store.").by_users(RequiredRole::Viewer),
    operator("release_run", true, "Releases held purges of a run.").by_users(RequiredRole::Owner),
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
    operator(
        "list_sources",
        false,
        "The addresses from which the catalogue of a store is fetched.",
    )
    .by_users(RequiredRole::Viewer),
    operator("get_source", false, "One source of a store.").by_users(RequiredRole::Viewer),
    operator(
        "create_source",
        true,
        "Creates a source, which is fetched at once.",
    )
    .by_users(RequiredRole::Owner),
    operator("update_source", true, "Updates a source.").by_users(RequiredRole::Owner),
    operator(
        "delete_source",
        true,
        "Deletes a source; its documents stay.",
    )
    .by_users(RequiredRole::Owner),
    operator("fetch_source", true, "Fetches a source now.").by_users(RequiredRole::Editor),
    operator("list_fetches", false, "The last fetches of a source.").by_users(RequiredRole::Viewer),
];
