//! The stored part of the sample of a store: read, or made anew from the search log and the catalogue.

use super::catalogue;
use super::sample::{CountedQuery, SampleParts, SampledQuery, stored_part, whole as whole_of};
use crate::snapshots::snapshot::StoreSnapshot;
use crate::statistics::search_log::HIDDEN;
use crate::{OperationError, Service};
use domain::access::MayRead;
use domain::analytics::{DayRange, QueryListKind};
use domain::{Day, Language, Permit, Timestamp};
use std::sync::Arc;
use storage::analytics::{LogCount, LoggedQuery, QueryPage};

/// Age from which the stored part is made anew.
const AGE_MAX_MS: i64 = 10 * 60 * 1000;
/// Days of the search log.
const DAYS: i64 = 30;
/// Queries of the log that are read: beyond them nothing is drawn.
const SEARCHED_MAX: u32 = 10_000;
/// Queries without results that are read, enough for 25 beside the most frequent ones.
const WITHOUT_RESULTS_MAX: u32 = 200;

/// Returns the sample of a store: its watched queries as they are now, and the stored part. Queries in languages that the
/// store does not have are left out.
pub(super) async fn whole(
    service: &Service,
    permit: &Permit<impl MayRead>,
    snapshot: &Arc<StoreSnapshot>,
) -> Result<Vec<SampledQuery>, OperationError> {
    let watched = service.storage.watched_queries(permit).await?;
    let watched = watched.into_iter().map(|one| (one.q, one.lang));
    let languages = &snapshot.store.languages;
    let mut stored = stored(service, permit, snapshot).await?;
    stored.retain(|one| languages.contains(&one.lang));
    let watched = watched.filter(|(_, lang)| languages.contains(lang));
    Ok(whole_of(watched, stored))
}

async fn stored(
    service: &Service,
    permit: &Permit<impl MayRead>,
    snapshot: &Arc<StoreSnapshot>,
) -> Result<Vec<SampledQuery>, OperationError> {
    let now = service.clock.now();
    if let Some(fresh) = fresh(service, permit, now).await? {
        return Ok(fresh);
    }
    let sample = make(service, permit, snapshot, now).await?;
    let content = serde_json::to_string(&sample).map_err(OperationError::internal)?;
    let before = Timestamp(now.0 - AGE_MAX_MS);
    let storage = &service.storage;
    storage
        .save_impact_sample(permit, (now, before), &content)
        .await?;
    // Another node may have stored one in the meantime, which is that of all then.
    Ok(fresh(service, permit, now).await?.unwrap_or(sample))
}

async fn fresh(
    service: &Service,
    permit: &Permit<impl MayRead>,
    now: Timestamp,
) -> Result<Option<Vec<SampledQuery>>, OperationError> {
    let found = service.storage.impact_sample(permit).await?;
    let found = found.filter(|(made_at, _)| (now.0 - made_at.0).abs() <= AGE_MAX_MS);
    // What another version wrote and this one cannot read is made anew.
    Ok(found.and_then(|(_, content)| serde_json::from_str(&content).ok()))
}

async fn make(
    service: &Service,
    permit: &Permit<impl MayRead>,
    snapshot: &Arc<StoreSnapshot>,
    now: Timestamp,
) -> Result<Vec<SampledQuery>, OperationError> {
    let today = Day::of(now);
    let days = DayRange {
        from: today.plus(1 - DAYS),
        to: today,
    };
    let read = |kind, limit| logged(service, permit, (kind, days, limit));
    let searched = read(QueryListKind::Top, SEARCHED_MAX).await?;
    let without = read(QueryListKind::WithoutResults, WITHOUT_RESULTS_MAX).await?;
    let state = Arc::clone(snapshot);
    let catalogue = move || catalogue::queries(&state);
    let scheduler = &service.search.scheduler;
    let catalogue = scheduler.run(permit.store(), catalogue).await?;
    let of_store = |rows: Vec<LoggedQuery>| -> Vec<CountedQuery> {
        let rows = rows
            .into_iter()
            .filter_map(|row| searched_query(row, snapshot));
        rows.collect()
    };
    let parts = SampleParts {
        searched: of_store(searched),
        without_results: of_store(without),
        catalogue,
    };
    let seed = format!("{} {}", permit.store(), today.0);
    Ok(stored_part(parts, &seed))
}

async fn logged(
    service: &Service,
    permit: &Permit<impl MayRead>,
    (kind, days, limit): (QueryListKind, DayRange, u32),
) -> Result<Vec<LoggedQuery>, OperationError> {
    let log = &service.search_log;
    let page = QueryPage {
        kind,
        days,
        language: None,
        page: 1,
        limit,
    };
    let read = log.storage().queries(permit, page).await;
    let (rows, _) = log.checked(read).await?;
    Ok(rows)
}

fn searched_query(row: LoggedQuery, snapshot: &StoreSnapshot) -> Option<CountedQuery> {
    let lang = Language::parse(&row.language).ok()?;
    let is_sampled = row.query != HIDDEN && snapshot.store.languages.contains(&lang);
    is_sampled.then(|| CountedQuery {
        searches: row.counts.get(LogCount::Searches),
        q: row.query,
        lang,
    })
}
