//! The purge at the end of a run, and the breaker that holds one back which would delete very much.

use super::count;
use crate::jobs::sweeps;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::{RunClosed, ScopeClosed, ScopeStatus};
use domain::limits::{PURGE_DOCUMENTS_MAX, PURGE_PERCENT_MAX};
use domain::{Permit, Timestamp};
use storage::{FeedWrite, IndexState, RunRow, RunScopeRow, RunState};

/// How scopes of a run are purged.
pub(super) struct Purge<'a> {
    /// The run.
    pub run: &'a RunRow,
    /// Whether the breaker may hold a purge back.
    pub breaker: bool,
    /// The time.
    pub now: Timestamp,
}

impl Purge<'_> {
    /// Deletes what the run did not see of a scope and nothing has written since, unless that is held back.
    pub async fn of(
        &self,
        feed: &mut FeedWrite,
        scope: &RunScopeRow,
        mut state: IndexState,
    ) -> Result<ScopeClosed, OperationError> {
        // A shop that announced a rebuild has said that everything old goes: its first run after that is not held.
        let rebuilt = state
            .rebuild
            .is_some_and(|announced| announced <= scope.opened_writes);
        let mut closed = ScopeClosed {
            doc_type: scope.scope.doc_type,
            language: scope.scope.language.clone(),
            status: ScopeStatus::Purged,
            seen: count(scope.seen),
            purged: 0,
            documents: count(state.documents),
            would_purge: None,
        };
        let unseen = feed
            .unseen(&state, self.run.number, scope.opened_writes)
            .await?;
        if self.breaker && !rebuilt && very_much(unseen, closed.documents) {
            closed.status = ScopeStatus::Held;
            closed.would_purge = Some(unseen);
            return Ok(closed);
        }
        if unseen == 0 && !rebuilt {
            return Ok(closed);
        }
        closed.purged = unseen;
        if unseen == 0 {
            state.writes += 1;
        } else if state.purging.is_some() {
            // Its rows follow before a close opens its transaction; another close must have come between.
            return Err(OperationError::unavailable("an earlier purge is not over"));
        } else {
            feed.purge(&mut state, self.run.number, scope.opened_writes, unseen)
                .await?;
        }
        state.rebuild = state.rebuild.filter(|_| !rebuilt);
        feed.save_index(&state, self.now).await?;
        closed.documents = count(state.documents);
        Ok(closed)
    }
}

/// Whether a purge of `unseen` of `documents` needs the owner's word.
fn very_much(unseen: u64, documents: u64) -> bool {
    unseen > PURGE_DOCUMENTS_MAX
        && u128::from(unseen) * 100 > u128::from(documents) * u128::from(PURGE_PERCENT_MAX)
}

/// Has the rows of earlier clears and purges of the store follow them, so that a new purge may begin.
pub(super) async fn settle(service: &Service, permit: &Permit<Feed>) -> Result<(), OperationError> {
    for mut sweep in service.storage.unswept().await? {
        if sweep.store == *permit.store() {
            sweeps::finish(service, &mut sweep).await?;
        }
    }
    Ok(())
}

/// Ends the run with `result`, or keeps it open for the scopes that are held back.
pub(super) async fn conclude(
    feed: &mut FeedWrite,
    run: &RunRow,
    result: &RunClosed,
    now: Timestamp,
) -> Result<(), OperationError> {
    if result.holds() {
        feed.hold_run(run, result, now).await?;
    } else {
        feed.end_run(run, RunState::Closed, Some(result), now)
            .await?;
    }
    Ok(())
}

/// Tells the indexer of what a close deleted.
pub(super) fn announce(
    service: &Service,
    permit: &Permit<Feed>,
    scopes: &[RunScopeRow],
    result: &RunClosed,
) {
    service.sweeper.wake();
    for (scope, closed) in scopes.iter().zip(&result.scopes) {
        if closed.purged > 0 {
            service.indexing.changed(permit.store(), scope.index);
        }
        if closed.status == ScopeStatus::Purged {
            service.indexing.run_closed(permit.store(), scope.index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::very_much;

    #[test]
    fn more_than_thirty_percent_and_more_than_fifty_documents_are_very_much() {
        for (unseen, documents, held) in [
            (50, 60, false),
            (51, 60, true),
            (51, 170, false),
            (51, 169, true),
            (300, 1_000, false),
            (301, 1_000, true),
            (0, 0, false),
            (u64::MAX, u64::MAX, true),
        ] {
            assert_eq!(
                very_much(unseen, documents),
                held,
                "{unseen} of {documents}"
            );
        }
    }
}
