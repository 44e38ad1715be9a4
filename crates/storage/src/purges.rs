//! Statements that remove many documents of an index at once: the purge after a run, and the clear.
//!
//! Each is one short write, after which the documents are gone for all readers; [`crate::Sweep`] updates their rows
//! later.

use crate::error::{Doing, StorageError};
use crate::{FeedWrite, IndexState, Purging};
use sqlx::Row;

/// Older than any document: a row with this `rev` blocks no upsert.
pub(crate) const BEFORE_ALL: i64 = i64::MIN;

impl FeedWrite {
    /// Returns the number of documents that [`Self::purge`] would delete.
    pub async fn unseen(
        &mut self,
        state: &IndexState,
        run: i64,
        opened_writes: i64,
    ) -> Result<u64, StorageError> {
        let doing = "counting the documents that a run did not see";
        let sql = "SELECT COUNT(*) FROM documents \
                   WHERE index_id = $1 AND deleted = 0 AND seen_run <> $2 AND written <= $3 AND written > $4";
        let count: i64 = sqlx::query(sql)
            .bind(state.id.0)
            .bind(run)
            .bind(opened_writes)
            .bind(state.cleared_writes)
            .fetch_one(&mut *self.tx)
            .await
            .and_then(|row| row.try_get(0))
            .doing(doing)?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// Deletes the documents that the run `run` did not see and that were not written since the index counted
    /// `opened_writes`: `count` of them, as [`Self::unseen`] counted in this transaction. They get as many sequence
    /// numbers after that of `state`, which is updated here and saved by the caller.
    ///
    /// The deletion marks keep the `rev` of the documents, because a purge does not know when they were built.
    /// An earlier purge must be swept already.
    pub async fn purge(
        &mut self,
        state: &mut IndexState,
        run: i64,
        opened_writes: i64,
        count: u64,
    ) -> Result<(), StorageError> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let first = state.sequence + 1;
        state.writes += 1;
        state.sequence += count;
        state.documents -= count;
        state.purging = Some(Purging {
            run,
            opened_writes,
            written: state.writes,
            last: state.sequence,
        });
        let sql = "UPDATE indices SET purge_run = $3, purge_opened = $4, purge_written = $5, purge_first = $6, \
                   purge_last = $7, purge_next = $6, unswept = $5 WHERE id = $1 AND store_id = $2";
        sqlx::query(sql)
            .bind(state.id.0)
            .bind(self.store.as_str())
            .bind(run)
            .bind(opened_writes)
            .bind(state.writes)
            .bind(first)
            .bind(state.sequence)
            .execute(&mut *self.tx)
            .await
            .doing("purging after a run")?;
        Ok(())
    }

    /// Deletes all documents and deletion marks of the index as its next change. `state` is updated here and saved by
    /// the caller. Does nothing if there was no write since the last clear.
    ///
    /// The rows stay for a while as marks that block no upsert, so that documents which are sent again keep their
    /// ordinals.
    pub async fn clear(&mut self, state: &mut IndexState) -> Result<(), StorageError> {
        if state.cleared_writes > 0 && state.cleared_writes == state.writes {
            return Ok(());
        }
        state.writes += 1;
        state.sequence += 1;
        state.documents = 0;
        state.rebuild = None;
        state.purging = None;
        state.cleared_writes = state.writes;
        let sql = "UPDATE indices SET cleared = $3, cleared_writes = $4, unswept = $4, purge_run = NULL \
                   WHERE id = $1 AND store_id = $2";
        sqlx::query(sql)
            .bind(state.id.0)
            .bind(self.store.as_str())
            .bind(state.sequence)
            .bind(state.writes)
            .execute(&mut *self.tx)
            .await
            .doing("clearing an index")?;
        Ok(())
    }

    /// Makes all current deletion marks of the index block no upsert, however old.
    pub async fn disable_marks(&mut self, state: &mut IndexState) -> Result<(), StorageError> {
        state.forgiven_writes = state.writes;
        sqlx::query("UPDATE indices SET forgiven_writes = $3 WHERE id = $1 AND store_id = $2")
            .bind(state.id.0)
            .bind(self.store.as_str())
            .bind(state.writes)
            .execute(&mut *self.tx)
            .await
            .doing("disabling the deletion marks of an index")?;
        Ok(())
    }
}
