//! The operations of connector keys: what the module in a shop calls.

use super::{FEED, Operation, read, write};
use domain::RequiredRole;

pub(super) const ROWS: &[Operation] = &[
    read("connect_feed", FEED, "The store of a connector key."),
    write("create_indices", FEED, "Creates missing indices.").by_users(RequiredRole::Editor),
    write(
        "issue_public_key",
        FEED,
        "Issues the search-only key for a store's pages.",
    ),
    read("get_plan", FEED, "Limits of the plan and their usage."),
    write(
        "declare_currencies",
        FEED,
        "Declares currencies that have their own prices.",
    ),
    write(
        "declare_price_tiers",
        FEED,
        "Declares customer groups that have their own prices.",
    ),
    write(
        "declare_price_countries",
        FEED,
        "Declares countries that have their own prices.",
    ),
    write(
        "declare_access_groups",
        FEED,
        "Declares which documents customer groups may see.",
    ),
    write("upsert_documents", FEED, "Adds or replaces documents."),
    write("delete_documents", FEED, "Deletes documents."),
    write(
        "clear_products",
        FEED,
        "Clears the product indices, at once or with the next run.",
    ),
    write("open_run", FEED, "Opens an indexing run."),
    read("get_run", FEED, "State and counts of a run."),
    write(
        "touch_documents",
        FEED,
        "Marks unchanged documents as current.",
    ),
    write(
        "close_run",
        FEED,
        "Closes a run and purges outdated documents.",
    ),
    write("abort_run", FEED, "Aborts a run; nothing is purged.").by_users(RequiredRole::Owner),
];
