//! Statements on failed sign-ins and links, which all servers on a database count together.

use crate::Storage;
use crate::error::{Doing, StorageError};
use crate::writer::Party;
use domain::Timestamp;
use sqlx::Row;
use std::time::Duration;

/// The failures of a subject in its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failures {
    /// How many, this one included.
    pub count: u32,
    /// Time until the window ends.
    pub left: Duration,
}

impl Storage {
    /// Counts a failure of `subject`, whose window of `span` begins with the first one.
    pub async fn count_failure(
        &self,
        subject: &str,
        span: Duration,
        now: Timestamp,
    ) -> Result<Failures, StorageError> {
        let doing = "counting a failed attempt";
        let sql = "INSERT INTO attempts (subject, ends_at, failures) VALUES ($1, $2, 1) \
                   ON CONFLICT (subject) DO UPDATE SET \
                   failures = CASE WHEN attempts.ends_at <= $3 THEN 1 ELSE attempts.failures + 1 END, \
                   ends_at = CASE WHEN attempts.ends_at <= $3 THEN excluded.ends_at ELSE attempts.ends_at END \
                   RETURNING failures, ends_at - $3";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        let span = i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        let row = sqlx::query(sql)
            .bind(subject)
            .bind(now.0.saturating_add(span))
            .bind(now.0)
            .fetch_one(&mut *tx)
            .await
            .doing(doing)?;
        let number = |at: usize| {
            Ok(row
                .try_get::<i64, _>(at)
                .doing(doing)?
                .max(0)
                .unsigned_abs())
        };
        let failures = Failures {
            count: u32::try_from(number(0)?).unwrap_or(u32::MAX),
            left: Duration::from_millis(number(1)?),
        };
        tx.commit().await.doing(doing)?;
        Ok(failures)
    }

    /// Takes a failure of `subject` back, which was none.
    pub async fn take_failure_back(&self, subject: &str) -> Result<(), StorageError> {
        let doing = "taking a failed attempt back";
        let sql = "UPDATE attempts SET failures = failures - 1 WHERE subject = $1 AND failures > 0";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        sqlx::query(sql)
            .bind(subject)
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)
    }

    /// Deletes the failures whose window has ended; returns their number.
    pub async fn delete_ended_failures(&self, now: Timestamp) -> Result<u64, StorageError> {
        let doing = "deleting old failed attempts";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        let done = sqlx::query("DELETE FROM attempts WHERE ends_at <= $1")
            .bind(now.0)
            .execute(&mut *tx)
            .await;
        let deleted = done.doing(doing)?.rows_affected();
        tx.commit().await.doing(doing)?;
        Ok(deleted)
    }
}
