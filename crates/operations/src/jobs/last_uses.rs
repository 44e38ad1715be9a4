//! Writes down when keys were last used.

use super::JobReport;
use crate::{OperationError, Service};

/// Writes all uses that storage does not know yet.
pub async fn run(service: &Service) -> Result<JobReport, OperationError> {
    let uses = service.last_uses.take();
    if !uses.is_empty() {
        service.storage.note_key_uses(&uses).await?;
    }
    Ok(JobReport {
        rows: u64::try_from(uses.len()).unwrap_or(u64::MAX),
    })
}
