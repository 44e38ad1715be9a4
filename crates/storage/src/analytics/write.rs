//! Writes a batch of the search log in one transaction.

use super::batch::{
    EventMarks, LatestSearch, LogBatch, LogTotalKey, LoggedQueryKey, LoggedResponse, LoggedVisit,
    SearchMark,
};
use super::counts::{LogCount, LogCounts};
use super::{AnalyticsStorage, LogConnection, in_transaction};
use crate::error::{Doing, StorageError};
use crate::rows::values;
use domain::limits::LOGGED_QUERIES_PER_DAY;
use domain::{Day, StoreId};
use sqlx::{AssertSqlSafe, Row};
use std::collections::{BTreeMap, HashMap, HashSet};

const DOING: &str = "writing the search log";
/// Queries of one statement, each with some twenty placeholders.
const ROWS: usize = 25;

impl AnalyticsStorage {
    /// Writes `batch` completely or not at all. Of more queries than a store may have on one day, those beyond are left
    /// out.
    pub async fn write(&self, batch: &LogBatch) -> Result<(), StorageError> {
        in_transaction!(self, DOING, |tx| {
            write_queries(&mut tx, batch).await?;
            let sql = add_total_sql();
            for (key, counts) in by_key(&batch.totals) {
                add_total(&mut tx, &sql, key, counts).await?;
            }
            for (key, marks) in by_key(&batch.events) {
                mark_events(&mut tx, key, marks).await?;
            }
            for (key, marks) in by_key(&batch.searches) {
                for (started, mark) in marks {
                    mark_search(&mut tx, key, *started, *mark).await?;
                }
            }
        });
        Ok(())
    }
}

/// Returns the entries in order of their keys: two writers that lock rows in one order never wait for each other in a
/// circle.
fn by_key<K: Ord, V>(map: &HashMap<K, V>) -> Vec<(&K, &V)> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries
}

/// A query with the facts of its latest search.
type SearchedQuery<'a> = (&'a LoggedQueryKey, &'a LatestSearch, &'a LogCounts);

async fn write_queries(tx: &mut LogConnection, batch: &LogBatch) -> Result<(), StorageError> {
    let update = update_sql();
    let mut days: BTreeMap<(&StoreId, Day), Vec<SearchedQuery<'_>>> = BTreeMap::new();
    let mut only_events = Vec::new();
    for (key, delta) in by_key(&batch.queries) {
        match &delta.latest {
            Some(latest) => {
                let of_day = days.entry((&key.store, key.day)).or_default();
                of_day.push((key, latest, &delta.counts));
            }
            None => only_events.push((key, &delta.counts)),
        }
    }
    for ((store, day), mut queries) in days {
        let mut room = LOGGED_QUERIES_PER_DAY.saturating_sub(count_of_day(tx, store, day).await?);
        if queries.len() as u64 > room {
            let known = digests_of_day(tx, store, day).await?;
            queries.retain(|(key, ..)| {
                let is_known = known.contains(&key.digest);
                let stays = is_known || room > 0;
                room -= u64::from(stays && !is_known);
                stays
            });
        }
        for portion in queries.chunks(ROWS) {
            upsert(tx, portion).await?;
        }
    }
    for (key, counts) in only_events {
        add_events(tx, &update, key, counts).await?;
    }
    Ok(())
}

async fn count_of_day(
    tx: &mut LogConnection,
    store: &StoreId,
    day: Day,
) -> Result<u64, StorageError> {
    let sql = "SELECT COUNT(*) FROM search_queries WHERE store_id = $1 AND day = $2";
    let count: i64 = sqlx::query(sql)
        .bind(store.as_str())
        .bind(day.0)
        .fetch_one(tx)
        .await
        .and_then(|row| row.try_get(0))
        .doing(DOING)?;
    Ok(count.unsigned_abs())
}

async fn digests_of_day(
    tx: &mut LogConnection,
    store: &StoreId,
    day: Day,
) -> Result<HashSet<i64>, StorageError> {
    let sql = "SELECT digest FROM search_queries WHERE store_id = $1 AND day = $2";
    let rows = sqlx::query(sql).bind(store.as_str()).bind(day.0);
    let rows = rows.fetch_all(tx).await.doing(DOING)?;
    rows.iter().map(|row| row.try_get(0).doing(DOING)).collect()
}

fn columns(counts: &[LogCount]) -> String {
    let columns: Vec<&str> = counts.iter().map(|count| count.column()).collect();
    columns.join(", ")
}

/// Returns `a = table.a + excluded.a, …`.
fn additions(table: &str, counts: &[LogCount]) -> String {
    let sums = counts.iter().map(|count| {
        let column = count.column();
        format!("{column} = {table}.{column} + excluded.{column}")
    });
    sums.collect::<Vec<_>>().join(", ")
}

