//! Removes sessions of the control panel that have ended, and failed sign-ins whose window has.

use super::JobReport;
use crate::{OperationError, Service};
use domain::Timestamp;
use std::time::Duration;

/// Removes the sessions that were not used for too long or began too long ago. They let nobody in already.
pub async fn run(service: &Service) -> Result<JobReport, OperationError> {
    let now = service.clock.now();
    let before = |time: Duration| {
        let ms = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        Timestamp(now.0.saturating_sub(ms))
    };
    let times = service.access.people.times;
    let rows = service
        .storage
        .delete_ended_sessions(before(times.idle), before(times.max))
        .await?;
    let failures = service.storage.delete_ended_failures(now).await?;
    Ok(JobReport {
        rows: rows + failures,
    })
}
