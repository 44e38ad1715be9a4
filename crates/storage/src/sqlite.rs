//! Connections to a SQLite file, configured for durability: settings are written, read back and compared.

use crate::connect::{ACQUIRE_TIMEOUT, PoolAccess, failed_to_open, is_idle, traced};
use crate::error::StorageError;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{AnyConnection, AnyPool, ConnectOptions, Connection, Row};
use std::path::Path;

/// Returns the number of connections of a pool.
fn connections(access: PoolAccess) -> u32 {
    match access {
        PoolAccess::Write | PoolAccess::LogWrite => 1,
        PoolAccess::Read | PoolAccess::Bulk => 4,
        PoolAccess::LogRead => 2,
    }
}

/// Returns the statement that sets the page cache, in KiB; that of the one writing connection is larger, for imports.
fn cache(access: PoolAccess) -> &'static str {
    match access {
        PoolAccess::Write => "PRAGMA cache_size = -65536",
        PoolAccess::Read | PoolAccess::Bulk => "PRAGMA cache_size = -16384",
        PoolAccess::LogWrite | PoolAccess::LogRead => "PRAGMA cache_size = -4096",
    }
}

/// How a file is opened that may be written, and is created if it is missing.
const WRITING: &str = "mode=rwc";

/// Settings of every connection: the statement, the name, and the expected value.
const SETTINGS: [(&str, &str, &str); 4] = [
    ("PRAGMA busy_timeout = 5000", "busy_timeout", "5000"),
    ("PRAGMA journal_mode = WAL", "journal_mode", "wal"),
    // 2 is FULL: the log is flushed before a commit returns.
    ("PRAGMA synchronous = FULL", "synchronous", "2"),
    ("PRAGMA foreign_keys = ON", "foreign_keys", "1"),
];

/// Settings for speed only.
const TUNING: [&str; 2] = [
    "PRAGMA wal_autocheckpoint = 4000",
    "PRAGMA temp_store = MEMORY",
];

/// Opens a connection to the file at `path`, which nobody else uses, and of which nothing changes.
///
/// Without a log the file is complete, and is opened as one that never changes. With the log of a process that was killed,
/// the connection has its index of the log in memory, in place of in a file that others share, and takes no locks.
pub(crate) async fn read_only_pool(path: &Path) -> Result<AnyPool, StorageError> {
    sqlx::any::install_default_drivers();
    let failed = |source: sqlx::Error| StorageError::open(path.display(), source);
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let has_log = Path::new(&log).metadata().is_ok_and(|log| log.len() > 0);
    let mode = if has_log {
        "mode=ro&vfs=unix-none"
    } else {
        "mode=ro&immutable=1"
    };
    let options: AnyConnectOptions = url(path, mode).parse().map_err(failed)?;
    AnyPoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .after_connect(|connection, _| {
            Box::pin(async move {
                // Before the first statement that reads the file.
                for statement in ["PRAGMA locking_mode = EXCLUSIVE", "PRAGMA query_only = ON"] {
                    sqlx::query(statement)
                        .fetch_optional(&mut *connection)
                        .await?;
                }
                Ok(())
            })
        })
        .connect_with(options.disable_statement_logging())
        .await
        .map_err(failed)
}

/// Opens a pool of connections to the file at `path`.
pub(crate) async fn pool(path: &Path, access: PoolAccess) -> Result<AnyPool, StorageError> {
    sqlx::any::install_default_drivers();
    let options: AnyConnectOptions = url(path, WRITING)
        .parse()
        .map_err(|source: sqlx::Error| StorageError::open(path.display(), source))?;
    AnyPoolOptions::new()
        .max_connections(connections(access))
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .after_connect(move |connection, _| Box::pin(prepare(connection, access)))
        .after_release(|connection, _| Box::pin(is_idle(connection)))
        .connect_with(traced(options))
        .await
        .map_err(|source| failed_to_open(path.display(), source))
}

