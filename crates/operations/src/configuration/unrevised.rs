//! How a write that belongs to no revision ends: committed with its audit record, or dropped after a dry run.

use crate::access::daily_changes::check_daily_changes;
use crate::{OperationError, Service};
use domain::audit::AuditEntry;
use domain::{Permit, WriteReport, access};
use storage::ConfigurationWrite;

/// What became of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It is stored and audited.
    Saved,
    /// It was a dry run: its changes are reported and nothing is stored.
    Tried,
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
        let tried = Some(entry.changes_under(&entry.resource));
        permit.attempt().report(WriteReport {
            tried,
            ..WriteReport::default()
        });
        return Ok(Ended::Tried);
    }
    write.commit_unrevised(entry, now).await?;
    Ok(Ended::Saved)
}
