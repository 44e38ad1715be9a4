//! Reads the folder of releases again.

use super::JobReport;
use crate::{OperationError, Service};
use std::sync::Arc;

/// Reads the files that changed.
pub async fn run(service: &Service) -> Result<JobReport, OperationError> {
    let releases = Arc::clone(&service.feed.releases);
    tokio::task::spawn_blocking(move || releases.refresh())
        .await
        .map_err(OperationError::internal)?;
    Ok(JobReport::default())
}
