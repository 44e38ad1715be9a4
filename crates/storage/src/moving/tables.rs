//! The tables that a move copies, each after those that it refers to, with the columns of its key.

/// A table.
#[derive(Debug)]
pub(crate) struct CopiedTable {
    /// Its name.
    pub name: &'static str,
    /// The columns of its primary key, in their order.
    pub key: &'static [&'static str],
    /// Which of its rows belong to the data; an expression of SQL.
    pub only: &'static str,
}

const fn table(name: &'static str, key: &'static [&'static str]) -> CopiedTable {
    CopiedTable {
        name,
        key,
        only: "1 = 1",
    }
}

/// The tables of the database.
pub(crate) const TABLES: &[CopiedTable] = &[
    table("counters", &["name"]),
    CopiedTable {
        only: "name <> 'move'",
        ..table("seals", &["name"])
    },
    table("accounts", &["id"]),
    table("users", &["id"]),
    table("memberships", &["user_id", "account_id"]),
    table("sessions", &["digest"]),
    table("links", &["id"]),
    table("stores", &["id"]),
    table("keys", &["id"]),
    table("installations", &["store_id", "instance_id"]),
    table(
        "former_installation_keys",
        &["store_id", "instance_id", "key_id"],
    ),
    table("connectors", &["store_id"]),
    table("relevance", &["store_id"]),
    table("revisions", &["store_id", "revision"]),
    table("former_states", &["store_id", "resource", "revision"]),
    table("audit", &["id"]),
    table("declarations", &["store_id", "kind"]),
    table("synonyms", &["id"]),
    table("rules", &["id"]),
    table("filters", &["id"]),
    table("widgets", &["store_id"]),
    table("custom_code", &["store_id", "kind", "hash"]),
    table("hidden_queries", &["store_id"]),
    table("watched_queries", &["store_id"]),
    table("impact_samples", &["store_id"]),
    table("proposals", &["id"]),
    table("imports", &["id"]),
    table("sources", &["id"]),
    table("source_fetches", &["source_id", "number"]),
    table("indices", &["id"]),
    table("documents", &["index_id", "id"]),
    table("document_bodies", &["index_id", "ordinal"]),
    table("rejections", &["index_id", "document_id"]),
    table("runs", &["id"]),
    table("run_scopes", &["run_number", "index_id"]),
];

/// The tables of the search log.
pub(crate) const LOG_TABLES: &[CopiedTable] = &[
    table("search_queries", &["store_id", "day", "digest"]),
    table("search_totals", &["store_id", "day", "language", "surface"]),
    table("event_marks", &["store_id", "response", "event"]),
    table("search_marks", &["store_id", "visit", "started"]),
];

#[cfg(test)]
mod tests {
    //! 1. Every table that the migrations create is copied, each after those that it refers to, by its primary key.

    use super::*;
    use crate::connect::{PoolAccess, migrated_pool};
    use crate::{Database, migrations};
    use sqlx::migrate::Migrator;
    use sqlx::{AnyPool, Row};

    async fn texts(pool: &AnyPool, sql: &'static str, of: &str) -> Vec<String> {
        let rows = sqlx::query(sql).bind(of).fetch_all(pool).await;
        let rows = rows.expect("executes");
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// What running servers know of each other, and failed sign-ins of some minutes.
    const NOT_COPIED: [&str; 5] = ["attempts", "leases", "nodes", "progress", "rebuilds"];

    async fn check(migrations: &Migrator, tables: &'static [CopiedTable]) {
        let dir = tempfile::tempdir().expect("a directory");
        let database = Database::in_dir(dir.path());
        let pool = migrated_pool(&database, PoolAccess::Write, migrations).await;
        let pool = pool.expect("opens");
        let all = "SELECT name FROM sqlite_master WHERE type = $1 AND name NOT LIKE '\\_%' ESCAPE '\\' ORDER BY name";
        let mut names: Vec<_> = tables.iter().map(|table| table.name.to_owned()).collect();
        for (position, table) in tables.iter().enumerate() {
            let key = "SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk";
            assert_eq!(texts(&pool, key, table.name).await, table.key);
            let refers = "SELECT \"table\" FROM pragma_foreign_key_list($1)";
            for other in texts(&pool, refers, table.name).await {
                assert!(names[..position].contains(&other), "{} {other}", table.name);
            }
        }
        names.sort();
        let mut found = texts(&pool, all, "table").await;
        found.retain(|name| !NOT_COPIED.contains(&&**name));
        assert_eq!(found, names);
        pool.close().await;
    }

    #[tokio::test]
    async fn every_table_is_copied_after_those_that_it_refers_to() {
        check(&migrations::OF_DATABASE, TABLES).await;
        check(&migrations::OF_LOG, LOG_TABLES).await;
    }
}
