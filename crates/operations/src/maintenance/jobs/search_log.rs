//! Writes the search log, and deletes what it no longer keeps.

use super::JobReport;
use crate::{OperationError, Service};
use domain::Day;
use domain::limits::{QUERY_ID_DAYS, SEARCH_LOG_DAYS_MAX};
use storage::analytics::LogRetention;

/// Writes what was counted now, in place of in ten seconds.
pub async fn write(service: &Service) -> Result<JobReport, OperationError> {
    service.search_log.flush().await?;
    Ok(JobReport::default())
}

/// Deletes what is too old or too much, and the logs of stores that no longer exist.
pub async fn clean(service: &Service) -> Result<JobReport, OperationError> {
    let log = &service.search_log;
    let storage = log.storage();
    let (today, options) = (Day::of(service.clock.now()), log.options());
    let retention = LogRetention {
        queries_from: today.plus(1 - i64::from(options.days)),
        totals_from: today.plus(1 - i64::from(SEARCH_LOG_DAYS_MAX)),
        marks_from: today.plus(-QUERY_ID_DAYS),
    };
    let mut rows = log.checked(storage.delete_old(retention).await).await?;
    let known = service.storage.all_store_ids().await?;
    rows += log.checked(storage.keep_only(&known).await).await?;
    rows += log.checked(storage.enforce_rows().await).await?;
    rows += log
        .checked(storage.enforce_bytes(options.bytes_max).await)
        .await?;
    Ok(JobReport { rows })
}
