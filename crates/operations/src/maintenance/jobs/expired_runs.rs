//! Ends runs that were not used for 48 hours, without purge.

use super::JobReport;
use crate::{OperationError, Service};
use domain::limits::RUN_IDLE_HOURS;

/// Ends runs that were not used for 48 hours.
pub async fn run(service: &Service) -> Result<JobReport, OperationError> {
    let now = service.clock.now();
    let rows = service
        .storage
        .expire_runs(now.plus_hours(-RUN_IDLE_HOURS), now)
        .await?;
    Ok(JobReport { rows })
}
