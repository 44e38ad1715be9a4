//! Indexing runs: open, touch, close with a purge, abort, get.

mod abort;
mod close;
mod open;
mod purge;
mod release;
mod touch;

pub(crate) use abort::abort_permitted;
pub use abort::{abort, abort_in_panel};
pub use close::close;
pub(crate) use close::end as close_permitted;
pub use open::open;
pub(crate) use open::open_permitted;
pub(crate) use release::held;
pub use release::{HeldPurge, list, release};
pub(crate) use touch::mark as touch_permitted;
pub use touch::touch;

use super::{FeedCaller, readable_store};
use crate::message;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::audit::AuditEntry;
use domain::feed::{FeedScope, RunScopeView, RunView, ScopeStatus, UnknownFields};
use domain::limits::RUN_IDLE_HOURS;
use domain::{IndexId, Message, Permit, RunId, Timestamp};
use storage::{FeedWrite, RunRow, RunScopeRow, RunState};

/// Returns the audit record of what a user or the operator did to a run.
fn record(permit: &Permit<Feed>, operation: &str, summary: Message) -> AuditEntry {
    AuditEntry {
        actor: permit.actor().clone(),
        operation: operation.to_owned(),
        resource: "runs".to_owned(),
        summary,
        changes: Vec::new(),
        request_id: permit.request_id().map(str::to_owned),
    }
}

/// Returns when a run expires unless it is used.
pub(crate) fn expiry(run: &RunRow) -> Timestamp {
    run.last_used_at.plus_hours(RUN_IDLE_HOURS)
}

/// Returns whether a scope of an open run still accepts documents, because no close has ended it.
pub(crate) fn accepts_documents(run: &RunRow, scope: &FeedScope) -> bool {
    let ended = run.result.as_ref().and_then(|result| result.of(scope));
    ended.is_none_or(|ended| ended.status == ScopeStatus::Held)
}

/// Returns the unknown fields that the run has counted in the scope.
///
/// Fails for a scope that the run was not opened for, or that a close has ended.
pub(crate) async fn require_scope(
    feed: &mut FeedWrite,
    run: &RunRow,
    index: IndexId,
    scope: &FeedScope,
) -> Result<UnknownFields, OperationError> {
    let scopes = feed.run_scopes(run).await?;
    if let Some(row) = scopes.into_iter().find(|row| row.index == index) {
        return match accepts_documents(run, scope) {
            true => Ok(row.unknown_fields),
            false => Err(OperationError::Gone),
        };
    }
    let reason = message::feed::run_not_covering(scope.doc_type.as_str(), scope.language.as_str());
    Err(OperationError::invalid("runId", reason))
}

/// Returns state and counts of a run, also after it has ended.
///
/// Errors: `Gone` for an unknown run.
pub async fn get(
    service: &Service,
    caller: &FeedCaller,
    id: &RunId,
) -> Result<RunView, OperationError> {
    let permit = caller.permit(service).await?;
    readable_store(service, &permit).await?;
    let (run, scopes) = service
        .storage
        .run(&permit, id)
        .await?
        .ok_or(OperationError::Gone)?;
    Ok(view(&run, &scopes, service.clock.now()))
}

fn view(run: &RunRow, scopes: &[RunScopeRow], now: Timestamp) -> RunView {
    let expires_at = expiry(run);
    let (state, ended_at) = match run.state {
        RunState::Open if now < expires_at && run.result.is_some() => ("held", None),
        RunState::Open if now < expires_at => ("open", None),
        RunState::Open => ("expired", Some(expires_at)),
        RunState::Closed => ("closed", run.ended_at),
        RunState::Expired => ("expired", run.ended_at),
        RunState::Aborted => ("aborted", run.ended_at),
    };
    RunView {
        run_id: run.id.clone(),
        client_run_id: run.client_run_id.clone(),
        mode: run.mode,
        state,
        opened_at: run.opened_at,
        expires_at: ended_at.is_none().then_some(expires_at),
        ended_at,
        origin: run.origin,
        by: run.by.clone(),
        scopes: scopes.iter().map(|scope| scope_view(run, scope)).collect(),
    }
}

fn scope_view(run: &RunRow, row: &RunScopeRow) -> RunScopeView {
    let outcome = run.result.as_ref().and_then(|result| result.of(&row.scope));
    RunScopeView {
        scope: row.scope.clone(),
        seen: count(row.seen),
        documents: count(row.documents),
        status: outcome.map(|outcome| outcome.status),
        purged: outcome.map(|outcome| outcome.purged),
        would_purge: outcome.and_then(|outcome| outcome.would_purge),
    }
}

/// Converts a number of rows, which is never negative.
fn count(rows: i64) -> u64 {
    u64::try_from(rows).unwrap_or(0)
}
