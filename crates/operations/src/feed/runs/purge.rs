//! The purge at the end of a run, and the breaker that holds back a purge of very many documents.

use super::count;
use crate::feed::sweeper;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::{FeedScope, RunClosed, ScopeClosed, ScopeStatus};
use domain::limits::{PURGE_DOCUMENTS_MAX, PURGE_PERCENT_MAX};
use domain::{Permit, Timestamp};
use storage::{FeedWrite, IndexState, RunRow, RunScopeRow, RunState};

/// Parameters of the purge of a run.
pub(super) struct Purge<'a> {
    /// The run.
    pub run: &'a RunRow,
    /// Whether the breaker may hold back a purge.
    pub breaker: bool,
    /// Current time.
    pub now: Timestamp,
}

impl Purge<'_> {
    /// Deletes the documents of a scope that the run has not seen and that were not written since, unless the breaker
    /// holds that back.
    pub async fn of(
        &self,
        feed: &mut FeedWrite,
        scope: &RunScopeRow,
        mut state: IndexState,
    ) -> Result<ScopeClosed, OperationError> {
        // A shop that announced a rebuild wants all old documents to go: the breaker does not hold its first run after
        // that.
        let is_rebuild = state
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
            unknown_fields: scope.unknown_fields.most_frequent(),
        };
        let unseen = feed
            .unseen(&state, self.run.number, scope.opened_writes)
            .await?;
        if self.breaker && !is_rebuild && exceeds_breaker(unseen, closed.documents) {
            closed.status = ScopeStatus::Held;
            closed.would_purge = Some(unseen);
            return Ok(closed);
        }
        if unseen == 0 && !is_rebuild {
            return Ok(closed);
        }
        closed.purged = unseen;
        if unseen == 0 {
            state.writes += 1;
        } else if state.purging.is_some() {
            // A close finishes the sweeps before it opens its transaction; another close must have come in between.
            return Err(OperationError::unavailable(
                "an earlier purge has not finished",
            ));
        } else {
            feed.purge(&mut state, self.run.number, scope.opened_writes, unseen)
                .await?;
        }
        state.rebuild = state.rebuild.filter(|_| !is_rebuild);
        feed.save_index(&state, self.now).await?;
        closed.documents = count(state.documents);
        Ok(closed)
    }
}

/// Returns whether a purge of `unseen` of `documents` needs the confirmation of the owner.
fn exceeds_breaker(unseen: u64, documents: u64) -> bool {
    unseen > PURGE_DOCUMENTS_MAX
        && u128::from(unseen) * 100 > u128::from(documents) * u128::from(PURGE_PERCENT_MAX)
}

/// Finishes the sweeps of earlier clears and purges of the store, so that a new purge may begin.
pub(super) async fn finish_sweeps(
    service: &Service,
    permit: &Permit<Feed>,
) -> Result<(), OperationError> {
    for mut sweep in service.storage.unswept().await? {
        if sweep.store == *permit.store() {
            sweeper::finish(service, &mut sweep).await?;
        }
    }
    Ok(())
}

/// Ends the run with `result`, or keeps it open if a purge is held back.
pub(super) async fn end_or_hold(
    feed: &mut FeedWrite,
    run: &RunRow,
    result: &RunClosed,
    now: Timestamp,
) -> Result<(), OperationError> {
    for closed in &result.scopes {
        if closed.status == ScopeStatus::Purged {
            let scope = FeedScope {
                doc_type: closed.doc_type,
                language: closed.language.clone(),
            };
            feed.complete_run(&scope).await?;
        }
    }
    if result.holds() {
        feed.hold_run(run, result, now).await?;
    } else {
        feed.end_run(run, RunState::Closed, Some(result), now)
            .await?;
    }
    Ok(())
}

/// Notifies the indexer and the sweeper of the deletions of a close.
pub(super) fn notify_indexer(
    service: &Service,
    permit: &Permit<Feed>,
    scopes: &[RunScopeRow],
    result: &RunClosed,
) {
    service.feed.sweeper.wake();
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
    use super::exceeds_breaker;

    #[test]
    fn more_than_thirty_percent_and_more_than_fifty_documents_exceed_the_breaker() {
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
                exceeds_breaker(unseen, documents),
                held,
                "{unseen} of {documents}"
            );
        }
    }
}
