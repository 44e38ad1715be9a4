//! Reads the search log: lists of queries, sums, and popular queries.

use super::AnalyticsStorage;
use super::counts::{LogCount, LogCounts};
use crate::error::{Doing, StorageError};
use domain::analytics::{DayRange, QueryListKind};
use domain::{Day, Language, Permit, access};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

/// Found products and their day in one number, so that the latest one is the largest.
const FOUND_LIMIT: i64 = 1_000_000_000;

/// One query over some days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedQuery {
    /// Its language.
    pub language: String,
    /// Its text.
    pub query: String,
    /// Products that its latest search found.
    pub found: i64,
    /// The last day on which it was searched.
    pub last_day: Day,
    /// Its sums.
    pub counts: LogCounts,
}

/// Which queries of a store to read.
#[derive(Clone, Copy, Debug)]
pub struct QueryPage<'a> {
    /// The kind of list.
    pub kind: QueryListKind,
    /// The days.
    pub days: DayRange,
    /// Only this language.
    pub language: Option<&'a Language>,
    /// Number of the page, from 1.
    pub page: u32,
    /// Queries of a page.
    pub limit: u32,
}

/// Sums of one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedDay {
    /// The day.
    pub day: Day,
    /// Its sums.
    pub counts: LogCounts,
}

/// Sums of some days.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchSums {
    /// Each day with any number, the first one first.
    pub days: Vec<LoggedDay>,
    /// Different queries of all these days together.
    pub queries: i64,
}

/// A query that was searched often enough to be suggested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PopularQuery {
    /// Its text.
    pub query: String,
    /// How often it was searched.
    pub searches: i64,
}

fn sums(counts: &[LogCount]) -> String {
    let sums = counts
        .iter()
        // PostgreSQL's sum of whole numbers is of a type without bounds.
        .map(|count| format!("CAST(SUM({0}) AS BIGINT) AS {0}", count.column()));
    sums.collect::<Vec<_>>().join(", ")
}

fn counted(
    row: &AnyRow,
    counts: &[LogCount],
    doing: &'static str,
) -> Result<LogCounts, StorageError> {
    let mut numbers = LogCounts::default();
    for count in counts {
        numbers.add(*count, row.try_get(count.column()).doing(doing)?);
    }
    Ok(numbers)
}

/// Returns the condition that all lists share; an empty language means any.
const OF_STORE: &str = "store_id = $1 AND day >= $2 AND day <= $3 AND ($4 = '' OR language = $4)";

impl AnalyticsStorage {
    /// Returns a page of queries of the permitted store, and the number of all of them.
    pub async fn queries(
        &self,
        permit: &Permit<impl access::MayRead>,
        page: QueryPage<'_>,
    ) -> Result<(Vec<LoggedQuery>, u64), StorageError> {
        let doing = "reading the queries of the search log";
        let (having, order) = match page.kind {
            QueryListKind::Top => ("SUM(searches) > 0", "SUM(searches)"),
            QueryListKind::WithoutResults => ("SUM(without_results) > 0", "SUM(without_results)"),
            QueryListKind::WithoutClicks => (
                "SUM(tracked_found) >= 5 AND SUM(clicks) = 0",
                "SUM(searches)",
            ),
        };
        let groups = format!(
            "FROM search_queries WHERE {OF_STORE} GROUP BY language, query HAVING {having}"
        );
        let list = format!(
            "SELECT language, query, MAX(day * {FOUND_LIMIT} + found) AS latest, MAX(day) AS last_day, {} {groups} \
             ORDER BY {order} DESC, query, language LIMIT $5 OFFSET $6",
            sums(&LogCount::OF_QUERY)
        );
        let count = format!("SELECT COUNT(*) FROM (SELECT 1 AS one {groups}) AS listed");
        let pools = self.pools(doing).await?;
        let language = page.language.map_or("", Language::as_str);
        let bound = |sql: String| {
            sqlx::query(AssertSqlSafe(sql))
                .bind(permit.store().as_str())
                .bind(page.days.from.0)
                .bind(page.days.to.0)
                .bind(language)
        };
        let skipped = i64::from(page.page.saturating_sub(1)) * i64::from(page.limit);
        let rows = bound(list).bind(i64::from(page.limit)).bind(skipped);
        let rows = rows.fetch_all(&pools.read).await.doing(doing)?;
        let total: i64 = bound(count)
            .fetch_one(&pools.read)
            .await
            .and_then(|row| row.try_get(0))
            .doing(doing)?;
        let queries = rows.iter().map(|row| logged_query(row, doing));
        Ok((queries.collect::<Result<_, _>>()?, total.unsigned_abs()))
    }

