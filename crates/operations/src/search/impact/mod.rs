//! Impacts: what a change does to the queries that matter, measured on a sample of them (docs/api.md, "Impact").
//!
//! Nothing but rankings of the same indexes under two configurations is needed, so every engine computes it.

mod catalogue;
mod measured;
mod most_changed;
mod sample;
mod slots;
mod stored;
mod view;
mod watched;

pub use sample::SampleSource;
pub(crate) use slots::ImpactSlots;
pub use view::{
    ChangedQueries, ChangedQuery, ComparedState, EnteredHit, GoneHit, Impact, IncompleteReason,
    LostQuery, NamedState, Sources, WatchedImpact,
};

use crate::access::rates;
use crate::message;
use crate::search::trial::{Sides, Trial, TrialRequest};
use crate::search::visitor::Claims;
use crate::snapshots::snapshot::{Saved, StoreSnapshot};
use crate::{OperationError, Service};
use domain::access::{self, MayRead};
use domain::visitor::Visitor;
use domain::{Caller, Permit, StoreId, Timestamp};
use measured::Measured;
use sample::{SampledQuery, sample_id};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Time for ranking the queries of a sample.
const TIME: Duration = Duration::from_secs(5);
/// How long one turn of the scheduler measures, so that searches of the store do not wait longer.
const TURN: Duration = Duration::from_millis(30);

impl Service {
    /// Returns the impact of a change from `base` to `saved`, as JSON; `None` if it cannot be measured, for which no write
    /// fails. It is a method, because what changes the configuration does not know how it is searched.
    pub(crate) async fn impact_of(
        &self,
        permit: &Permit<impl MayRead>,
        base: Arc<StoreSnapshot>,
        saved: Saved,
    ) -> Option<Value> {
        let at = self.clock.now();
        let build = move || {
            let languages = base.store.languages.iter().collect();
            let tried = Arc::new(base.with_saved(saved, languages));
            Compared::with_saved(Arc::clone(&base), tried, at)
        };
        let compared = tokio::task::spawn_blocking(build).await;
        let compared = compared.map_err(OperationError::internal);
        let impact = match compared {
            Ok(compared) => measure(self, permit, compared).await,
            Err(error) => Err(error),
        };
        let impact = impact.inspect_err(|error| {
            tracing::warn!(store = %permit.store(), ?error, "an impact could not be measured");
        });
        serde_json::to_value(impact.ok()?).ok()
    }
}

/// Measures what revision `number` of a store did: the state right after it against the one before, on today's catalogue.
///
/// Errors: `NotFound` for an unknown revision; `Conflict` where the states were not kept.
pub async fn of_revision(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    number: &str,
) -> Result<Impact, OperationError> {
    let permit = access::read(caller, store)?;
    let not_found = OperationError::NotFound {
        what: message::noun::revision,
    };
    let number: i64 = number.parse().map_err(|_| not_found)?;
    let request = TrialRequest {
        restore: Some(number),
        ..TrialRequest::default()
    };
    let trial = Trial::open(service, caller, store, request).await?;
    let trial = trial.compared_with(service, &permit, number - 1).await?;
    rates::spend_impact(service, permit.actor())?;
    let states = [number - 1, number].map(ComparedState::Revision);
    of_trial(service, &permit, trial, states).await
}

/// Measures what a trial does.
///
/// Errors: those of what is tried.
pub(crate) async fn of_trial(
    service: &Service,
    permit: &Permit<impl MayRead>,
    trial: Trial,
    [from, to]: [ComparedState; 2],
) -> Result<Impact, OperationError> {
    let languages = trial.languages();
    let build = move || Sides::new(trial, &languages);
    let scheduler = &service.search.scheduler;
    let sides = scheduler.run(permit.store(), build).await?;
    measure(service, permit, Compared { sides, from, to }).await
}

/// Two configurations of a store, with their names.
pub(crate) struct Compared {
    /// What is compared.
    pub sides: Sides,
    /// Name of the base.
    pub from: ComparedState,
    /// Name of what is tried.
    pub to: ComparedState,
}

