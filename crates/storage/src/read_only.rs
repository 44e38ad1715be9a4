//! A database that no server uses, opened so that no byte of it changes.

use crate::connect;
use crate::error::StorageError;
use crate::writer::Writer;
use crate::{FILE_NAME, MIGRATIONS, Storage};
use sqlx::{AnyPool, Row};
use std::path::Path;

impl Storage {
    /// Opens the database in `dir`, which no other process may use meanwhile, to be read only. No file changes, and none is
    /// created: not even those beside the database with which connections share its log, after a crash either.
    ///
    /// Errors: if there is no database, or it is of another version, which only an opening that writes can bring up to date.
    pub async fn open_to_read(dir: &Path) -> Result<Self, StorageError> {
        let path = dir.join(FILE_NAME);
        let pool = connect::read_only_pool(&path).await?;
        check_version(&pool, &path).await?;
        Ok(Self {
            read: pool.clone(),
            bulk: pool.clone(),
            writer: Writer::new(pool),
        })
    }
}

/// Fails for a database whose last migration is not that of this version.
async fn check_version(pool: &AnyPool, path: &Path) -> Result<(), StorageError> {
    let failed = |source: sqlx::Error| StorageError::open(path, source);
    let row = sqlx::query("SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations");
    let row = row.fetch_one(pool).await.map_err(failed)?;
    let found: i64 = row.try_get(0).map_err(failed)?;
    let known = MIGRATIONS.iter().map(|migration| migration.version).max();
    match found.cmp(&known.unwrap_or(0)) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(StorageError::Newer {
            path: path.to_owned(),
            migration: found,
        }),
        std::cmp::Ordering::Less => Err(StorageError::Older {
            path: path.to_owned(),
        }),
    }
}
