//! `POST /feed/runs/{runId}/close`: what the run neither sent nor touched is purged, scope by scope.

use super::count;
use crate::feed::{FeedCaller, index, still_open, writable_store};
use crate::service::to_the_end;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::{RunClose, RunClosed, ScopeClose, ScopeClosed, ScopeStatus};
use domain::{Invalid, Permit, RunId, Timestamp};
use storage::{FeedWrite, RunRow, RunScopeRow, RunState};

/// Closes a run; a run that was closed before answers what it answered then.
///
/// Errors: a scope that the run does not cover or that is named twice; gone when the run ended otherwise.
pub async fn close(
    service: &Service,
    caller: &FeedCaller,
    id: &RunId,
    close: RunClose,
) -> Result<RunClosed, OperationError> {
    let permit = caller.permit(service).await?;
    let id = id.clone();
    let service = service.clone();
    to_the_end(async move { end(&service, &permit, &id, &close).await }).await
}

async fn end(
    service: &Service,
    permit: &Permit<Feed>,
    id: &RunId,
    close: &RunClose,
) -> Result<RunClosed, OperationError> {
    let now = service.clock.now();
    let mut feed = service.storage.begin_feed(permit).await?;
    writable_store(&mut feed).await?;
    let run = feed.run(id).await?;
    if let Some(result) = run.as_ref().and_then(|run| run.result.clone()) {
        return Ok(result);
    }
    let run = still_open(service, run)?;
    let scopes = feed.run_scopes(&run).await?;
    check(close, &scopes)?;
    let mut result = RunClosed { scopes: Vec::new() };
    for scope in &scopes {
        let named = close.scopes.iter().find(|named| is_of(named, scope));
        let closed = end_scope(&mut feed, &run, scope, named, now).await?;
        result.scopes.push(closed);
    }
    feed.end_run(&run, RunState::Closed, Some(&result), now)
        .await?;
    feed.commit().await?;
    for (scope, closed) in scopes.iter().zip(&result.scopes) {
        if closed.purged > 0 {
            service.indexing.changed(permit.store(), scope.index);
        }
        if closed.status == ScopeStatus::Purged {
            service.indexing.run_closed(permit.store(), scope.index);
        }
    }
    Ok(result)
}

async fn end_scope(
    feed: &mut FeedWrite,
    run: &RunRow,
    scope: &RunScopeRow,
    named: Option<&ScopeClose>,
    now: Timestamp,
) -> Result<ScopeClosed, OperationError> {
    let mut state = index(feed, &scope.scope).await?;
    let status = status(scope, count(state.documents), named);
    let mut purged = 0;
    if status == ScopeStatus::Purged {
        purged = feed
            .purge(&state, run.number, scope.opened_writes, now)
            .await?;
        if purged > 0 {
            let rows = i64::try_from(purged).unwrap_or(i64::MAX);
            state.writes += 1;
            state.sequence += rows;
            state.documents -= rows;
            feed.save_index(&state, now).await?;
        }
    }
    Ok(ScopeClosed {
        doc_type: scope.scope.doc_type,
        language: scope.scope.language.clone(),
        status,
        seen: count(scope.seen),
        purged,
        documents: count(state.documents),
    })
}

/// How a scope ends. The counts must agree before anything is purged.
fn status(scope: &RunScopeRow, documents: u64, named: Option<&ScopeClose>) -> ScopeStatus {
    let seen = count(scope.seen);
    match named {
        None => ScopeStatus::Skipped,
        Some(named) if named.sent.saturating_add(named.touched) != seen => ScopeStatus::Mismatch,
        Some(named) if seen == 0 && documents > 0 && !named.allow_empty => ScopeStatus::Empty,
        Some(_) => ScopeStatus::Purged,
    }
}

fn is_of(named: &ScopeClose, scope: &RunScopeRow) -> bool {
    named.doc_type == scope.scope.doc_type && named.language == scope.scope.language
}

fn check(close: &RunClose, scopes: &[RunScopeRow]) -> Result<(), OperationError> {
    let mut wrong = Vec::new();
    for (at, named) in close.scopes.iter().enumerate() {
        let same = |other: &ScopeClose| {
            other.doc_type == named.doc_type && other.language == named.language
        };
        if !scopes.iter().any(|scope| is_of(named, scope)) {
            wrong.push(Invalid::new(
                format!("scopes[{at}]"),
                "the run does not cover it",
            ));
        } else if close.scopes[..at].iter().any(same) {
            wrong.push(Invalid::new(format!("scopes[{at}]"), "is named twice"));
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(OperationError::Invalid(wrong))
    }
}
