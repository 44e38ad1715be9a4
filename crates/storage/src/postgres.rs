//! A PostgreSQL server: which one can be used, and how connections to it are set up.

use crate::connect::{PoolAccess, failed_to_open, is_idle, traced};
use crate::database::DatabaseUrl;
use crate::error::StorageError;
use sqlx::any::AnyPoolOptions;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{AnyConnection, AnyPool, ConnectOptions, Connection, Row};
use std::time::Duration;
use tokio::time::timeout;

/// Transactions of one node that write at once.
pub(crate) const WRITERS: usize = 1;
/// Connections of one node to the server of its database, those of the search log, of [`crate::node_lock`] and of
/// [`crate::change_hints`] included.
const NODE_CONNECTIONS: i64 = 30;
/// The oldest version that is tested.
const VERSION_MIN: i64 = 150_000;

/// How long a caller waits for a connection of a pool, and for the first one of a server.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// When a connection is closed that nobody uses, and when one is that is in use: addresses of servers change.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10 * 60);
const LIFETIME: Duration = Duration::from_secs(30 * 60);

/// Settings of every connection. A server that is gone is noticed within a minute, and no plan is compiled for a statement
/// of some milliseconds.
const SETTINGS: [(&str, &str); 8] = [
    ("application_name", "findwell"),
    ("options[lock_timeout]", "5s"),
    ("options[default_transaction_isolation]", "read committed"),
    ("options[idle_session_timeout]", "0"),
    ("options[jit]", "off"),
    ("options[tcp_keepalives_idle]", "30"),
    ("options[tcp_keepalives_interval]", "10"),
    ("options[tcp_keepalives_count]", "3"),
];

/// Settings by what a connection is for.
fn settings(access: PoolAccess) -> [(&'static str, &'static str); 3] {
    let longest = match access {
        PoolAccess::Bulk => "10min",
        _ => "30s",
    };
    let read_only = if access.only_reads() { "on" } else { "off" };
    [
        ("options[statement_timeout]", longest),
        ("options[idle_in_transaction_session_timeout]", "60s"),
        ("options[default_transaction_read_only]", read_only),
    ]
}

/// Settings of a connection that changes tables, or waits for another one: it takes the time it needs.
const PATIENT: [(&str, &str); 3] = [
    ("options[statement_timeout]", "0"),
    ("options[lock_timeout]", "0"),
    ("options[default_transaction_read_only]", "off"),
];

/// Returns the number of connections of a pool; with the two of [`NODE_CONNECTIONS`] that are in no pool they are as many.
fn connections(access: PoolAccess) -> u32 {
    match access {
        PoolAccess::Write => 8,
        PoolAccess::Read => 11,
        PoolAccess::Bulk => 6,
        PoolAccess::LogWrite => 1,
        PoolAccess::LogRead => 2,
    }
}

/// Opens a pool of connections.
pub(crate) async fn pool(url: &DatabaseUrl, access: PoolAccess) -> Result<AnyPool, StorageError> {
    let options = url.options(SETTINGS.into_iter().chain(settings(access)));
    let of_url = url.clone();
    AnyPoolOptions::new()
        .max_connections(connections(access))
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(IDLE_TIMEOUT)
        .max_lifetime(LIFETIME)
        // `can_be_used` asks the server already.
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            let url = of_url.clone();
            Box::pin(async move { check_settings(connection, &url, access).await })
        })
        .before_acquire(move |connection, _| Box::pin(can_be_used(connection, access)))
        .after_release(|connection, _| Box::pin(is_idle(connection)))
        .connect_with(traced(options))
        .await
        .map_err(|source| failed_to_open(url, source))
}

/// Opens a pool of one connection that may take its time, to a server and a database that are checked.
pub(crate) async fn migrating(
    url: &DatabaseUrl,
    access: PoolAccess,
) -> Result<AnyPool, StorageError> {
    let mut connection = patient(url).await?;
    check_server(&mut connection, url).await?;
    // A pool would go on trying when its connections are refused.
    let durable = check_durability(&mut connection, url).await;
    durable.map_err(|error| failed_to_open(url, error))?;
    check_content(&mut connection, url, access).await?;
    // Only what was checked matters.
    let _ = connection.close().await;
    let options = url.options(SETTINGS.into_iter().chain(PATIENT));
    AnyPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(CONNECT_TIMEOUT)
        .connect_with(options.disable_statement_logging())
        .await
        .map_err(|source| failed_to_open(url, source))
}

