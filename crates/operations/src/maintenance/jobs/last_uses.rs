//! Stores when keys were last used.

use super::JobReport;
use crate::{OperationError, Service};

/// Stores all pending uses.
pub async fn run(service: &Service) -> Result<JobReport, OperationError> {
    // They are dropped from memory only after the write, so that a failure or a stop loses none.
    let uses = service.access.last_uses.pending();
    if !uses.is_empty() {
        service.storage.store_key_uses(&uses).await?;
        service.access.last_uses.forget_written(&uses);
    }
    Ok(JobReport {
        rows: u64::try_from(uses.len()).unwrap_or(u64::MAX),
    })
}
