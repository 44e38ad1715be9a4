//! Statements of maintenance jobs, each one portion of a job.

use crate::Storage;
use crate::error::{Doing, StorageError};
use crate::locks::lock_index;
use crate::purges::BEFORE_ALL;
use crate::rows::{IDS_MAX, placeholders};
use crate::writer::Party;
use domain::access::System;
use domain::{IndexId, Permit, Timestamp};
use sqlx::Row;

impl Storage {
    /// Expires the open runs that were last used before `used_before`, without purge, and returns their number.
    pub async fn expire_runs(
        &self,
        used_before: Timestamp,
        at: Timestamp,
    ) -> Result<u64, StorageError> {
        let doing = "expiring unused runs";
        let sql = "UPDATE runs SET state = 'expired', ended_at = $2 WHERE state = 'open' AND last_used_at <= $1";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        let done = sqlx::query(sql)
            .bind(used_before.0)
            .bind(at.0)
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)?;
        Ok(done.rows_affected())
    }

    /// Deletes at most `limit` of the runs that ended before `ended_before`, and returns their number.
    pub async fn delete_ended_runs(
        &self,
        ended_before: Timestamp,
        limit: u32,
    ) -> Result<u64, StorageError> {
        let doing = "deleting old runs";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        // Read once: a list that each statement selects by itself may differ when the second one runs.
        let old = "SELECT number FROM runs WHERE ended_at <= $1 AND state <> 'open' \
                   ORDER BY ended_at, number LIMIT $2";
        let rows = sqlx::query(old)
            .bind(ended_before.0)
            .bind(i64::from(limit))
            .fetch_all(&mut *tx)
            .await
            .doing(doing)?;
        let numbers = rows.iter().map(|row| row.try_get::<i64, _>(0));
        let numbers = numbers.collect::<Result<Vec<_>, _>>().doing(doing)?;
        let mut forgotten = 0;
        for portion in numbers.chunks(IDS_MAX) {
            let list = placeholders(portion.len(), 0);
            let mut deleted = 0;
            for sql in [
                format!("DELETE FROM run_scopes WHERE run_number IN ({list})"),
                format!("DELETE FROM runs WHERE number IN ({list})"),
            ] {
                let query = sqlx::query(sqlx::AssertSqlSafe(sql));
                let query = portion.iter().fold(query, |query, one| query.bind(*one));
                deleted = query.execute(&mut *tx).await.doing(doing)?.rows_affected();
            }
            forgotten += deleted;
        }
        tx.commit().await.doing(doing)?;
        Ok(forgotten)
    }

    /// Deletes at most `limit` deletion marks of an index of `store`, the oldest first, and returns their number: those
    /// not younger than `deleted_before`, or without it those that [`Self::mark_count`] counts.
    ///
    /// A mark stays until the search index has passed it (`watermark`) and while an open run counts it as seen.
    pub async fn delete_marks(
        &self,
        (permit, index): (&Permit<System>, IndexId),
        deleted_before: Option<Timestamp>,
        watermark: i64,
        limit: u32,
    ) -> Result<u64, StorageError> {
        let doing = "deleting old deletion marks";
        // The outer condition is read again after a wait for a row, the inner one is not.
        let sql = "DELETE FROM documents WHERE index_id = $1 AND deleted = 1 AND deleted_at <= $2 AND ordinal IN (SELECT ordinal FROM documents \
                   WHERE index_id = (SELECT id FROM indices WHERE id = $1 AND store_id = $7) \
                   AND deleted = 1 AND deleted_at <= $2 AND seq <= $3 \
                   AND seen_run NOT IN (SELECT number FROM runs WHERE state = 'open') \
                   AND ($5 = 1 OR ordinal < 0 OR (rev <> $6 \
                   AND written > (SELECT forgiven_writes FROM indices WHERE id = $1))) \
                   ORDER BY deleted_at, ordinal LIMIT $4)";
        let party = Party::Store(permit.store().clone());
        let mut tx = self.writer.begin(party).await.doing(doing)?;
        lock_index(&mut tx, index).await.doing(doing)?;
        let done = sqlx::query(sql)
            .bind(index.0)
            .bind(deleted_before.map_or(i64::MAX, |before| before.0))
            .bind(watermark)
            .bind(i64::from(limit))
            .bind(i64::from(deleted_before.is_some()))
            .bind(BEFORE_ALL)
            .bind(permit.store().as_str())
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)?;
        Ok(done.rows_affected())
    }

    /// Returns whether the index has a deletion mark old enough for [`Self::forget_marks`], passed or not.
    pub async fn has_old_marks(
        &self,
        index: IndexId,
        deleted_before: Timestamp,
    ) -> Result<bool, StorageError> {
        let sql = "SELECT 1 FROM documents WHERE index_id = $1 AND deleted = 1 AND deleted_at <= $2 LIMIT 1";
        let row = sqlx::query(sql)
            .bind(index.0)
            .bind(deleted_before.0)
            .fetch_optional(&self.bulk)
            .await
            .doing("looking for old deletion marks")?;
        Ok(row.is_some())
    }

    /// Returns the number of deletion marks of the index that block older upserts, including those of ids without a
    /// document from before a clear.
    pub async fn mark_count(&self, index: IndexId) -> Result<u64, StorageError> {
        let doing = "counting deletion marks";
        let sql = "SELECT COUNT(*) FROM documents d JOIN indices i ON i.id = d.index_id WHERE d.index_id = $1 \
                   AND d.deleted = 1 AND (d.ordinal < 0 OR (d.rev <> $2 AND d.written > i.forgiven_writes))";
        let count: i64 = sqlx::query(sql)
            .bind(index.0)
            .bind(BEFORE_ALL)
            .fetch_one(&self.bulk)
            .await
            .and_then(|row| row.try_get(0))
            .doing(doing)?;
        Ok(count.unsigned_abs())
    }
}
