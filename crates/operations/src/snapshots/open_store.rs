//! An open store: the state that searches see, and the tasks of its indexes.

use crate::indexing::worker::IndexTask;
use crate::snapshots::snapshot::StoreSnapshot;
use arc_swap::ArcSwap;
use domain::IndexId;
use domain::feed::FeedScope;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// The state of a store that searches see. The tasks of its indexes update it.
pub(crate) struct Published(ArcSwap<StoreSnapshot>);

impl Published {
    /// Publishes a new state of one index.
    pub fn index(&self, scope: &FeedScope, index: &Arc<dyn engine::Snapshot>) {
        self.0
            .rcu(|current| current.with_index(scope, Arc::clone(index)));
    }
}

/// An open store. Its tasks do not own it, so every owner other than its slot is a user of the store.
pub(crate) struct OpenStore {
    published: Arc<Published>,
    indexes: Mutex<HashMap<IndexId, Arc<IndexTask>>>,
    /// Locked while an index is opened or the configuration is read, so that no newer state is overwritten by an older
    /// one. Holds the number of the last save whose configuration was published.
    pub changing: tokio::sync::Mutex<u64>,
    ending: watch::Sender<bool>,
    running: tokio::sync::Mutex<JoinSet<()>>,
}

impl OpenStore {
    /// Returns a store in its first state, without tasks.
    pub fn new(first: StoreSnapshot) -> Self {
        Self {
            published: Arc::new(Published(ArcSwap::from_pointee(first))),
            indexes: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
            ending: watch::Sender::new(false),
            running: tokio::sync::Mutex::default(),
        }
    }

    /// Returns the state that searches see.
    pub fn current(&self) -> Arc<StoreSnapshot> {
        self.published.0.load_full()
    }

    /// Returns the published state, for tasks that update it.
    pub fn published(&self) -> &Arc<Published> {
        &self.published
    }

    /// Publishes the state that `change` returns for the current one.
    pub fn publish(&self, change: impl Fn(&StoreSnapshot) -> StoreSnapshot) {
        self.published.0.rcu(|current| change(current));
    }

    /// Returns the tasks of all indexes.
    pub fn tasks(&self) -> Vec<Arc<IndexTask>> {
        self.indexes.lock().values().cloned().collect()
    }

    /// Returns the task of one index.
    pub fn index(&self, index: IndexId) -> Option<Arc<IndexTask>> {
        self.indexes.lock().get(&index).cloned()
    }

    /// Adds the task of an index, which `run` runs until the store is closed.
    pub async fn add<R>(
        &self,
        task: Arc<IndexTask>,
        run: impl FnOnce(Arc<IndexTask>, Arc<Published>, watch::Receiver<bool>) -> R,
    ) where
        R: Future<Output = ()> + Send + 'static,
    {
        self.indexes.lock().insert(task.id(), Arc::clone(&task));
        let run = run(task, Arc::clone(&self.published), self.ending.subscribe());
        self.running.lock().await.spawn(run);
    }

    /// Stops the tasks after their current batch, and waits for them.
    pub async fn end(&self) {
        self.ending.send_replace(true);
        let mut running = self.running.lock().await;
        while running.join_next().await.is_some() {}
    }
}