/// Opens a connection that waits as long as it has to.
pub(crate) async fn patient(url: &DatabaseUrl) -> Result<AnyConnection, StorageError> {
    let options = url.options(SETTINGS.into_iter().chain(PATIENT));
    let options = options.disable_statement_logging();
    match timeout(CONNECT_TIMEOUT, options.connect()).await {
        Ok(connected) => connected.map_err(|source| StorageError::open(url, source)),
        Err(_) => Err(StorageError::open(url, "the server does not respond")),
    }
}

/// Opens a connection that hears of notifications, and is opened again where it is lost.
pub(crate) async fn listener(url: &DatabaseUrl) -> Result<PgListener, sqlx::Error> {
    let options = url.options(SETTINGS.into_iter().chain(PATIENT));
    let options = PgConnectOptions::try_from(&options)?.disable_statement_logging();
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(CONNECT_TIMEOUT)
        .max_lifetime(None)
        .idle_timeout(None)
        .connect_lazy_with(options);
    PgListener::connect_with(&pool).await
}

/// Returns whether a connection that was idle still leads to a server, and one that writes to a server that lets it.
///
/// After a failover the former server may go on as a standby, and its connections stay open.
async fn can_be_used(
    connection: &mut AnyConnection,
    access: PoolAccess,
) -> Result<bool, sqlx::Error> {
    let asked = sqlx::query("SELECT pg_is_in_recovery()")
        .fetch_one(connection)
        .await;
    let is_standby = asked.and_then(|row| row.try_get::<bool, _>(0));
    Ok(is_standby.is_ok_and(|is_standby| access.only_reads() || !is_standby))
}

/// Compares what durability and isolation depend on with what the connection reports.
async fn check_settings(
    connection: &mut AnyConnection,
    url: &DatabaseUrl,
    access: PoolAccess,
) -> Result<(), sqlx::Error> {
    check_durability(connection, url).await?;
    let read_only = if access.only_reads() { "on" } else { "off" };
    for (name, wanted) in [
        ("default_transaction_isolation", "read committed"),
        ("default_transaction_read_only", read_only),
    ] {
        let found = reported(connection, name).await?;
        if found != wanted {
            let error = StorageError::Setting { name, found };
            return Err(sqlx::Error::Configuration(Box::new(error)));
        }
    }
    Ok(())
}

/// Fails for a server that acknowledges a commit before it is on disk.
async fn check_durability(
    connection: &mut AnyConnection,
    url: &DatabaseUrl,
) -> Result<(), sqlx::Error> {
    if reported(connection, "synchronous_commit").await? != "off" {
        return Ok(());
    }
    let reason = "synchronous_commit is off, so what was acknowledged could be lost; set it to on: \
                  ALTER ROLE … SET synchronous_commit = on";
    let error = StorageError::unsuitable(url, reason);
    Err(sqlx::Error::Configuration(Box::new(error)))
}

async fn reported(
    connection: &mut AnyConnection,
    name: &'static str,
) -> Result<String, sqlx::Error> {
    let setting = sqlx::query("SELECT current_setting($1)").bind(name);
    setting.fetch_one(connection).await?.try_get(0)
}

