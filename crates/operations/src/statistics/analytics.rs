//! Statistics of searches: lists of queries, the summary, and clearing them (`docs/api.md`).

use crate::message;
use crate::snapshots::snapshot::store_language;
use crate::{OperationError, Service};
use domain::analytics::{DayRange, QueryListRequest, SearchSummaryRequest};
use domain::audit::AuditEntry;
use domain::message::MessageValue;
use domain::page::Meta;
use domain::{Caller, Day, Invalid, Language, Permit, StoreId, access};
use schemars::JsonSchema;
use serde::Serialize;
use storage::AuditSubject;
use storage::analytics::{LogCount, LogCounts, LoggedQuery, QueryPage};

/// One query of a store over some days.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueryStatistics {
    /// The query, in lower case; `(hidden)` for queries that may identify a person.
    pub query: String,
    /// Its language.
    pub language: String,
    /// How often it was searched.
    pub searches: i64,
    /// Products that the latest search found.
    pub found: i64,
    /// Searches without filters and redirect that found no product.
    pub without_results: i64,
    /// Searches with filters.
    pub filtered: i64,
    /// Clicks on any hit.
    pub clicks: i64,
    /// Share of the searches of sessions that found products in which a product was clicked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub click_through_rate: Option<f64>,
    /// Mean position of the clicked products.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_position: Option<f64>,
    /// Share of the searches of sessions that found products that led to a cart or a purchase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversion_rate: Option<f64>,
    /// The last day on which it was searched.
    pub last_day: Day,
}

/// Statistics of all searches of a store over some days.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchSummary {
    /// First day.
    pub from: Day,
    /// Last day.
    pub to: Day,
    /// Searches with a query.
    pub searches: i64,
    /// Different queries.
    pub queries: i64,
    /// Searches without a query.
    pub browses: i64,
    /// Searches without filters and redirect that found no product.
    pub without_results: i64,
    /// Share of the searches that found no product.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero_result_rate: Option<f64>,
    /// Clicks on any hit.
    pub clicks: i64,
    /// Share of the searches of sessions that found products in which a product was clicked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub click_through_rate: Option<f64>,
    /// Mean position of the clicked products.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_position: Option<f64>,
    /// Hits put into a cart.
    pub carts: i64,
    /// Hits bought.
    pub purchases: i64,
    /// Share of the searches of sessions that found products that led to a cart or a purchase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversion_rate: Option<f64>,
    /// Searches that were not counted, because there were too many at once.
    pub dropped: i64,
    /// Every day, the first one first.
    pub days: Vec<DayStatistics>,
}

/// Statistics of all searches of a store on one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayStatistics {
    /// The day.
    pub day: Day,
    /// Searches with a query.
    pub searches: i64,
    /// Searches without filters and redirect that found no product.
    pub without_results: i64,
    /// Clicks on any hit.
    pub clicks: i64,
    /// Hits put into a cart.
    pub carts: i64,
    /// Hits bought.
    pub purchases: i64,
}

/// What was cleared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClearedAnalytics {
    /// The store.
    pub id: StoreId,
    /// Rows that were deleted.
    pub rows: u64,
}

/// Returns a page of queries of `store`.
///
/// Errors: `Invalid` with all invalid values by path, `NotFound` for an unknown store.
pub async fn list_queries(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    request: QueryListRequest,
) -> Result<(Vec<QueryStatistics>, Meta), OperationError> {
    let permit = access::read(caller, store)?;
    let days = day_range(service, request.from.as_deref(), request.to.as_deref());
    let language = language(service, &permit, request.lang.as_deref()).await?;
    let (page, limit) = request.page().unwrap_or((1, 1));
    let page_error = request.page().err();
    let (days, language) = valid(days, language, page_error)?;
    let of = QueryPage {
        kind: request.kind,
        days,
        language: language.as_ref(),
        page,
        limit,
    };
    let log = &service.search_log;
    let (rows, total) = log
        .checked(log.storage().queries(&permit, of).await)
        .await?;
    let meta = Meta::new(page, limit, total);
    Ok((rows.into_iter().map(QueryStatistics::from).collect(), meta))
}

/// Returns the summary of all searches of `store`.
///
/// Errors: those of [`list_queries`].
pub async fn summary(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    request: SearchSummaryRequest,
) -> Result<SearchSummary, OperationError> {
    let permit = access::read(caller, store)?;
    let range = day_range(service, request.from.as_deref(), request.to.as_deref());
    let language = language(service, &permit, request.lang.as_deref()).await?;
    let (range, language) = valid(range, language, None)?;
    let log = &service.search_log;
    let sums = log.storage().sums(&permit, range, language.as_ref()).await;
    let sums = log.checked(sums).await?;
    let mut all = LogCounts::default();
    let mut days = Vec::new();
    let mut logged = sums.days.iter().peekable();
    for day in range.days() {
        let of_day = logged
            .next_if(|logged| logged.day == day)
            .map(|logged| logged.counts);
        let of_day = of_day.unwrap_or_default();
        all.merge(&of_day);
        days.push(DayStatistics::new(day, &of_day));
    }
    Ok(SearchSummary::new(range, &all, sums.queries, days))
}