/// Checks with one connection that the file at `path` is a database, or creates it. A pool would try for long.
pub(crate) async fn probe(path: &Path) -> Result<(), StorageError> {
    sqlx::any::install_default_drivers();
    let failed = |source: sqlx::Error| StorageError::open(path.display(), source);
    let options: AnyConnectOptions = url(path, WRITING).parse().map_err(failed)?;
    let mut connection = options
        .disable_statement_logging()
        .connect()
        .await
        .map_err(failed)?;
    let probed = sqlx::query("SELECT COUNT(*) FROM sqlite_master")
        .fetch_one(&mut connection)
        .await;
    // Only the result of the statement matters.
    let _ = connection.close().await;
    probed.map(drop).map_err(failed)
}

fn url(path: &Path, mode: &str) -> String {
    // Only characters that would end the path or start an escape need to be escaped.
    let path = path
        .to_string_lossy()
        .replace('%', "%25")
        .replace('?', "%3F")
        .replace('#', "%23")
        .replace(' ', "%20");
    format!("sqlite:{path}?{mode}")
}

async fn prepare(connection: &mut AnyConnection, access: PoolAccess) -> Result<(), sqlx::Error> {
    for (statement, _, _) in SETTINGS {
        sqlx::query(statement)
            .fetch_optional(&mut *connection)
            .await?;
    }
    for statement in TUNING {
        sqlx::query(statement)
            .fetch_optional(&mut *connection)
            .await?;
    }
    sqlx::query(cache(access))
        .fetch_optional(&mut *connection)
        .await?;
    if access.only_reads() {
        sqlx::query("PRAGMA query_only = ON")
            .fetch_optional(&mut *connection)
            .await?;
    }
    for (_, name, wanted) in SETTINGS {
        let found = reported(connection, name).await?;
        if found != wanted {
            let error = StorageError::Setting { name, found };
            return Err(sqlx::Error::Configuration(Box::new(error)));
        }
    }
    Ok(())
}

async fn reported(
    connection: &mut AnyConnection,
    name: &'static str,
) -> Result<String, sqlx::Error> {
    let statement = match name {
        "busy_timeout" => "PRAGMA busy_timeout",
        "journal_mode" => "PRAGMA journal_mode",
        "synchronous" => "PRAGMA synchronous",
        _ => "PRAGMA foreign_keys",
    };
    let row = sqlx::query(statement).fetch_one(connection).await?;
    match row.try_get::<String, _>(0) {
        Ok(text) => Ok(text),
        Err(_) => Ok(row.try_get::<i64, _>(0)?.to_string()),
    }
}

#[cfg(test)]
mod tests {
    //! 1. Every connection has the configured journal mode, synchronisation, foreign keys and busy timeout.

    use super::{PoolAccess, SETTINGS, pool, reported};

    #[tokio::test]
    async fn every_connection_has_the_settings_for_durability() {
        let dir = tempfile::tempdir().expect("a directory");
        let accesses = [
            PoolAccess::Write,
            PoolAccess::Read,
            PoolAccess::Bulk,
            PoolAccess::LogWrite,
            PoolAccess::LogRead,
        ];
        for access in accesses {
            let pool = pool(&dir.path().join("a.db"), access).await.expect("opens");
            let mut connection = pool.acquire().await.expect("a connection");
            let mut found = Vec::new();
            for (_, name, _) in SETTINGS {
                let value = reported(&mut connection, name).await.expect("reads");
                found.push((name, value));
            }
            drop(connection);
            pool.close().await;
            let found: Vec<_> = found
                .iter()
                .map(|(name, value)| (*name, &**value))
                .collect();
            let wanted = [
                ("busy_timeout", "5000"),
                ("journal_mode", "wal"),
                ("synchronous", "2"),
                ("foreign_keys", "1"),
            ];
            assert_eq!(found, wanted);
        }
    }
}
