//! `NodeLock`: services share the database of a server; who moves it, and services of early versions, have it alone.

use crate::Storage;
use crate::database::{Database, DatabaseUrl};
use crate::error::{Doing, StorageError};
use crate::postgres;
use sqlx::{AnyConnection, Connection};
use std::fmt;
use std::sync::Arc;
use tokio::sync::Mutex;

/// How long a service waits for one that is stopping, or that the server still takes for running.
const WAIT: &str = "SET lock_timeout = '10s'";
/// The numbers spell the name; pairs of them are apart from the locks of single numbers.
const TAKE: &str = "SELECT pg_advisory_lock(1718185574, 2003135596)";
/// Others may do this at the same time, but nobody may take it alone.
const SHARE: &str = "SELECT pg_advisory_lock_shared(1718185574, 2003135596)";

/// A lock in a connection of its own, which the server releases when the connection ends.
#[derive(Clone, Default)]
pub(crate) struct NodeLock(Arc<Mutex<Option<AnyConnection>>>);

impl NodeLock {
    /// Takes the lock of `database` alone; that of a file is nothing, for its directory has one.
    pub async fn of(database: &Database) -> Result<Self, StorageError> {
        Self::taken(database, TAKE).await
    }

    /// Takes the lock of `database` beside others, so that nobody has it alone meanwhile.
    async fn beside_others(database: &Database) -> Result<Self, StorageError> {
        Self::taken(database, SHARE).await
    }

    async fn taken(database: &Database, take: &'static str) -> Result<Self, StorageError> {
        match database {
            Database::File(_) => Ok(Self::default()),
            Database::Url(url) => {
                let connection = locked(url, take).await?;
                Ok(Self(Arc::new(Mutex::new(Some(connection)))))
            }
        }
    }

    /// Releases the lock, if it is held.
    pub async fn release(&self) {
        if let Some(mut connection) = self.0.lock().await.take() {
            // The end of the connection releases it, too; this is done when it returns.
            let released = sqlx::query("SELECT pg_advisory_unlock_all()");
            let _ = released.execute(&mut connection).await;
            let _ = connection.close().await;
        }
    }
}

impl fmt::Debug for NodeLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NodeLock")
    }
}

impl Storage {
    /// Opens `database` as [`Storage::open`] does, and keeps other services away from it until it is closed. A file needs no
    /// such lock: its directory has one.
    ///
    /// The lock comes before the migrations, so a newer program changes nothing under a running one. It protects against
    /// mistakes: if the server breaks its connection, this service goes on without it.
    /// Errors: as [`Storage::open`], and if another service uses the database.
    pub async fn open_alone(database: &Database) -> Result<Self, StorageError> {
        let node = NodeLock::of(database).await?;
        Self::open_holding(database, node).await
    }

    /// Opens `database` as [`Storage::open`] does, and keeps away from it until it is closed who needs it alone. Several
    /// services may do so; each hears of the changes of the others.
    ///
    /// Errors: as [`Storage::open`], and if somebody has the database alone.
    pub async fn open_shared(database: &Database) -> Result<Self, StorageError> {
        let node = NodeLock::beside_others(database).await?;
        Self::open_holding(database, node).await
    }

    async fn open_holding(database: &Database, node: NodeLock) -> Result<Self, StorageError> {
        match Self::open(database).await {
            Ok(storage) => Ok(Self { node, ..storage }),
            Err(error) => {
                node.release().await;
                Err(error)
            }
        }
    }
}

async fn locked(url: &DatabaseUrl, take: &'static str) -> Result<AnyConnection, StorageError> {
    let doing = "locking the database";
    let mut connection = postgres::patient(url).await?;
    sqlx::query(WAIT)
        .execute(&mut connection)
        .await
        .doing(doing)?;
    match sqlx::query(take)
        .execute(&mut connection)
        .await
        .doing(doing)
    {
        Ok(_) => Ok(connection),
        Err(error) if error.is_transient() => Err(StorageError::unsuitable(
            url,
            "another server or command uses it, and one of the two needs it alone: a move, or a server of an early version",
        )),
        Err(error) => Err(error),
    }
}
