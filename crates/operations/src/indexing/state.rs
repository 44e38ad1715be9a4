//! `IndexingState`: the tasks of the open indexes, with what they share.

use super::following::Following;
use super::shared::Shared;
use super::worker::IndexTask;
use crate::OperationError;
use crate::snapshots::open_index::OpenIndex;
use crate::snapshots::open_store::OpenStore;
use domain::{IndexId, StoreId};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use storage::{IndexRow, Turns};

/// The tasks of the open indexes, with what they share.
pub(super) struct IndexingState {
    pub shared: Arc<Shared>,
    /// Owned by their open stores.
    tasks: Mutex<HashMap<IndexId, Weak<IndexTask>>>,
    /// One rebuild runs at a time.
    pub rebuilding: Turns<StoreId>,
    /// What was heard of other servers on the database.
    pub following: Following,
}

impl IndexingState {
    /// Returns a state without tasks.
    pub fn new(shared: Shared) -> Self {
        Self {
            shared: Arc::new(shared),
            tasks: Mutex::default(),
            rebuilding: Turns::new(1),
            following: Following::default(),
        }
    }

    /// Opens an index; its task is found as long as its store is open.
    pub async fn open(
        &self,
        row: &IndexRow,
        partial: bool,
        known: bool,
    ) -> Result<Arc<IndexTask>, OperationError> {
        let task = Arc::new(IndexTask::open(&self.shared, row, partial, known).await?);
        let mut tasks = self.tasks.lock();
        tasks.retain(|_, task| task.strong_count() > 0);
        tasks.insert(task.id(), Arc::downgrade(&task));
        Ok(task)
    }

    /// Returns the task of an open index.
    pub fn find(&self, index: IndexId) -> Option<Arc<IndexTask>> {
        self.tasks.lock().get(&index)?.upgrade()
    }

    /// Returns the tasks of all open indexes.
    pub fn all(&self) -> Vec<Arc<IndexTask>> {
        self.tasks
            .lock()
            .values()
            .filter_map(Weak::upgrade)
            .collect()
    }

    /// Wakes the task of an index; opens the index if it is new. Returns its store, which stays open as long as the
    /// caller owns it.
    pub async fn wake(
        &self,
        store: &StoreId,
        index: IndexId,
    ) -> Result<Arc<OpenStore>, OperationError> {
        let open = self.shared.snapshots.open_index(store, index).await?;
        if let Some(task) = self.find(index) {
            task.wake();
        }
        Ok(open)
    }
}
