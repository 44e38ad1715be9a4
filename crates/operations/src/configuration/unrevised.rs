//! How a write that belongs to no revision ends: committed with its audit record, proposed, or dropped after a dry run.

use crate::access::daily_changes::check_daily_changes;
use crate::configuration::proposals::{Content, PendingProposal, Proposal};
use crate::{OperationError, Service};
use domain::audit::AuditEntry;
use domain::{Permit, Proposed, WriteReport, access};
use storage::ConfigurationWrite;

/// What became of a write.
pub(crate) enum Ended {
    /// It is stored and audited.
    Saved,
    /// It was a dry run: its changes are reported and nothing is stored.
    Tried(Option<Proposal>),
    /// It became a proposal, unless it would change nothing.
    Proposed(Option<Proposal>),
}

impl Ended {
    /// Returns the proposal that it became, or would have become.
    pub fn into_proposal(self) -> Option<Proposal> {
        match self {
            Self::Saved => None,
            Self::Tried(proposal) | Self::Proposed(proposal) => proposal,
        }
    }
}

/// Ends `write`, whose audit record is `entry`: commits it, or in a dry run reports its changes under its resource.
///
/// Errors: `TooMany` if the changes of the day pass their limit.
pub(crate) async fn commit(
    service: &Service,
    permit: &Permit<access::Write>,
    mut write: ConfigurationWrite,
    entry: &AuditEntry,
) -> Result<Ended, OperationError> {
    let now = service.clock.now();
    check_daily_changes(write.changed_today(entry, now).await?, now)?;
    if permit.attempt().dry_run {
        permit.attempt().report(WriteReport {
            tried: Some(entry.changes_under(&entry.resource)),
            ..WriteReport::default()
        });
        return Ok(Ended::Tried(None));
    }
    write.commit_unrevised(entry, now).await?;
    Ok(Ended::Saved)
}

/// Ends `write` as [`commit`] does; if its permit proposes, it becomes a proposal of `what`.
///
/// Errors: those of [`commit`]; those of a proposal.
pub(crate) async fn commit_or_propose(
    service: &Service,
    permit: &Permit<access::Write>,
    mut write: ConfigurationWrite,
    (entry, what): (&AuditEntry, Content),
) -> Result<Ended, OperationError> {
    if !permit.proposes() {
        return commit(service, permit, write, entry).await;
    }
    let now = service.clock.now();
    let target = service.proposal_target(permit, &mut write, now).await?;
    let changes = entry.changes_under(&entry.resource);
    let pending = PendingProposal {
        operation: entry.operation.clone(),
        content: what,
        touched: vec![entry.resource.clone()],
        target,
    };
    let proposal = service.propose(permit, write, pending).await?;
    if permit.attempt().dry_run {
        permit.attempt().report(WriteReport {
            tried: Some(changes),
            ..WriteReport::default()
        });
        return Ok(Ended::Tried(proposal));
    }
    let proposed = match &proposal {
        Some(proposal) => proposal.report(changes, now),
        None => Proposed::Nothing,
    };
    permit.attempt().report(WriteReport {
        proposed: Some(proposed),
        ..WriteReport::default()
    });
    Ok(Ended::Proposed(proposal))
}
