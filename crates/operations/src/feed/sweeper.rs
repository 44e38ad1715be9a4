//! `Sweeper`: wakes the job that removes the rows of cleared and purged documents.

use domain::{IndexId, StoreId};
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::Notify;

/// Handle that wakes the sweeping job; clones share it.
#[derive(Clone, Default)]
pub(crate) struct Sweeper(Arc<Waiting>);

#[derive(Default)]
struct Waiting {
    work: Notify,
    /// Indexes with new deletion marks since their marks were counted.
    marked: Mutex<BTreeSet<(StoreId, IndexId)>>,
}

impl Sweeper {
    /// Notifies the sweeper that an index was cleared or purged.
    pub fn wake(&self) {
        self.0.work.notify_one();
    }

    /// Notifies the sweeper that an index got deletion marks.
    pub fn marked(&self, store: &StoreId, index: IndexId) {
        self.0.marked.lock().insert((store.clone(), index));
        self.wake();
    }

    /// Returns an index whose deletion marks are to be counted.
    pub fn next_marked(&self) -> Option<(StoreId, IndexId)> {
        self.0.marked.lock().pop_first()
    }

    /// Waits for the next notification.
    pub async fn notified(&self) {
        self.0.work.notified().await;
    }
}
