//! Sweeping: removes the rows of cleared and purged documents portion by portion; `Sweeper` wakes the job that does.

use crate::{OperationError, Service};
use domain::{IndexId, StoreId};
use parking_lot::Mutex;
use std::collections::BTreeSet;
use storage::Sweep;
use tokio::sync::Notify;

/// Rows of one portion: some milliseconds of the single writer.
const PORTION_ROWS: usize = 500;

/// Wakes the sweeping job.
#[derive(Default)]
pub(crate) struct Sweeper {
    work: Notify,
    /// Indexes with new deletion marks since their marks were counted.
    marked: Mutex<BTreeSet<(StoreId, IndexId)>>,
}

impl Sweeper {
    /// Notifies the sweeper that an index was cleared or purged.
    pub fn wake(&self) {
        self.work.notify_one();
    }

    /// Notifies the sweeper that an index got deletion marks.
    pub fn marked(&self, store: &StoreId, index: IndexId) {
        self.marked.lock().insert((store.clone(), index));
        self.wake();
    }

    /// Returns an index whose deletion marks are to be counted.
    pub fn next_marked(&self) -> Option<(StoreId, IndexId)> {
        self.marked.lock().pop_first()
    }

    /// Waits for the next notification.
    pub async fn notified(&self) {
        self.work.notified().await;
    }
}

/// Sweeps one index to its end.
pub(crate) async fn finish(service: &Service, sweep: &mut Sweep) -> Result<(), OperationError> {
    while portion(service, sweep).await?.is_some() {}
    Ok(())
}

/// Sweeps the next portion of an index; returns its rows, or `None` at the end.
pub(crate) async fn portion(
    service: &Service,
    sweep: &mut Sweep,
) -> Result<Option<u64>, OperationError> {
    let now = service.clock.now();
    Ok(service.storage.sweep(sweep, PORTION_ROWS, now).await?)
}
