//! Opens the pools of a database, in a file or on a server.

use crate::database::Database;
use crate::error::StorageError;
use crate::{postgres, sqlite};
use log::LevelFilter;
use sqlx::any::AnyConnectOptions;
use sqlx::migrate::Migrator;
use sqlx::{AnyConnection, AnyPool, ConnectOptions, Connection};
use std::fmt;
use std::time::Duration;

/// What a pool is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PoolAccess {
    /// Connections that write.
    Write,
    /// Connections for single short statements that read.
    Read,
    /// Connections for longer reads.
    Bulk,
    /// The one connection that writes the search log.
    LogWrite,
    /// Connections that only read the search log.
    LogRead,
}

impl PoolAccess {
    pub fn only_reads(self) -> bool {
        matches!(self, Self::Read | Self::Bulk | Self::LogRead)
    }

    pub fn is_of_log(self) -> bool {
        matches!(self, Self::LogWrite | Self::LogRead)
    }
}

/// How long a caller waits for a connection of a file, or for its turn to write.
pub(crate) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens a pool that writes, once `migrations` have brought the database up to date.
pub(crate) async fn migrated_pool(
    database: &Database,
    access: PoolAccess,
    migrations: &Migrator,
) -> Result<AnyPool, StorageError> {
    let failed = |source| StorageError::migration(database, source);
    match database {
        Database::File(path) => {
            let pool = sqlite::pool(path, access).await?;
            migrations.run(&pool).await.map_err(failed)?;
            Ok(pool)
        }
        Database::Url(url) => {
            let patient = postgres::migrating(url, access).await?;
            let migrated = migrations.run(&patient).await;
            patient.close().await;
            migrated.map_err(failed)?;
            postgres::pool(url, access).await
        }
    }
}

/// Opens a pool of a database that is up to date.
pub(crate) async fn pool(database: &Database, access: PoolAccess) -> Result<AnyPool, StorageError> {
    match database {
        Database::File(path) => sqlite::pool(path, access).await,
        Database::Url(url) => postgres::pool(url, access).await,
    }
}

/// Opens a pool of a database that nothing changes through it. Nobody else may use a file meanwhile.
pub(crate) async fn read_only_pool(database: &Database) -> Result<AnyPool, StorageError> {
    match database {
        Database::File(path) => sqlite::read_only_pool(path).await,
        Database::Url(url) => postgres::pool(url, PoolAccess::Bulk).await,
    }
}

/// Checks with one connection that there is a database, or creates the file. A pool would try for long.
pub(crate) async fn probe(database: &Database) -> Result<(), StorageError> {
    match database {
        Database::File(path) => sqlite::probe(path).await,
        // The connection for migrations does so.
        Database::Url(_) => Ok(()),
    }
}

/// Returns whether a returned connection has no open transaction; one that has is not used again.
///
/// If the disk is full, SQLite rolls a transaction back itself. The library, which counts transactions, does not notice
/// this, and every later transaction on that connection would fail.
pub(crate) async fn is_idle(connection: &mut AnyConnection) -> Result<bool, sqlx::Error> {
    if connection.is_in_transaction() {
        // A roll-back may still be pending; the ping returns after it.
        connection.ping().await?;
    }
    Ok(!connection.is_in_transaction())
}

/// Returns the error of a pool that cannot be opened, which is in the pool's own if a connection was refused by its check.
pub(crate) fn failed_to_open(database: impl fmt::Display, source: sqlx::Error) -> StorageError {
    match source {
        sqlx::Error::Configuration(inner) => match inner.downcast::<StorageError>() {
            Ok(own) => *own,
            Err(other) => StorageError::open(database, other),
        },
        other => StorageError::open(database, other),
    }
}

/// Has statements written at the level of traces, which only whoever sends traces takes; slow ones are no case of their own.
pub(crate) fn traced(options: AnyConnectOptions) -> AnyConnectOptions {
    options
        .log_statements(LevelFilter::Trace)
        .log_slow_statements(LevelFilter::Off, Duration::MAX)
}
