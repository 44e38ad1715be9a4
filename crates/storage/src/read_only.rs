//! A database that is opened so that nothing of it changes.

use crate::connect;
use crate::database::Database;
use crate::error::StorageError;
use crate::node_lock::NodeLock;
use crate::writer::Writer;
use crate::{Storage, migrations};
use sqlx::{AnyPool, Row};
use std::sync::Arc;

impl Storage {
    /// Opens `database` to be read only. A file may not be used by any other process meanwhile; it does not change, and none
    /// is created: not even those beside it with which connections share its log, after a crash either.
    ///
    /// Errors: if there is no database, or it is of another version, which only an opening that writes can bring up to date.
    pub async fn open_to_read(database: &Database) -> Result<Self, StorageError> {
        let pool = connect::read_only_pool(database).await?;
        check_version(&pool, database).await?;
        let dialect = database.dialect();
        let storage = Self {
            read: pool.clone(),
            bulk: pool.clone(),
            writer: Writer::new(pool, dialect),
            dialect,
            database: Arc::new(database.clone()),
            node: NodeLock::default(),
        };
        storage.require_whole(database).await?;
        Ok(storage)
    }
}

/// Fails for a database whose last migration is not that of this version.
async fn check_version(pool: &AnyPool, database: &Database) -> Result<(), StorageError> {
    let failed = |source: sqlx::Error| StorageError::open(database, source);
    let row = sqlx::query("SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations");
    let row = row.fetch_one(pool).await.map_err(failed)?;
    let found: i64 = row.try_get(0).map_err(failed)?;
    let known = migrations::OF_DATABASE
        .iter()
        .map(|migration| migration.version)
        .max();
    match found.cmp(&known.unwrap_or(0)) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(StorageError::Newer {
            database: database.to_string(),
            migration: found,
        }),
        std::cmp::Ordering::Less => Err(StorageError::Older {
            database: database.to_string(),
        }),
    }
}
