//! Statements of the jobs that keep the database tidy.

use crate::Storage;
use crate::error::{Doing, StorageError};
use domain::{IndexId, Timestamp};

impl Storage {
    /// Ends the open runs that were last used before `used_before`, without purge, and answers how many.
    pub async fn expire_runs(
        &self,
        used_before: Timestamp,
        at: Timestamp,
    ) -> Result<u64, StorageError> {
        let sql = "UPDATE runs SET state = 'expired', ended_at = $2 WHERE state = 'open' AND last_used_at <= $1";
        let done = sqlx::query(sql)
            .bind(used_before.0)
            .bind(at.0)
            .execute(&self.write)
            .await
            .doing("ending runs that nobody used")?;
        Ok(done.rows_affected())
    }

    /// Forgets the deletion marks of an index that are older than `deleted_before`, and answers how many.
    ///
    /// A mark stays while the search index has not passed it (`watermark`) or an open run counts it as seen.
    pub async fn forget_marks(
        &self,
        index: IndexId,
        deleted_before: Timestamp,
        watermark: i64,
    ) -> Result<u64, StorageError> {
        let sql = "DELETE FROM documents WHERE index_id = $1 AND deleted = 1 AND deleted_at <= $2 AND seq <= $3 \
                   AND seen_run NOT IN (SELECT number FROM runs WHERE state = 'open')";
        let done = sqlx::query(sql)
            .bind(index.0)
            .bind(deleted_before.0)
            .bind(watermark)
            .execute(&self.write)
            .await
            .doing("forgetting old deletion marks")?;
        Ok(done.rows_affected())
    }
}
