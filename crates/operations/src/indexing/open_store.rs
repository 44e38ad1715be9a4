//! One open store: the state that searches see, and the tasks of its indexes.

use super::worker::IndexTask;
use crate::snapshot::StoreSnapshot;
use arc_swap::ArcSwap;
use domain::IndexId;
use domain::feed::FeedScope;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// The state of a store that searches see. The tasks of its indexes publish into it.
pub(super) struct Published(ArcSwap<StoreSnapshot>);

impl Published {
    /// Publishes a newer state of one index.
    pub fn index(&self, scope: &FeedScope, index: &Arc<dyn engine::Snapshot>) {
        self.0
            .rcu(|current| current.with_index(scope, Arc::clone(index)));
    }
}

/// One open store. Its tasks do not own it, so that who owns it beside its slot is somebody who uses it.
pub(super) struct OpenStore {
    published: Arc<Published>,
    indexes: Mutex<HashMap<IndexId, Arc<IndexTask>>>,
    /// Held while an index is opened or the configuration is read, so that no newer state is overwritten by an older.
    /// The number of the last save whose configuration was published.
    pub changing: tokio::sync::Mutex<u64>,
    ending: watch::Sender<bool>,
    running: tokio::sync::Mutex<JoinSet<()>>,
}

impl OpenStore {
    /// A store in its first state, whose tasks are yet to be added.
    pub fn new(first: StoreSnapshot) -> Self {
        Self {
            published: Arc::new(Published(ArcSwap::from_pointee(first))),
            indexes: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
            ending: watch::Sender::new(false),
            running: tokio::sync::Mutex::default(),
        }
    }

    /// The state that searches see.
    pub fn current(&self) -> Arc<StoreSnapshot> {
        self.published.0.load_full()
    }

    /// Where that state is published.
    pub fn published(&self) -> &Arc<Published> {
        &self.published
    }

    /// Publishes what `change` makes of the current state.
    pub fn publish(&self, change: impl Fn(&StoreSnapshot) -> StoreSnapshot) {
        self.published.0.rcu(|current| change(current));
    }

    /// The tasks of all its indexes.
    pub fn tasks(&self) -> Vec<Arc<IndexTask>> {
        self.indexes.lock().values().cloned().collect()
    }

    /// The task of one of its indexes.
    pub fn index(&self, index: IndexId) -> Option<Arc<IndexTask>> {
        self.indexes.lock().get(&index).cloned()
    }

    /// Adds the task of an index, which `run` runs until it is told to end.
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

    /// Has its tasks end after the batch they are at, and waits for them.
    pub async fn end(&self) {
        self.ending.send_replace(true);
        let mut running = self.running.lock().await;
        while running.join_next().await.is_some() {}
    }
}
