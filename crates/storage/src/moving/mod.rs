//! Moves everything that a database holds into an empty one, of a file or of a server, and back again.
//!
//! Tables are copied one after the other in the order of their keys, a page a transaction, so the target always holds a
//! beginning of the source: a move that was interrupted goes on behind the last key. Then every row of both is compared.
//! Until that has succeeded a mark in the target keeps everybody from using it.

mod log;
mod rows;
mod tables;

pub use log::move_log;

use crate::error::{Doing, StorageError};
use crate::node_lock::NodeLock;
use crate::writer::Party;
use crate::{Database, Storage};
use rows::TablePages;
use sqlx::{AnyPool, Row};
use tables::{CopiedTable, TABLES};

/// How far a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveProgress {
    /// The table.
    pub table: &'static str,
    /// Whether its rows are compared, after all of them were copied.
    pub comparing: bool,
    /// Rows of the table that are done.
    pub rows: u64,
}

/// A table that was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct MovedTable {
    /// Its name.
    pub table: &'static str,
    /// Its rows, equal on both sides.
    pub rows: u64,
}

/// Receives how far a move is, after each page.
pub type MoveReport<'a> = &'a mut (dyn FnMut(MoveProgress) + Send);

/// A database that is being filled by a move, which nobody else uses.
#[derive(Debug)]
pub struct MoveTarget {
    storage: Storage,
    name: String,
    is_begun: bool,
}

impl Storage {
    /// Fails for a database into which a move was not finished.
    pub(crate) async fn require_whole(&self, database: &Database) -> Result<(), StorageError> {
        if !is_marked(&self.read).await? {
            return Ok(());
        }
        let reason = "a move into it was not finished; repeat findwell move";
        Err(StorageError::unsuitable(database, reason))
    }
}

async fn is_marked(pool: &AnyPool) -> Result<bool, StorageError> {
    let mark = sqlx::query("SELECT 1 FROM seals WHERE name = 'move'");
    let found = mark.fetch_optional(pool).await;
    Ok(found.doing("reading whether a move is going on")?.is_some())
}

impl MoveTarget {
    /// Opens `database` to be filled, and keeps services away from it.
    ///
    /// Errors: if it holds anything that does not come from a move that was interrupted; as [`Storage::open`].
    pub async fn open(database: &Database) -> Result<Self, StorageError> {
        let node = NodeLock::of(database).await?;
        let storage = match Storage::open_unchecked(database).await {
            Ok(storage) => Storage { node, ..storage },
            Err(error) => {
                node.release().await;
                return Err(error);
            }
        };
        let mut target = Self {
            storage,
            name: database.to_string(),
            is_begun: false,
        };
        match target.begin(database).await {
            Ok(()) => Ok(target),
            Err(error) => {
                target.storage.close().await;
                Err(error)
            }
        }
    }

    /// Returns whether it goes on with a move that was interrupted.
    pub fn is_begun(&self) -> bool {
        self.is_begun
    }

    async fn begin(&mut self, database: &Database) -> Result<(), StorageError> {
        let doing = "beginning a move";
        self.is_begun = is_marked(&self.storage.read).await?;
        if self.is_begun {
            return Ok(());
        }
        let mut tx = self
            .storage
            .writer
            .begin(Party::System)
            .await
            .doing(doing)?;
        let used = "SELECT (SELECT COUNT(*) FROM accounts) + (SELECT COUNT(*) FROM seals) \
                    + (SELECT COUNT(*) FROM users)";
        let row = sqlx::query(used).fetch_one(&mut *tx).await.doing(doing)?;
        if row.try_get::<i64, _>(0).doing(doing)? > 0 {
            let reason = "it holds data already; a move needs a new one";
            return Err(StorageError::unsuitable(database, reason));
        }
        // A new database has counters, which are copied like everything else.
        for statement in [
            "DELETE FROM counters",
            "INSERT INTO seals (name, sealed) VALUES ('move', '')",
        ] {
            sqlx::query(statement)
                .execute(&mut *tx)
                .await
                .doing(doing)?;
        }
        tx.commit().await.doing(doing)
    }

    /// Copies all rows of `source`, of which nothing may change meanwhile, and compares them.
    ///
    /// Errors: a row that the target does not accept, or that differs because the source changed after an interruption.
    pub async fn fill(
        &self,
        source: &Storage,
        report: MoveReport<'_>,
    ) -> Result<Vec<MovedTable>, StorageError> {
        let mut pages = Vec::new();
        for table in TABLES {
            pages.push(TablePages::new(table, &source.bulk, source.dialect).await?);
        }
        for table in &pages {
            table
                .copy(&source.bulk, &self.storage.writer.pool, report)
                .await?;
        }
        let mut moved = Vec::new();
        for table in &pages {
            let compared = table.compare(&source.bulk, &self.storage.bulk, report);
            moved.push(compared.await?.ok_or_else(|| self.differs(table.table))?);
        }
        Ok(moved)
    }

    /// Makes the target an ordinary database: everything is in it.
    pub async fn finish(self) -> Result<(), StorageError> {
        let doing = "finishing a move";
        let mut tx = self
            .storage
            .writer
            .begin(Party::System)
            .await
            .doing(doing)?;
        sqlx::query("DELETE FROM seals WHERE name = 'move'")
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)?;
        self.storage.close().await;
        Ok(())
    }

    /// Closes the target, which stays unusable until the move is repeated.
    pub async fn close(self) {
        self.storage.close().await;
    }

    fn differs(&self, table: &CopiedTable) -> StorageError {
        StorageError::Unsuitable {
            database: self.name.clone(),
            reason: format!(
                "its table {} differs from the source, which was changed after the move was interrupted; \
                 begin with a new database",
                table.name
            ),
        }
    }
}
