//! Removes the rows of cleared and purged documents, portion by portion, and limits the number of deletion marks.

use super::{JobReport, deletion_marks};
use crate::{OperationError, Service};
use domain::limits::DELETION_MARKS_MAX;
use std::time::Duration;
use storage::Sweep;

/// Rows of one portion: some milliseconds of the single writer.
const PORTION_ROWS: usize = 500;
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
        service.sweeper.notified().await;
    }
}

async fn work(service: &Service) -> Result<(), OperationError> {
    run(service).await?;
    while let Some((store, index)) = service.sweeper.next_marked() {
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

/// Sweeps one index to its end.
pub(crate) async fn finish(service: &Service, sweep: &mut Sweep) -> Result<(), OperationError> {
    while portion(service, sweep).await?.is_some() {}
    Ok(())
}

async fn portion(service: &Service, sweep: &mut Sweep) -> Result<Option<u64>, OperationError> {
    let now = service.clock.now();
    Ok(service.storage.sweep(sweep, PORTION_ROWS, now).await?)
}
