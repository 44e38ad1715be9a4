//! What a write does to the watched queries of a store, for its gate: all of them, or nothing.

use super::measured::Measured;
use super::sample::{SampleSource, SampledQuery};
use super::{Shopping, ranked};
use crate::configuration::gate::{WatchedChange, WatchedStates};
use crate::search::trial::Sides;
use crate::search::visitor::Claims;
use crate::{OperationError, Service};
use domain::Permit;
use domain::access::MayRead;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Time for all of them, that of waiting for other impacts included.
const TIME: Duration = Duration::from_secs(10);

impl Service {
    /// Returns which watched queries change, as anonymous shoppers see them now, in their order.
    ///
    /// Errors: `Unavailable` if not all are measured in time; if an index cannot be read.
    pub(crate) async fn watched_changes(
        &self,
        permit: &Permit<impl MayRead>,
        states: WatchedStates,
    ) -> Result<Vec<WatchedChange>, OperationError> {
        let deadline = Instant::now() + TIME;
        let measuring = measured(self, permit, states, deadline);
        let measured = timeout_at(deadline, measuring).await;
        let measured = measured.unwrap_or_else(|_| Err(out_of_time()));
        measured.inspect_err(|error| {
            tracing::warn!(store = %permit.store(), ?error, "the watched queries could not be measured");
        })
    }
}

fn out_of_time() -> OperationError {
    OperationError::unavailable("the watched queries take too long")
}

async fn measured(
    service: &Service,
    permit: &Permit<impl MayRead>,
    states: WatchedStates,
    deadline: Instant,
) -> Result<Vec<WatchedChange>, OperationError> {
    let languages = &states.snapshot.store.languages;
    // Nothing is found in languages that the store does not have, on either side.
    let watched = states.watched.iter();
    let queries: Vec<SampledQuery> = watched
        .filter(|one| languages.contains(&one.lang))
        .map(|one| SampledQuery {
            q: one.q.clone(),
            lang: one.lang.clone(),
            source: SampleSource::Watched,
            weight: 1.0,
        })
        .collect();
    if queries.is_empty() {
        return Ok(Vec::new());
    }
    let place = service.search.impacts.take_within(permit.store(), TIME);
    let _place = place.await.ok_or_else(out_of_time)?;
    let at = service.clock.now();
    let build = move || {
        let WatchedStates {
            snapshot,
            base,
            tried,
            ..
        } = states;
        let languages = || snapshot.store.languages.iter().collect();
        let saved = match base {
            Some(base) => Arc::new(snapshot.with_saved(base, languages())),
            None => Arc::clone(&snapshot),
        };
        let tried = Arc::new(snapshot.with_saved(tried, languages()));
        Sides { saved, tried, at }
    };
    let built = tokio::task::spawn_blocking(build).await;
    let sides = built.map_err(OperationError::internal)?;
    let visitor = Arc::new(Claims::default().resolve(&sides.saved.declarations));
    let shopping = Shopping {
        sides: Arc::new(sides),
        visitor,
    };
    let all = queries.len();
    let measured = ranked(service, permit, queries, (&shopping, deadline)).await?;
    if measured.len() < all {
        return Err(out_of_time());
    }
    Ok(measured.into_iter().filter_map(changed).collect())
}

fn changed(measured: Measured) -> Option<WatchedChange> {
    let Measured { query, change } = measured;
    let change = change.filter(|change| change.top3 || change.lost_all())?;
    Some(WatchedChange {
        q: query.q,
        lang: query.lang,
        changed_top3: change.top3,
        lost_all_results: change.lost_all(),
    })
}