/// Returns the statement that adds events to a query that is there.
fn update_sql() -> String {
    let numbered = LogCount::OF_QUERY.iter().zip(4..);
    let sums = numbered.map(|(count, number)| format!("{0} = {0} + ${number}", count.column()));
    let sums = sums.collect::<Vec<_>>().join(", ");
    format!("UPDATE search_queries SET {sums} WHERE store_id = $1 AND day = $2 AND digest = $3")
}

fn upsert_sql(rows: usize) -> String {
    format!(
        "INSERT INTO search_queries (store_id, day, digest, language, query, found, offered, {}) VALUES {} \
         ON CONFLICT (store_id, day, digest) DO UPDATE SET found = excluded.found, \
         offered = CASE WHEN excluded.offered < 0 THEN search_queries.offered ELSE excluded.offered END, {}",
        columns(&LogCount::OF_QUERY),
        values(rows, &[], 0, 7 + LogCount::OF_QUERY.len()),
        additions("search_queries", &LogCount::OF_QUERY)
    )
}

fn add_total_sql() -> String {
    format!(
        "INSERT INTO search_totals (store_id, day, language, surface, {}) VALUES {} \
         ON CONFLICT (store_id, day, language, surface) DO UPDATE SET {}",
        columns(&LogCount::OF_TOTAL),
        values(1, &[], 0, 4 + LogCount::OF_TOTAL.len()),
        additions("search_totals", &LogCount::OF_TOTAL)
    )
}

async fn add_events(
    tx: &mut LogConnection,
    sql: &str,
    key: &LoggedQueryKey,
    counts: &LogCounts,
) -> Result<(), StorageError> {
    let mut query = sqlx::query(AssertSqlSafe(sql))
        .bind(key.store.as_str())
        .bind(key.day.0)
        .bind(key.digest);
    for count in LogCount::OF_QUERY {
        query = query.bind(counts.get(count));
    }
    query.execute(tx).await.doing(DOING)?;
    Ok(())
}

/// Adds to queries, and inserts those that are not there.
async fn upsert(tx: &mut LogConnection, queries: &[SearchedQuery<'_>]) -> Result<(), StorageError> {
    let mut query = sqlx::query(AssertSqlSafe(upsert_sql(queries.len())));
    for (key, latest, counts) in queries {
        query = query
            .bind(key.store.as_str())
            .bind(key.day.0)
            .bind(key.digest)
            .bind(latest.language.as_str())
            .bind(latest.query.as_str())
            .bind(latest.found)
            .bind(latest.offered.map_or(-1, i64::from));
        for count in LogCount::OF_QUERY {
            query = query.bind(counts.get(count));
        }
    }
    query.execute(tx).await.doing(DOING)?;
    Ok(())
}

async fn add_total(
    tx: &mut LogConnection,
    sql: &str,
    key: &LogTotalKey,
    counts: &LogCounts,
) -> Result<(), StorageError> {
    let mut query = sqlx::query(AssertSqlSafe(sql))
        .bind(key.store.as_str())
        .bind(key.day.0)
        .bind(key.language.as_str())
        .bind(key.surface.as_str());
    for count in LogCount::OF_TOTAL {
        query = query.bind(counts.get(count));
    }
    query.execute(tx).await.doing(DOING)?;
    Ok(())
}

async fn mark_events(
    tx: &mut LogConnection,
    key: &LoggedResponse,
    marks: &EventMarks,
) -> Result<(), StorageError> {
    let sql = "INSERT INTO event_marks (store_id, response, event, day) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (store_id, response, event) DO NOTHING";
    let mut events = marks.events.clone();
    events.sort_unstable();
    for event in &events {
        sqlx::query(sql)
            .bind(key.store.as_str())
            .bind(key.response)
            .bind(*event)
            .bind(marks.day.0)
            .execute(&mut *tx)
            .await
            .doing(DOING)?;
    }
    Ok(())
}

async fn mark_search(
    tx: &mut LogConnection,
    key: &LoggedVisit,
    started: i64,
    mark: SearchMark,
) -> Result<(), StorageError> {
    let sql = "INSERT INTO search_marks (store_id, visit, started, clicked, converted) VALUES ($1, $2, $3, $4, $5) \
               ON CONFLICT (store_id, visit, started) DO UPDATE \
               SET clicked = CASE WHEN search_marks.clicked > excluded.clicked THEN search_marks.clicked ELSE excluded.clicked END, \
               converted = CASE WHEN search_marks.converted > excluded.converted THEN search_marks.converted \
               ELSE excluded.converted END";
    sqlx::query(sql)
        .bind(key.store.as_str())
        .bind(key.visit)
        .bind(started)
        .bind(i64::from(mark.clicked))
        .bind(i64::from(mark.converted))
        .execute(tx)
        .await
        .doing(DOING)?;
    Ok(())
}
