//! Deletes what the search log no longer keeps, in portions, so that its writer is never held up for long.

use super::{AnalyticsStorage, in_transaction};
use crate::dialect::Dialect;
use crate::error::{Doing, StorageError};
use domain::access::OperatorPermit;
use domain::limits::{EVENT_MARKS_MAX, LOGGED_ROWS_MAX};
use domain::{Day, StoreId, Timestamp};
use sqlx::Row;

const DOING: &str = "cleaning the search log";
/// Rows of one portion.
const PORTION_ROWS: i64 = 5_000;

/// How long the parts of the log are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogRetention {
    /// First day whose queries are kept.
    pub queries_from: Day,
    /// First day whose totals are kept.
    pub totals_from: Day,
    /// First day whose marks are kept.
    pub marks_from: Day,
}

/// A table of the log.
#[derive(Clone, Copy)]
struct LogTable {
    name: &'static str,
    /// Columns of its primary key.
    key: &'static str,
    /// Condition of the rows of days before `$2`.
    before: &'static str,
    /// What a row is taken to need on a server, with its indexes.
    row_bytes: u64,
}

const QUERIES: LogTable = LogTable {
    name: "search_queries",
    key: "store_id, day, digest",
    before: "day < $2",
    row_bytes: 400,
};
const TOTALS: LogTable = LogTable {
    name: "search_totals",
    key: "store_id, day, language, surface",
    before: "day < $2",
    row_bytes: 250,
};
const EVENTS: LogTable = LogTable {
    name: "event_marks",
    key: "store_id, response, event",
    before: "day < $2",
    row_bytes: 150,
};
const SEARCHES: LogTable = LogTable {
    name: "search_marks",
    key: "store_id, visit, started",
    before: "started < $2 * 86400000",
    row_bytes: 150,
};

impl AnalyticsStorage {
    /// Deletes what is older than `retention`; returns the number of rows.
    pub async fn delete_old(&self, retention: LogRetention) -> Result<u64, StorageError> {
        let LogRetention {
            queries_from,
            totals_from,
            marks_from,
        } = retention;
        let mut deleted = 0;
        for (table, from) in [
            (QUERIES, queries_from),
            (TOTALS, totals_from),
            (EVENTS, marks_from),
            (SEARCHES, marks_from),
        ] {
            deleted += self.delete_in_portions(table, None, from.0).await?;
        }
        Ok(deleted)
    }

    /// Deletes the log of a store, all of it or what is older than `before`, for the operator; returns the number of
    /// rows.
    pub async fn clear(
        &self,
        _permit: &OperatorPermit,
        store: &StoreId,
        before: Option<Day>,
    ) -> Result<u64, StorageError> {
        self.delete_before(store, before).await
    }

    async fn delete_before(
        &self,
        store: &StoreId,
        before: Option<Day>,
    ) -> Result<u64, StorageError> {
        let before = before.unwrap_or(Day::of(Timestamp(i64::MAX)).plus(-1)).0;
        let mut deleted = 0;
        for table in [QUERIES, TOTALS, EVENTS, SEARCHES] {
            deleted += self.delete_in_portions(table, Some(store), before).await?;
        }
        Ok(deleted)
    }

    /// Deletes the logs of stores that are not among `known`; returns the number of rows.
    pub async fn keep_only(&self, known: &[StoreId]) -> Result<u64, StorageError> {
        let pools = self.pools(DOING).await?;
        let mut deleted = 0;
        let sql = "SELECT store_id FROM search_totals UNION SELECT store_id FROM search_queries \
                   UNION SELECT store_id FROM event_marks UNION SELECT store_id FROM search_marks";
        for row in sqlx::query(sql).fetch_all(&pools.read).await.doing(DOING)? {
            let store = StoreId(row.try_get(0).doing(DOING)?);
            if !known.contains(&store) {
                deleted += self.delete_before(&store, None).await?;
            }
        }
        Ok(deleted)
    }

    /// Deletes the rarest queries of the oldest days of stores that have too many rows, and their oldest marks of too
    /// many; returns the number of rows.
    pub async fn enforce_rows(&self) -> Result<u64, StorageError> {
        let tables = [
            (QUERIES, "day, searches", LOGGED_ROWS_MAX),
            (EVENTS, "day", EVENT_MARKS_MAX),
            (SEARCHES, "started", EVENT_MARKS_MAX),
        ];
        let mut deleted = 0;
        for (table, order, max) in tables {
            let max = i64::try_from(max).unwrap_or(i64::MAX);
            let pools = self.pools(DOING).await?;
            let sql = format!(
                "SELECT store_id, COUNT(*) FROM {} GROUP BY store_id HAVING COUNT(*) > $1",
                table.name
            );
            let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(max);
            for row in rows.fetch_all(&pools.read).await.doing(DOING)? {
                let store: String = row.try_get(0).doing(DOING)?;
                let count: i64 = row.try_get(1).doing(DOING)?;
                deleted += self.delete_first(table, order, &store, count - max).await?;
            }
        }
        Ok(deleted)
    }

