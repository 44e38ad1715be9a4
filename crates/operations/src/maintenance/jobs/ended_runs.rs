//! Removes runs that ended 30 days ago, in portions.

use super::JobReport;
use crate::{OperationError, Service};
use domain::limits::RUN_KEPT_DAYS;

/// Runs that are removed in one write; each has at most some hundred scopes.
const PORTION_RUNS: u32 = 100;

/// Removes runs that ended 30 days ago.
pub async fn run(service: &Service) -> Result<JobReport, OperationError> {
    let before = service.clock.now().plus_hours(-24 * RUN_KEPT_DAYS);
    let mut report = JobReport::default();
    loop {
        let rows = service
            .storage
            .delete_ended_runs(before, PORTION_RUNS)
            .await?;
        report.rows += rows;
        if rows < u64::from(PORTION_RUNS) {
            return Ok(report);
        }
    }
}