    /// Returns the sums of the permitted store.
    pub async fn sums(
        &self,
        permit: &Permit<impl access::MayRead>,
        days: DayRange,
        language: Option<&Language>,
    ) -> Result<SearchSums, StorageError> {
        let doing = "reading the sums of the search log";
        let pools = self.pools(doing).await?;
        let language = language.map_or("", Language::as_str);
        let bound = |sql: String| {
            sqlx::query(AssertSqlSafe(sql))
                .bind(permit.store().as_str())
                .bind(days.from.0)
                .bind(days.to.0)
                .bind(language)
        };
        let by_day = format!(
            "SELECT day, {} FROM search_totals WHERE {OF_STORE} GROUP BY day ORDER BY day",
            sums(&LogCount::OF_TOTAL)
        );
        let rows = bound(by_day).fetch_all(&pools.read).await.doing(doing)?;
        let different = format!(
            "SELECT COUNT(*) FROM (SELECT DISTINCT language, query FROM search_queries WHERE {OF_STORE}) AS listed"
        );
        let queries = bound(different)
            .fetch_one(&pools.read)
            .await
            .and_then(|row| row.try_get(0))
            .doing(doing)?;
        let days = rows.iter().map(|row| {
            Ok(LoggedDay {
                day: Day(row.try_get(0).doing(doing)?),
                counts: counted(row, &LogCount::OF_TOTAL, doing)?,
            })
        });
        Ok(SearchSums {
            days: days.collect::<Result<_, StorageError>>()?,
            queries,
        })
    }

    /// Returns the most searched queries of the permitted store in `language` since `from` that anonymous visitors
    /// searched at least 5 times on at least 2 days, and whose latest such search found products and each word.
    pub async fn popular(
        &self,
        permit: &Permit<impl access::MayRead>,
        language: &Language,
        from: Day,
        limit: u32,
    ) -> Result<Vec<PopularQuery>, StorageError> {
        let doing = "reading popular queries";
        let sql = "SELECT query, CAST(SUM(searches) AS BIGINT) AS searches FROM search_queries \
                   WHERE store_id = $1 AND day >= $2 AND language = $3 GROUP BY query \
                   HAVING SUM(anonymous) >= 5 AND COUNT(DISTINCT CASE WHEN anonymous > 0 THEN day END) >= 2 \
                   AND MAX(CASE WHEN offered >= 0 THEN day * 2 + offered END) % 2 = 1 \
                   ORDER BY SUM(searches) DESC, query LIMIT $4";
        let pools = self.pools(doing).await?;
        let rows = sqlx::query(sql)
            .bind(permit.store().as_str())
            .bind(from.0)
            .bind(language.as_str())
            .bind(i64::from(limit))
            .fetch_all(&pools.read)
            .await
            .doing(doing)?;
        let popular = rows.iter().map(|row| {
            Ok(PopularQuery {
                query: row.try_get(0).doing(doing)?,
                searches: row.try_get(1).doing(doing)?,
            })
        });
        popular.collect()
    }
}

fn logged_query(row: &AnyRow, doing: &'static str) -> Result<LoggedQuery, StorageError> {
    let latest: i64 = row.try_get("latest").doing(doing)?;
    Ok(LoggedQuery {
        language: row.try_get("language").doing(doing)?,
        query: row.try_get("query").doing(doing)?,
        found: latest % FOUND_LIMIT,
        last_day: Day(row.try_get("last_day").doing(doing)?),
        counts: counted(row, &LogCount::OF_QUERY, doing)?,
    })
}
