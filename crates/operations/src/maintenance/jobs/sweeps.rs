//! Removes the rows of cleared and purged documents, portion by portion, and limits the number of deletion marks.

use super::{JobReport, deletion_marks};
use crate::feed::sweeper::portion;
use crate::{OperationError, Service};
use domain::limits::DELETION_MARKS_MAX;
use std::time::Duration;

/// Pause before a failed sweep is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// Sweeps whenever there is something to do, until it is aborted; the next start continues where it was.
pub(crate) async fn run_always(service: Service) {
    loop {
        if let Err(error) = work(&service).await {
            tracing::warn!(error = ?error, "rows of removed documents could not be swept; it will be tried again");
            tokio::time::sleep(RETRY).await;
            continue;
        }
        service.feed.sweeper.notified().await;
    }
}

async fn work(service: &Service) -> Result<(), OperationError> {
    run(service).await?;
    while let Some((store, index)) = service.feed.sweeper.next_marked() {
        deletion_marks::enforce_limit(service, &store, index, DELETION_MARKS_MAX).await?;
    }
    Ok(())
}

/// Sweeps all indexes in turn, one portion each.
pub async fn run(service: &Service) -> Result<JobReport, OperationError> {
    let mut report = JobReport::default();
    loop {
        let mut sweeps = service.storage.unswept().await?;
        if sweeps.is_empty() {
            return Ok(report);
        }
        while !sweeps.is_empty() {
            let mut left = Vec::with_capacity(sweeps.len());
            for mut sweep in sweeps {
                if let Some(rows) = portion(service, &mut sweep).await? {
                    report.rows += rows;
                    left.push(sweep);
                }
            }
            sweeps = left;
        }
    }
}
