//! Forgets deletion marks that are older than 24 hours and that the search index has passed.

use super::JobReport;
use crate::{OperationError, Service};
use domain::limits::DELETION_MARK_HOURS;

/// Forgets them, index by index.
pub async fn run(service: &Service) -> Result<JobReport, OperationError> {
    let before = service.clock.now().plus_hours(-DELETION_MARK_HOURS);
    let mut report = JobReport::default();
    for index in service.storage.all_indices().await? {
        let watermark = service.indexing.passed(index.id);
        report.rows += service
            .storage
            .forget_marks(index.id, before, watermark)
            .await?;
    }
    Ok(report)
}