/// Fails for a server or database that cannot be used, and says what to do.
async fn check_server(
    connection: &mut AnyConnection,
    url: &DatabaseUrl,
) -> Result<(), StorageError> {
    let failed = |source: sqlx::Error| StorageError::open(url, source);
    let sql = "SELECT CAST(current_setting('server_version_num') AS BIGINT)";
    let row = sqlx::query(sql).fetch_one(&mut *connection).await;
    let version: i64 = row.and_then(|row| row.try_get(0)).map_err(failed)?;
    if version < VERSION_MIN {
        let reason = format!(
            "the server is PostgreSQL {}, and 15 is the oldest that is supported",
            version / 10_000
        );
        return Err(StorageError::unsuitable(url, reason));
    }
    let sql = "SELECT current_setting('server_encoding') AS encoding, CAST(d.datlocprovider AS TEXT) AS provider, \
               CAST(d.datcollate AS TEXT) AS collation, pg_is_in_recovery() AS standby, \
               CAST(current_setting('max_connections') AS BIGINT) \
               - CAST(current_setting('superuser_reserved_connections') AS BIGINT) AS of_server, \
               CAST(d.datconnlimit AS BIGINT) AS of_database, CAST(r.rolconnlimit AS BIGINT) AS of_role \
               FROM pg_database d, pg_roles r WHERE d.datname = current_database() AND r.rolname = current_user";
    let row = sqlx::query(sql)
        .fetch_one(&mut *connection)
        .await
        .map_err(failed)?;
    let text = |name: &str| row.try_get::<String, _>(name).map_err(failed);
    let number = |name: &str| row.try_get::<i64, _>(name).map_err(failed);
    let unsuitable = |reason: String| Err(StorageError::unsuitable(url, reason));
    let (encoding, collation) = (text("encoding")?, text("collation")?);
    if encoding != "UTF8" || !is_binary(&text("provider")?, &collation) {
        return unsuitable(format!(
            "it has the encoding {encoding} and the collation {collation}, and needs UTF8 and C.UTF-8 or C; create it with \
             CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"
        ));
    }
    if row.try_get("standby").map_err(failed)? {
        return unsuitable(
            "the server is a standby, which accepts no writes; name the primary".to_owned(),
        );
    }
    for (what, limit) in [
        ("the server", number("of_server")?),
        ("the database", number("of_database")?),
        ("the role", number("of_role")?),
    ] {
        // -1 is no limit.
        if (0..NODE_CONNECTIONS).contains(&limit) {
            return unsuitable(format!(
                "{what} allows {limit} connections, and a node uses up to {NODE_CONNECTIONS}; raise the limit"
            ));
        }
    }
    Ok(())
}

/// Returns whether texts are ordered by their bytes: in the C library by this name, or built into the server.
fn is_binary(provider: &str, collation: &str) -> bool {
    match provider {
        "c" => matches!(collation, "C" | "POSIX" | "C.UTF-8" | "C.utf8"),
        "b" => true,
        _ => false,
    }
}

/// Fails for a database that holds the other of the two: their migrations would take each other's for their own.
async fn check_content(
    connection: &mut AnyConnection,
    url: &DatabaseUrl,
    access: PoolAccess,
) -> Result<(), StorageError> {
    let (table, whose) = if access.is_of_log() {
        ("stores", "the service")
    } else {
        ("search_totals", "a search log")
    };
    let sql =
        "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1";
    let row = sqlx::query(sql).bind(table).fetch_one(connection).await;
    let count: i64 = row
        .and_then(|row| row.try_get(0))
        .map_err(|source| StorageError::open(url, source))?;
    if count > 0 {
        let reason = format!("it is that of {whose}; service and search log need a database each");
        return Err(StorageError::unsuitable(url, reason));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    //! 1. The connections of all pools are within those of a node.
    //! 2. Only collations that order by bytes are accepted.

    use super::*;

    #[test]
    fn connections_are_bounded() {
        let accesses = [
            PoolAccess::Write,
            PoolAccess::Read,
            PoolAccess::Bulk,
            PoolAccess::LogWrite,
            PoolAccess::LogRead,
        ];
        let all: u32 = accesses.into_iter().map(connections).sum();
        assert_eq!(i64::from(all) + 2, NODE_CONNECTIONS);
        assert!(WRITERS <= connections(PoolAccess::Write) as usize);
    }

    #[test]
    fn collations_are_binary() {
        for (provider, collation, binary) in [
            ("c", "C", true),
            ("c", "C.UTF-8", true),
            ("c", "C.utf8", true),
            ("c", "en_US.UTF-8", false),
            ("i", "C", false),
            ("b", "C", true),
        ] {
            assert_eq!(
                is_binary(provider, collation),
                binary,
                "{provider} {collation}"
            );
        }
    }
}
