//! Forgets deletion marks that are older than 24 hours and that the search index has passed, and the oldest of too many.

use super::JobReport;
use crate::{OperationError, Service};
use domain::access::{self, System};
use domain::limits::DELETION_MARK_HOURS;
use domain::{IndexId, Permit, StoreId, Timestamp};

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
        report.rows += forget(
            service,
            (&access::system(&row.store), row.id),
            Some(before),
            u64::MAX,
        )
        .await?;
    }
    Ok(report)
}

/// Forgets the oldest of the marks that keep upserts out of an index, however young, where there are more than
/// `marks_max`, in portions.
///
/// One that the search index has not passed, or that an open run counts, stays for now.
pub async fn keep_few(
    service: &Service,
    store: &StoreId,
    index: IndexId,
    marks_max: u64,
) -> Result<JobReport, OperationError> {
    let count = service.storage.mark_count(index).await?;
    let surplus = count.saturating_sub(marks_max);
    let rows = forget(service, (&access::system(store), index), None, surplus).await?;
    Ok(JobReport { rows })
}

async fn forget(
    service: &Service,
    of: (&Permit<System>, IndexId),
    before: Option<Timestamp>,
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
