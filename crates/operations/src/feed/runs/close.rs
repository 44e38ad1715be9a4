//! `POST /feed/runs/{runId}/close`: purges what the run neither sent nor touched, scope by scope.

use super::count;
use super::purge::{Purge, end_or_hold, finish_sweeps, notify_indexer};
use crate::feed::{FeedCaller, index, require_open, writable_store};
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::{RunClose, RunClosed, ScopeClose, ScopeClosed, ScopeStatus};
use domain::{Invalid, Permit, RunId};
use storage::{FeedWrite, RunScopeRow, RunState};

/// Closes a run; closing it again returns the first result.
///
/// A scope whose purge is held back stays open until a close confirms it.
///
/// Errors: `Invalid` for a scope that the run does not cover or that is given twice; `Gone` if the run ended otherwise.
pub async fn close(
    service: &Service,
    caller: &FeedCaller,
    id: &RunId,
    close: RunClose,
) -> Result<RunClosed, OperationError> {
    let permit = caller.permit(service).await?;
    let id = id.clone();
    let service = service.clone();
    run_to_completion(async move { end(&service, &permit, &id, &close).await }).await
}

/// Closes a run for who may feed the store.
pub(crate) async fn end(
    service: &Service,
    permit: &Permit<Feed>,
    id: &RunId,
    close: &RunClose,
) -> Result<RunClosed, OperationError> {
    finish_sweeps(service, permit).await?;
    let mut feed = service.storage.begin_feed(permit).await?;
    let store = writable_store(&mut feed).await?;
    let run = match feed.run(id).await? {
        Some(run) if run.state == RunState::Closed => {
            return run.result.ok_or(OperationError::Gone);
        }
        other => require_open(service, other)?,
    };
    let scopes = feed.run_scopes(&run).await?;
    check(close, &scopes)?;
    let purge = Purge {
        run: &run,
        breaker: store.purge_breaker && !close.confirm_purge,
        now: service.clock.now(),
    };
    let mut result = RunClosed { scopes: Vec::new() };
    for scope in &scopes {
        let before = run
            .result
            .as_ref()
            .and_then(|before| before.of(&scope.scope));
        let named = close.scopes.iter().find(|named| names_scope(named, scope));
        let closed = match before {
            Some(before) if before.status != ScopeStatus::Held || named.is_none() => before.clone(),
            _ => end_scope(&mut feed, &purge, scope, named).await?,
        };
        result.scopes.push(closed);
    }
    end_or_hold(&mut feed, &run, &result, purge.now).await?;
    feed.commit().await?;
    notify_indexer(service, permit, &scopes, &result);
    Ok(result)
}

async fn end_scope(
    feed: &mut FeedWrite,
    purge: &Purge<'_>,
    scope: &RunScopeRow,
    named: Option<&ScopeClose>,
) -> Result<ScopeClosed, OperationError> {
    let state = index(feed, &scope.scope).await?;
    match status(scope, count(state.documents), named) {
        ScopeStatus::Purged => purge.of(feed, scope, state).await,
        status => Ok(ScopeClosed {
            doc_type: scope.scope.doc_type,
            language: scope.scope.language.clone(),
            status,
            seen: count(scope.seen),
            purged: 0,
            documents: count(state.documents),
            would_purge: None,
            unknown_fields: scope.unknown_fields.most_frequent(),
        }),
    }
}

/// Returns how a scope ends. The counts must agree before anything is purged.
fn status(scope: &RunScopeRow, documents: u64, named: Option<&ScopeClose>) -> ScopeStatus {
    let seen = count(scope.seen);
    match named {
        None => ScopeStatus::Skipped,
        Some(named) if named.sent.saturating_add(named.touched) != seen => ScopeStatus::Mismatch,
        Some(named) if seen == 0 && documents > 0 && !named.allow_empty => ScopeStatus::Empty,
        Some(_) => ScopeStatus::Purged,
    }
}

fn names_scope(named: &ScopeClose, scope: &RunScopeRow) -> bool {
    named.doc_type == scope.scope.doc_type && named.language == scope.scope.language
}

fn check(close: &RunClose, scopes: &[RunScopeRow]) -> Result<(), OperationError> {
    let mut wrong = Vec::new();
    for (at, named) in close.scopes.iter().enumerate() {
        let same = |other: &ScopeClose| {
            other.doc_type == named.doc_type && other.language == named.language
        };
        if !scopes.iter().any(|scope| names_scope(named, scope)) {
            wrong.push(Invalid::new(
                format!("scopes[{at}]"),
                message::feed::scope_not_covered(),
            ));
        } else if close.scopes[..at].iter().any(same) {
            wrong.push(Invalid::new(
                format!("scopes[{at}]"),
                message::value::named_twice(),
            ));
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(OperationError::Invalid(wrong))
    }
}
