//! Removes stores that were closed some days ago, portion by portion; after a restart it continues where it was.

use super::JobReport;
use crate::{OperationError, Service};
use domain::StoreId;
use domain::limits::CLOSED_STORE_DAYS;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

/// How often stores are looked for whose time is over.
const EVERY: Duration = Duration::from_secs(300);
/// How many times as long as a portion took the job rests after it, so that the searches of others get the cores.
const RESTS: u32 = 3;
/// The longest rest: a portion also takes long when others write.
const REST_MAX: Duration = Duration::from_secs(1);

/// Removes stores as their time is over, until it is aborted. A large store takes minutes, so no other job waits for it.
pub(crate) async fn run_always(service: Service) {
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        super::timer::log("closed stores", run(&service).await);
    }
}

/// Removes all stores whose time to be reopened is over.
pub async fn run(service: &Service) -> Result<JobReport, OperationError> {
    let before = service.clock.now().plus_hours(-24 * CLOSED_STORE_DAYS);
    let mut report = JobReport::default();
    if !service.nodes.leads() {
        return Ok(report);
    }
    for store in service.storage.stores_to_remove(before).await? {
        report.rows += remove(service, &store).await?;
    }
    Ok(report)
}

/// Removes a store whose time is over, or whose removal has begun; returns the number of rows.
pub(crate) async fn remove(service: &Service, store: &StoreId) -> Result<u64, OperationError> {
    let mut removed = 0;
    if begin(service, store).await? {
        let mut started = Instant::now();
        while let rows @ 1.. = portion(service, store).await? {
            removed += rows;
            sleep((started.elapsed() * RESTS).min(REST_MAX)).await;
            started = Instant::now();
        }
        tracing::info!(%store, "a deleted store was removed");
    }
    Ok(removed)
}

/// Begins to remove a store and deletes its indexes; returns whether it may be removed.
pub async fn begin(service: &Service, store: &StoreId) -> Result<bool, OperationError> {
    let before = service.clock.now().plus_hours(-24 * CLOSED_STORE_DAYS);
    let Some(indexes) = service.storage.begin_removal(store, before).await? else {
        return Ok(false);
    };
    service.indexing.close_store(store).await;
    for index in indexes {
        service.indexing.discard(index).await?;
    }
    Ok(true)
}

/// Removes the next portion of a store; returns the number of rows, 0 at the end.
pub async fn portion(service: &Service, store: &StoreId) -> Result<u64, OperationError> {
    Ok(service.storage.remove_portion(store).await?)
}