fn day_range(
    service: &Service,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<DayRange, Vec<Invalid>> {
    DayRange::new(from, to, Day::of(service.clock.now()))
}

/// Returns the checked parameters.
///
/// Errors: `Invalid` with all errors, as those of query parameters.
fn valid<A, B>(
    a: Result<A, Vec<Invalid>>,
    b: Result<B, Vec<Invalid>>,
    others: Option<Vec<Invalid>>,
) -> Result<(A, B), OperationError> {
    match (a, b, others) {
        (Ok(a), Ok(b), None) => Ok((a, b)),
        (a, b, others) => {
            let lists = [a.err(), b.err(), others].into_iter().flatten().flatten();
            Err(OperationError::Invalid(
                lists.map(|error| error.under("query")).collect(),
            ))
        }
    }
}

/// Returns the requested language of the store, or its error.
async fn language(
    service: &Service,
    permit: &Permit<access::Read>,
    code: Option<&str>,
) -> Result<Result<Option<Language>, Vec<Invalid>>, OperationError> {
    let store = service.store(permit).await?;
    let language = code.map(|code| store_language(&store, code)).transpose();
    Ok(language.map_err(|invalid| vec![invalid]))
}

/// Deletes the statistics of `store`, all of them or those of days before `before`.
///
/// Errors: `Forbidden` for a key, `NotFound` for an unknown store.
pub async fn clear(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    before: Option<Day>,
) -> Result<ClearedAnalytics, OperationError> {
    let permit = access::operator(caller)?;
    service.store(&access::read(caller, store)?).await?;
    let log = &service.search_log;
    let storage = log.storage();
    let summary = match before {
        Some(day) => message::audited::log_cleared_before(MessageValue::of(day)),
        None => message::audited::log_cleared(),
    };
    // The record comes first: a crash between the two leaves a log that the operator clears again.
    let record = service.storage.administer(&permit).await?;
    let entry = AuditEntry {
        actor: permit.actor().clone(),
        operation: "clear_analytics".to_owned(),
        resource: "analytics".to_owned(),
        summary,
        changes: Vec::new(),
        request_id: caller.request_id.clone(),
    };
    let subject = AuditSubject {
        account: None,
        store: Some(store.clone()),
    };
    record.commit(&entry, &subject, service.clock.now()).await?;
    // What is being written is deleted afterwards, what waits is dropped here.
    log.remove_pending(store, before);
    log.flush().await?;
    let rows = log
        .checked(storage.clear(&permit, store, before).await)
        .await?;
    log.popular().forget(store);
    Ok(ClearedAnalytics {
        id: store.clone(),
        rows,
    })
}

/// Returns `part ÷ whole` with four decimals, at most 1; `None` over 0.
fn rate(part: i64, whole: i64) -> Option<f64> {
    // A crash may lose a search and keep its click.
    (whole > 0).then(|| rounded(part.min(whole) as f64 / whole as f64))
}

fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

fn mean_position(counts: &LogCounts) -> Option<f64> {
    let clicks = counts.get(LogCount::Positioned);
    (clicks > 0).then(|| rounded(counts.get(LogCount::Positions) as f64 / clicks as f64))
}

impl From<LoggedQuery> for QueryStatistics {
    fn from(row: LoggedQuery) -> Self {
        let counts = row.counts;
        let tracked = counts.get(LogCount::TrackedFound);
        Self {
            query: row.query,
            language: row.language,
            searches: counts.get(LogCount::Searches),
            found: row.found,
            without_results: counts.get(LogCount::WithoutResults),
            filtered: counts.get(LogCount::Filtered),
            clicks: counts.get(LogCount::Clicks),
            click_through_rate: rate(counts.get(LogCount::Clicked), tracked),
            mean_position: mean_position(&counts),
            conversion_rate: rate(counts.get(LogCount::Converted), tracked),
            last_day: row.last_day,
        }
    }
}

impl DayStatistics {
    fn new(day: Day, counts: &LogCounts) -> Self {
        Self {
            day,
            searches: counts.get(LogCount::Searches),
            without_results: counts.get(LogCount::WithoutResults),
            clicks: counts.get(LogCount::Clicks),
            carts: counts.get(LogCount::Carts),
            purchases: counts.get(LogCount::Purchases),
        }
    }
}

impl SearchSummary {
    fn new(range: DayRange, all: &LogCounts, queries: i64, days: Vec<DayStatistics>) -> Self {
        let searches = all.get(LogCount::Searches);
        let tracked = all.get(LogCount::TrackedFound);
        let without_results = all.get(LogCount::WithoutResults);
        Self {
            from: range.from,
            to: range.to,
            searches,
            queries,
            browses: all.get(LogCount::Browses),
            without_results,
            zero_result_rate: rate(without_results, searches),
            clicks: all.get(LogCount::Clicks),
            click_through_rate: rate(all.get(LogCount::Clicked), tracked),
            mean_position: mean_position(all),
            carts: all.get(LogCount::Carts),
            purchases: all.get(LogCount::Purchases),
            conversion_rate: rate(all.get(LogCount::Converted), tracked),
            dropped: all.get(LogCount::Dropped),
            days,
        }
    }
}