    /// Deletes the oldest day of the store that holds most, until the log takes at most `bytes_max` bytes; returns the
    /// number of rows.
    pub async fn enforce_bytes(&self, bytes_max: u64) -> Result<u64, StorageError> {
        let mut deleted = 0;
        while self.used_bytes().await? > bytes_max {
            let Some((store, day)) = self.oldest_of_largest().await? else {
                break;
            };
            let rows = self.delete_before(&store, Some(day.plus(1))).await?;
            if rows == 0 {
                break;
            }
            deleted += rows;
        }
        Ok(deleted)
    }

    /// Returns the bytes that the log takes: those of the file that hold data. The tables of a server shrink later than
    /// their rows, so there the rows count, each with a fixed number of bytes.
    pub async fn used_bytes(&self) -> Result<u64, StorageError> {
        match self.dialect() {
            Dialect::Sqlite => self.bytes_of_file().await,
            Dialect::Postgres => self.bytes_of_rows().await,
        }
    }

    async fn bytes_of_file(&self) -> Result<u64, StorageError> {
        let pools = self.pools(DOING).await?;
        let mut numbers = [0_i64; 3];
        let pragmas = [
            "PRAGMA page_count",
            "PRAGMA freelist_count",
            "PRAGMA page_size",
        ];
        for (number, sql) in numbers.iter_mut().zip(pragmas) {
            let row = sqlx::query(sql).fetch_one(&pools.read).await;
            *number = row.and_then(|row| row.try_get(0)).doing(DOING)?;
        }
        let [pages, free, size] = numbers;
        Ok(((pages - free) * size).unsigned_abs())
    }

    async fn bytes_of_rows(&self) -> Result<u64, StorageError> {
        let pools = self.pools(DOING).await?;
        let mut bytes = 0;
        for table in [QUERIES, TOTALS, EVENTS, SEARCHES] {
            let sql = format!("SELECT COUNT(*) FROM {}", table.name);
            let row = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_one(&pools.read);
            let rows: i64 = row.await.and_then(|row| row.try_get(0)).doing(DOING)?;
            bytes += rows.unsigned_abs() * table.row_bytes;
        }
        Ok(bytes)
    }

    /// Returns the store with most rows, and the oldest day of which it has any.
    async fn oldest_of_largest(&self) -> Result<Option<(StoreId, Day)>, StorageError> {
        let sql = "SELECT store_id, CAST(SUM(number) AS BIGINT), MIN(first) FROM (\
                   SELECT store_id, COUNT(*) AS number, MIN(day) AS first FROM search_queries GROUP BY store_id \
                   UNION ALL SELECT store_id, COUNT(*), MIN(day) FROM event_marks GROUP BY store_id \
                   UNION ALL SELECT store_id, COUNT(*), MIN(day) FROM search_totals GROUP BY store_id) AS held \
                   GROUP BY store_id ORDER BY SUM(number) DESC, store_id LIMIT 1";
        let pools = self.pools(DOING).await?;
        let row = sqlx::query(sql)
            .fetch_optional(&pools.read)
            .await
            .doing(DOING)?;
        row.map(|row| {
            let store = StoreId(row.try_get(0).doing(DOING)?);
            Ok((store, Day(row.try_get(2).doing(DOING)?)))
        })
        .transpose()
    }

    async fn delete_in_portions(
        &self,
        table: LogTable,
        store: Option<&StoreId>,
        before: i64,
    ) -> Result<u64, StorageError> {
        let LogTable {
            name,
            key,
            before: old,
            ..
        } = table;
        let sql = format!(
            "DELETE FROM {name} WHERE ({key}) IN \
             (SELECT {key} FROM {name} WHERE ($1 = '' OR store_id = $1) AND {old} LIMIT $3)"
        );
        let store = store.map_or("", StoreId::as_str);
        let mut deleted = 0;
        loop {
            let done = in_transaction!(self, DOING, |tx| {
                let statement = sqlx::query(sqlx::AssertSqlSafe(sql.as_str()));
                let bound = statement.bind(store).bind(before).bind(PORTION_ROWS);
                bound.execute(&mut *tx).await.doing(DOING)?
            });
            deleted += done.rows_affected();
            if done.rows_affected() < PORTION_ROWS.unsigned_abs() {
                return Ok(deleted);
            }
        }
    }

    async fn delete_first(
        &self,
        table: LogTable,
        order: &str,
        store: &str,
        surplus: i64,
    ) -> Result<u64, StorageError> {
        let LogTable { name, key, .. } = table;
        let sql = format!(
            "DELETE FROM {name} WHERE ({key}) IN \
             (SELECT {key} FROM {name} WHERE store_id = $1 ORDER BY {order} LIMIT $2)"
        );
        let mut left = surplus;
        let mut deleted = 0;
        while left > 0 {
            let done = in_transaction!(self, DOING, |tx| {
                let statement = sqlx::query(sqlx::AssertSqlSafe(sql.as_str()));
                let bound = statement.bind(store).bind(left.min(PORTION_ROWS));
                bound.execute(&mut *tx).await.doing(DOING)?
            });
            if done.rows_affected() == 0 {
                break;
            }
            deleted += done.rows_affected();
            left -= PORTION_ROWS;
        }
        Ok(deleted)
    }
}
