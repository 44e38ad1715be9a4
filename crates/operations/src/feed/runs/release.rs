//! Purges that are held back: listed, and released by the owner.

use super::purge::{Purge, end_or_hold, finish_sweeps, notify_indexer};
use super::{expiry, view};
use crate::access::permits::{feed_on_store, require_on_store};
use crate::feed::{existing_store, index};
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::{FeedScope, RunClosed, RunView, ScopeStatus};
use domain::limits::RUNS_LISTED_MAX;
use domain::{Caller, Permit, RunId, StoreId, Timestamp, access, error_codes};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use storage::{ConfigurationView, RunRow, RunState};

/// A purge that is held back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeldPurge {
    /// The run whose close requested it.
    pub run_id: RunId,
    /// Type and language.
    #[serde(flatten)]
    pub scope: FeedScope,
    /// Documents of the index at that close.
    pub documents: u64,
    /// Number of documents that it would delete.
    pub would_purge: u64,
    /// Time of that close.
    pub held_at: Timestamp,
    /// When the run expires, without purge.
    pub expires_at: Timestamp,
}

/// Returns the latest runs of a store, the newest first.
///
/// Errors: `Forbidden` for a key; `NotFound` for an unknown store.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<Vec<RunView>, OperationError> {
    require_on_store(caller, "list_runs", store)?;
    let permit = access::read(caller, store)?;
    require_store(service, &permit).await?;
    let now = service.clock.now();
    let runs = service.storage.runs_of(&permit, RUNS_LISTED_MAX).await?;
    Ok(runs
        .iter()
        .map(|(run, scopes)| view(run, scopes, now))
        .collect())
}

/// Releases held purges: those of one run, or all of the store. Returns the released runs.
///
/// Errors: `NotFound` for an unknown store, `Gone` for an unknown run, `Conflict` if the given run holds nothing back.
pub async fn release(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    run: Option<RunId>,
) -> Result<Vec<RunView>, OperationError> {
    let permit = feed_on_store(caller, "release_run", store)?;
    require_store(service, &permit).await?;
    let service = service.clone();
    run_to_completion(async move {
        let held = held_runs(&service, &permit).await?;
        let wanted = |held: &RunRow| run.as_ref().is_none_or(|wanted| *wanted == held.id);
        let mut released = Vec::new();
        for held in held.iter().filter(|held| wanted(held)) {
            released.extend(purge(&service, &permit, &held.id).await?);
        }
        match run {
            Some(run) if released.is_empty() => Err(holds_nothing(&service, &permit, &run).await?),
            _ => Ok(released),
        }
    })
    .await
}

/// Returns why a run cannot be released.
async fn holds_nothing(
    service: &Service,
    permit: &Permit<Feed>,
    run: &RunId,
) -> Result<OperationError, OperationError> {
    if service.storage.run(permit, run).await?.is_none() {
        return Ok(OperationError::Gone);
    }
    Ok(OperationError::Conflict {
        code: error_codes::CONFLICT,
        message: message::feed::holds_nothing(run.as_str()),
        details: Value::Null,
    })
}

/// Returns the purges of a store that are held back at `now`.
pub(crate) async fn held(
    reading: &mut ConfigurationView,
    now: Timestamp,
) -> Result<Vec<HeldPurge>, OperationError> {
    let runs = reading.held_runs().await?;
    let runs = runs.iter().filter(|run| now < expiry(run));
    Ok(runs.flat_map(purges).collect())
}

fn purges(run: &RunRow) -> impl Iterator<Item = HeldPurge> {
    let scopes = run.result.iter().flat_map(|result| &result.scopes);
    let held = scopes.filter(|scope| scope.status == ScopeStatus::Held);
    held.map(|scope| HeldPurge {
        run_id: run.id.clone(),
        scope: FeedScope {
            doc_type: scope.doc_type,
            language: scope.language.clone(),
        },
        documents: scope.documents,
        would_purge: scope.would_purge.unwrap_or(0),
        held_at: run.last_used_at,
        expires_at: expiry(run),
    })
}

async fn held_runs(
    service: &Service,
    permit: &Permit<Feed>,
) -> Result<Vec<RunRow>, OperationError> {
    let now = service.clock.now();
    let runs = service.storage.held_runs(permit).await?;
    let runs = runs.into_iter();
    Ok(runs.filter(|run| now < expiry(run)).collect())
}

async fn require_store(
    service: &Service,
    permit: &Permit<impl access::MayRead>,
) -> Result<(), OperationError> {
    match service.storage.store(permit).await? {
        Some(_) => Ok(()),
        None => Err(OperationError::NotFound {
            what: message::noun::store,
        }),
    }
}

/// Releases the held purges of a run; `None` if it holds nothing back any more, because somebody else was first.
async fn purge(
    service: &Service,
    permit: &Permit<Feed>,
    id: &RunId,
) -> Result<Option<RunView>, OperationError> {
    finish_sweeps(service, permit).await?;
    let mut feed = service.storage.begin_feed(permit).await?;
    existing_store(&mut feed).await?;
    let now = service.clock.now();
    let run = feed.run(id).await?;
    let Some(run) = run.filter(|run| run.state == RunState::Open && now < expiry(run)) else {
        return Ok(None);
    };
    let Some(before) = run.result.clone() else {
        return Ok(None);
    };
    let scopes = feed.run_scopes(&run).await?;
    let passing = Purge {
        run: &run,
        breaker: false,
        now,
    };
    let mut result = RunClosed { scopes: Vec::new() };
    for scope in &scopes {
        let known = before.of(&scope.scope).cloned();
        match known.ok_or(OperationError::Gone)? {
            held if held.status == ScopeStatus::Held => {
                let state = index(&mut feed, &scope.scope).await?;
                result
                    .scopes
                    .push(passing.of(&mut feed, scope, state).await?);
            }
            ended => result.scopes.push(ended),
        }
    }
    end_or_hold(&mut feed, &run, &result, now).await?;
    let (run, scopes) = (feed.run(id).await?, feed.run_scopes(&run).await?);
    let summary = message::audited::run_released(id.as_str());
    feed.record(&super::record(permit, "release_run", summary), now)
        .await?;
    feed.commit().await?;
    notify_indexer(service, permit, &scopes, &result);
    Ok(run.map(|run| view(&run, &scopes, now)))
}
