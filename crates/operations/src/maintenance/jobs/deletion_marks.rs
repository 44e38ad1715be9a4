//! Removes deletion marks that are older than 24 hours and that the search index has passed, and the oldest of too
//! many.

use super::JobReport;
use crate::{OperationError, Service};
use domain::access::{self, System};
use domain::limits::DELETION_MARK_HOURS;
use domain::{IndexId, Permit, StoreId, Timestamp};

/// Marks that are removed in one write.
const PORTION_ROWS: u32 = 1_000;

/// Removes old marks, index by index, in portions.
pub async fn run(service: &Service) -> Result<JobReport, OperationError> {
    let before = service.clock.now().plus_hours(-DELETION_MARK_HOURS);
    let mut report = JobReport::default();
    for row in service.storage.open_indices().await? {
        if !service.storage.has_old_marks(row.id, before).await? {
            continue;
        }
        report.rows += remove(
            service,
            (&access::system(&row.store), row.id),
            Some(before),
            u64::MAX,
        )
        .await?;
    }
    Ok(report)
}

/// Removes the oldest marks of an index, whatever their age, while there are more than `marks_max`, in portions.
///
/// Marks that the search index has not passed, or that an open run counts, stay for now.
pub async fn enforce_limit(
    service: &Service,
    store: &StoreId,
    index: IndexId,
    marks_max: u64,
) -> Result<JobReport, OperationError> {
    let count = service.storage.mark_count(index).await?;
    let surplus = count.saturating_sub(marks_max);
    let rows = remove(service, (&access::system(store), index), None, surplus).await?;
    Ok(JobReport { rows })
}

async fn remove(
    service: &Service,
    of: (&Permit<System>, IndexId),
    before: Option<Timestamp>,
    at_most: u64,
) -> Result<u64, OperationError> {
    let mut removed = 0;
    while removed < at_most {
        let limit = u64::from(PORTION_ROWS).min(at_most - removed);
        let limit = u32::try_from(limit).unwrap_or(PORTION_ROWS);
        let watermark = service.indexing.passed_everywhere(of.1).await?;
        let storage = &service.storage;
        let rows = storage.delete_marks(of, before, watermark, limit).await?;
        removed += rows;
        if rows < u64::from(limit) {
            break;
        }
    }
    Ok(removed)
}
