//! Statements that take many documents out of an index at once: the purge after a run, and the clear.

use crate::error::{Doing, StorageError};
use crate::{FeedWrite, IndexState, Storage};
use domain::{IndexId, Timestamp};
use sqlx::Row;

/// Older than any document: a row with it keeps no upsert out.
const BEFORE_ALL: i64 = i64::MIN;

impl FeedWrite {
    /// How many documents [`Self::purge`] would delete.
    pub async fn unseen(
        &mut self,
        index: IndexId,
        run: i64,
        opened_writes: i64,
    ) -> Result<u64, StorageError> {
        let doing = "counting what a run did not see";
        let sql = "SELECT COUNT(*) FROM documents \
                   WHERE index_id = $1 AND deleted = 0 AND seen_run <> $2 AND written <= $3";
        let count: i64 = sqlx::query(sql)
            .bind(index.0)
            .bind(run)
            .bind(opened_writes)
            .fetch_one(&mut *self.tx)
            .await
            .and_then(|row| row.try_get(0))
            .doing(doing)?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// Deletes the documents that the run `run` did not see and nothing has written since the index counted
    /// `opened_writes`, and answers how many. Each gets a sequence number of its own after that of `state`.
    ///
    /// The marks keep the documents' own `rev`: a purge says nothing about when they were built.
    pub async fn purge(
        &mut self,
        state: &IndexState,
        run: i64,
        opened_writes: i64,
        at: Timestamp,
    ) -> Result<u64, StorageError> {
        let doing = "purging after a run";
        let sql = "UPDATE documents SET deleted = 1, deleted_at = $4, seq = $5 + gone.place, written = $6 \
                   FROM (SELECT ordinal, ROW_NUMBER() OVER (ORDER BY ordinal) AS place FROM documents \
                   WHERE index_id = $1 AND deleted = 0 AND seen_run <> $2 AND written <= $3) AS gone \
                   WHERE documents.index_id = $1 AND documents.ordinal = gone.ordinal";
        let purged = sqlx::query(sql)
            .bind(state.id.0)
            .bind(run)
            .bind(opened_writes)
            .bind(at.0)
            .bind(state.sequence)
            .bind(state.writes + 1)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?
            .rows_affected();
        if purged > 0 {
            let sql = "DELETE FROM document_bodies WHERE index_id = $1 AND ordinal IN \
                       (SELECT ordinal FROM documents WHERE index_id = $1 AND seq > $2 AND deleted = 1)";
            sqlx::query(sql)
                .bind(state.id.0)
                .bind(state.sequence)
                .execute(&mut *self.tx)
                .await
                .doing(doing)?;
        }
        Ok(purged)
    }

    /// Empties the index as its change `state.sequence`, and forgets every deletion in it.
    ///
    /// The rows stay for a while, so that documents which come back get their numbers again; no upsert is too old
    /// for one of them.
    pub async fn clear(&mut self, state: &IndexState, at: Timestamp) -> Result<(), StorageError> {
        let doing = "emptying an index";
        let sql = "UPDATE documents SET deleted = 1, deleted_at = $2, rev = $3, seq = $4, written = $5 \
                   WHERE index_id = $1";
        sqlx::query(sql)
            .bind(state.id.0)
            .bind(at.0)
            .bind(BEFORE_ALL)
            .bind(state.sequence)
            .bind(state.writes)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        sqlx::query("DELETE FROM document_bodies WHERE index_id = $1")
            .bind(state.id.0)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        sqlx::query("UPDATE indices SET cleared = $3 WHERE id = $1 AND store_id = $2")
            .bind(state.id.0)
            .bind(self.store.as_str())
            .bind(state.sequence)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }

    /// Lets every deleted document of the index come back, however old the upsert that brings it.
    pub async fn forget_deletions(&mut self, index: IndexId) -> Result<(), StorageError> {
        sqlx::query("UPDATE documents SET rev = $2 WHERE index_id = $1 AND deleted = 1")
            .bind(index.0)
            .bind(BEFORE_ALL)
            .execute(&mut *self.tx)
            .await
            .doing("forgetting the deletions of an index")?;
        Ok(())
    }
}

impl Storage {
    /// Number of the change that emptied the index last; 0 when it never was.
    pub async fn cleared(&self, index: IndexId) -> Result<i64, StorageError> {
        let doing = "asking when an index was emptied";
        let row = sqlx::query("SELECT cleared FROM indices WHERE id = $1")
            .bind(index.0)
            .fetch_optional(&self.read)
            .await
            .doing(doing)?;
        row.map_or(Ok(0), |row| row.try_get(0).doing(doing))
    }
}