impl Compared {
    /// Compares what is saved with another configuration, at `at`.
    pub fn with_saved(saved: Arc<StoreSnapshot>, tried: Arc<StoreSnapshot>, at: Timestamp) -> Self {
        Self {
            sides: Sides { saved, tried, at },
            from: ComparedState::Named(NamedState::Saved),
            to: ComparedState::Named(NamedState::Draft),
        }
    }
}

/// Measures the impact of a change on the sample of its store. It is incomplete if there is no place or no time for it.
///
/// Errors: if storage or an index cannot be read.
pub(crate) async fn measure(
    service: &Service,
    permit: &Permit<impl MayRead>,
    compared: Compared,
) -> Result<Impact, OperationError> {
    let started = Instant::now();
    let Compared { sides, from, to } = compared;
    let sample = stored::whole(service, permit, &sides.saved).await?;
    let mut impact = unmeasured(&sample, (from, to, sides.at));
    let place = service.search.impacts.take(permit.store()).await;
    let Some(_place) = place else {
        impact.reason = Some(IncompleteReason::Busy);
        return Ok(finished(impact, started));
    };
    let deadline = Instant::now() + TIME;
    let visitor = Arc::new(Claims::default().resolve(&sides.saved.declarations));
    let shopping = Shopping {
        sides: Arc::new(sides),
        visitor,
    };
    let all = sample.len();
    let measured = ranked(service, permit, sample, (&shopping, deadline)).await?;
    measured::sum(&mut impact, &measured);
    impact.complete = measured.len() == all;
    impact.reason = (!impact.complete).then_some(IncompleteReason::Time);
    let store = permit.store();
    let work = move || most_changed::describe(&measured, &shopping.sides, &shopping.visitor);
    impact.worst = service.search.scheduler.run(store, work).await?;
    most_changed::fit(&mut impact);
    Ok(finished(impact, started))
}

/// The configurations, and the shopper for whom they rank.
struct Shopping {
    sides: Arc<Sides>,
    visitor: Arc<Visitor>,
}

/// Measures queries in turns of the scheduler until the time is over.
async fn ranked(
    service: &Service,
    permit: &Permit<impl MayRead>,
    sample: Vec<SampledQuery>,
    (shopping, deadline): (&Shopping, Instant),
) -> Result<Vec<Measured>, OperationError> {
    let mut left = sample.into_iter();
    let mut measured = Vec::new();
    while Instant::now() < deadline && left.len() > 0 {
        let (sides, visitor) = (Arc::clone(&shopping.sides), Arc::clone(&shopping.visitor));
        let mut queries = left.clone();
        let work = move || {
            let (turn, mut measured) = (Instant::now() + TURN, Vec::new());
            for query in queries.by_ref() {
                measured.push(Measured::of(query, &sides, &visitor)?);
                if Instant::now() > turn {
                    break;
                }
            }
            Ok((measured, queries))
        };
        let turn = service.search.scheduler.run(permit.store(), work);
        let Ok(done) = timeout_at(deadline, turn).await else {
            break;
        };
        let (more, rest) = done?;
        measured.extend(more);
        left = rest;
    }
    Ok(measured)
}

fn unmeasured(
    sample: &[SampledQuery],
    (from, to, at): (ComparedState, ComparedState, Timestamp),
) -> Impact {
    let count = |source| sample.iter().filter(|one| one.source == source).count();
    Impact {
        sample_id: sample_id(sample),
        queries: sample.len(),
        measured: 0,
        complete: false,
        reason: None,
        sources: Sources {
            watched: count(SampleSource::Watched),
            frequent: count(SampleSource::Frequent),
            without_results: count(SampleSource::WithoutResults),
            tail: count(SampleSource::Tail),
            catalogue: count(SampleSource::Catalogue),
        },
        from,
        to,
        at,
        visitor: "anonymous",
        changed: ChangedQueries::default(),
        rbo: None,
        moved: 0,
        entered: 0,
        left: 0,
        lost_all_results: 0,
        gained_results: 0,
        redirect_changed: 0,
        watched: WatchedImpact::default(),
        lost: Vec::new(),
        worst: Vec::new(),
        took_ms: 0,
    }
}

fn finished(impact: Impact, started: Instant) -> Impact {
    Impact {
        took_ms: started.elapsed().as_millis() as u64,
        ..impact
    }
}
