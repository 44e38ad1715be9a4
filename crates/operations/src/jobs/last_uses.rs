//! Writes down when keys were last used.

use super::JobReport;
use crate::{OperationError, Service};

/// Writes all uses that storage does not know yet.
pub async fn run(service: &Service) -> Result<JobReport, OperationError> {
    // They are forgotten only once they are written, so that a failure or a stop on the way loses none.
    let uses = service.last_uses.pending();
    if !uses.is_empty() {
        service.storage.store_key_uses(&uses).await?;
        service.last_uses.kept(&uses);
    }
    Ok(JobReport {
        rows: u64::try_from(uses.len()).unwrap_or(u64::MAX),
    })
}
