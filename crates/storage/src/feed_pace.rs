//! How often stores open runs, and which have stopped.

use crate::error::{Doing, StorageError};
use crate::store_rows::{columns, store};
use crate::{FeedWrite, Storage};
use domain::access::MayRead;
use domain::store::Store;
use domain::{AccountId, Permit, Timestamp, UserId};
use sqlx::Row;
use sqlx::any::AnyRow;

/// A store as a list of stores shows it.
#[derive(Clone, Debug)]
pub struct ListedStoreRow {
    /// Its account.
    pub account: AccountId,
    /// The store.
    pub store: Store,
    /// Since when its feed has stopped, if it has.
    pub silent_since: Option<Timestamp>,
}

/// Runs after which the usual interval of a store is known.
const RUNS_KNOWN: i64 = 5;
/// The shortest silence that counts, in milliseconds.
const SILENCE_MIN_MS: i64 = 3_600_000;

/// The open stores with `last`, the instant of the last sign of life: a run that was opened, or a call of the connector.
macro_rules! known {
    () => {
        "(SELECT s.*, CASE WHEN COALESCE(c.seen_at, 0) > s.last_run_at THEN c.seen_at ELSE s.last_run_at END AS last \
         FROM stores s LEFT JOIN connectors c ON c.store_id = s.id WHERE s.closed_at IS NULL) AS known"
    };
}

/// Whether a store has shown no sign of life for twice its usual interval at the instant `$1`.
macro_rules! is_silent {
    () => {
        "status = 'active' AND runs_opened >= $2 AND last + 2 * run_interval < $1 AND last + $3 < $1"
    };
}

/// Selects the stores that are silent.
macro_rules! silent {
    ($columns:literal, $more:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM ",
            known!(),
            " WHERE ",
            is_silent!(),
            $more
        )
    };
}

impl Storage {
    /// Returns how many stores have stopped feeding.
    pub async fn silent_feed_count(&self, now: Timestamp) -> Result<u64, StorageError> {
        let doing = "counting stores that stopped feeding";
        let sql = silent!("COUNT(*)", "");
        let count: i64 = sqlx::query(sql)
            .bind(now.0)
            .bind(RUNS_KNOWN)
            .bind(SILENCE_MIN_MS)
            .fetch_one(&self.bulk)
            .await
            .and_then(|row| row.try_get(0))
            .doing(doing)?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// Returns since when the permitted store has stopped feeding, if it has.
    pub async fn silent_feed(
        &self,
        permit: &Permit<impl MayRead>,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, StorageError> {
        let doing = "looking whether a store stopped feeding";
        let row = sqlx::query(silent!("last", " AND id = $4"))
            .bind(now.0)
            .bind(RUNS_KNOWN)
            .bind(SILENCE_MIN_MS)
            .bind(permit.store().as_str())
            .fetch_optional(&self.read)
            .await
            .doing(doing)?;
        row.map(|row| row.try_get(0).map(Timestamp).doing(doing))
            .transpose()
    }

    /// Returns the open stores of the accounts of a user, the oldest first, with whether they feed at `now`.
    pub async fn listed_stores_of_user(
        &self,
        user: &UserId,
        now: Timestamp,
    ) -> Result<Vec<ListedStoreRow>, StorageError> {
        let doing = "reading the stores of a user";
        let rows = sqlx::query(LISTED)
            .bind(now.0)
            .bind(RUNS_KNOWN)
            .bind(SILENCE_MIN_MS)
            .bind(user.as_str())
            .fetch_all(&self.bulk)
            .await
            .doing(doing)?;
        rows.iter().map(|row| listed(row).doing(doing)).collect()
    }
}

/// One statement, because the page waits for it; without a join with the silent stores, which the database would go
/// through for each store.
const LISTED: &str = concat!(
    "SELECT account_id, CASE WHEN ",
    is_silent!(),
    " THEN last END AS silent_since, ",
    columns!(),
    " FROM ",
    known!(),
    " WHERE account_id IN (SELECT account_id FROM memberships WHERE user_id = $4) ORDER BY created_at, id"
);

fn listed(row: &AnyRow) -> Result<ListedStoreRow, sqlx::Error> {
    Ok(ListedStoreRow {
        account: AccountId(row.try_get("account_id")?),
        store: store(row)?,
        silent_since: row
            .try_get::<Option<i64>, _>("silent_since")?
            .map(Timestamp),
    })
}

impl FeedWrite {
    /// Counts a run that was opened `at` this instant.
    ///
    /// The usual interval is the mean of the former one and the time since the last run. A run soon after another, by
    /// hand perhaps, does not count, and a long outage counts as eight intervals.
    pub(crate) async fn note_run(&mut self, at: Timestamp) -> Result<(), StorageError> {
        let sql = "UPDATE stores SET runs_opened = runs_opened + 1, last_run_at = $2, run_interval = CASE \
                   WHEN last_run_at = 0 OR $2 < last_run_at THEN run_interval \
                   WHEN run_interval = 0 THEN $2 - last_run_at \
                   WHEN ($2 - last_run_at) * 8 < run_interval THEN run_interval \
                   WHEN $2 - last_run_at > run_interval * 8 THEN (run_interval + run_interval * 8) / 2 \
                   ELSE (run_interval + $2 - last_run_at) / 2 END WHERE id = $1";
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(at.0)
            .execute(&mut *self.tx)
            .await
            .doing("noting when a run was opened")?;
        Ok(())
    }
}
