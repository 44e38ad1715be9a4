//! Forgets deletion marks that are older than 24 hours and that the search index has passed, and the oldest of too many.

use super::JobReport;
use crate::{OperationError, Service};
use domain::limits::{DELETION_MARK_HOURS, DELETION_MARKS_MAX};
use domain::{IndexId, StoreId, Timestamp};

/// Marks that are forgotten in one write.
const PORTION_ROWS: u32 = 1_000;

/// Forgets the old ones, index by index, in portions.
pub async fn run(service: &Service) -> Result<JobReport, OperationError> {
    let before = service.clock.now().plus_hours(-DELETION_MARK_HOURS);
    let mut report = JobReport::default();
    for row in service.storage.all_indices().await? {
        if !service.storage.has_old_marks(row.id, before).await? {
            continue;
        }
        report.rows += forget(service, (&row.store, row.id), before, u64::MAX).await?;
    }
    Ok(report)
}

/// Forgets the oldest marks of an index that has too many.
pub(crate) async fn keep_few(
    service: &Service,
    store: &StoreId,
    index: IndexId,
) -> Result<(), OperationError> {
    let count = service.storage.mark_count(index).await?;
    let surplus = count.saturating_sub(DELETION_MARKS_MAX);
    if surplus > 0 {
        let all = Timestamp(i64::MAX);
        forget(service, (store, index), all, surplus).await?;
    }
    Ok(())
}

async fn forget(
    service: &Service,
    of: (&StoreId, IndexId),
    before: Timestamp,
    at_most: u64,
) -> Result<u64, OperationError> {
    let mut forgotten = 0;
    while forgotten < at_most {
        let limit = u64::from(PORTION_ROWS).min(at_most - forgotten);
        let limit = u32::try_from(limit).unwrap_or(PORTION_ROWS);
        let watermark = service.indexing.passed(of.1);
        let storage = &service.storage;
        let rows = storage.forget_marks(of, before, watermark, limit).await?;
        forgotten += rows;
        if rows < u64::from(limit) {
            break;
        }
    }
    Ok(forgotten)
}
