//! How often stores open runs, and which have stopped.

use crate::error::{Doing, StorageError};
use crate::store_rows::{columns, store};
use crate::{FeedWrite, Storage};
use domain::access::MayRead;
use domain::feed::FeedPace;
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

/// The open stores with `last`, the instant of the last sign of life: a run that was opened, or a call of the connector.
macro_rules! known {
    () => {
        "(SELECT s.*, CASE WHEN COALESCE(c.seen_at, 0) > s.last_run_at THEN c.seen_at ELSE s.last_run_at END AS last \
         FROM stores s LEFT JOIN connectors c ON c.store_id = s.id WHERE s.closed_at IS NULL) AS known"
    };
}

/// Whether a store shows no sign of life at the instant `$1`; `$2` to `$4` are the bounds of [`FeedPace::SILENCE`].
macro_rules! is_silent {
    () => {
        "status = 'active' AND runs_opened >= $2 AND last + $3 * run_interval < $1 AND last + $4 < $1"
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
            .bind(FeedPace::SILENCE.runs)
            .bind(FeedPace::SILENCE.intervals)
            .bind(FeedPace::SILENCE.ms)
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
        let row = sqlx::query(silent!("last", " AND id = $5"))
            .bind(now.0)
            .bind(FeedPace::SILENCE.runs)
            .bind(FeedPace::SILENCE.intervals)
            .bind(FeedPace::SILENCE.ms)
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
            .bind(FeedPace::SILENCE.runs)
            .bind(FeedPace::SILENCE.intervals)
            .bind(FeedPace::SILENCE.ms)
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
    " WHERE account_id IN (SELECT account_id FROM memberships WHERE user_id = $5) ORDER BY created_at, id"
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
    pub(crate) async fn note_run(&mut self, at: Timestamp) -> Result<(), StorageError> {
        let doing = "noting when a run was opened";
        let sql = "SELECT runs_opened, last_run_at, run_interval FROM stores WHERE id = $1";
        let row = sqlx::query(sql)
            .bind(self.store.as_str())
            .fetch_one(&mut *self.tx)
            .await
            .doing(doing)?;
        let pace = pace(&row).doing(doing)?.after_run(at);
        let sql =
            "UPDATE stores SET runs_opened = $2, last_run_at = $3, run_interval = $4 WHERE id = $1";
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(pace.runs)
            .bind(at.0)
            .bind(pace.interval_ms)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }
}

fn pace(row: &AnyRow) -> Result<FeedPace, sqlx::Error> {
    Ok(FeedPace {
        runs: row.try_get("runs_opened")?,
        last_run_at: Some(row.try_get("last_run_at")?)
            .filter(|at| *at != 0)
            .map(Timestamp),
        interval_ms: row.try_get("run_interval")?,
    })
}
