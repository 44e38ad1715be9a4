//! An open store: the state that searches see, and its open indexes.

use super::open_index::OpenIndex;
use super::published::Published;
use super::snapshot::StoreSnapshot;
use domain::IndexId;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// An open store. Its tasks do not own it, so every owner other than its slot is a user of the store.
pub(crate) struct OpenStore {
    published: Arc<Published>,
    indexes: Mutex<HashMap<IndexId, Arc<dyn OpenIndex>>>,
    /// Locked while an index is opened or the configuration is read, so that no newer state is overwritten by an older
    /// one. Holds the number of the last save whose configuration was published.
    pub changing: tokio::sync::Mutex<u64>,
    ending: watch::Sender<bool>,
    running: tokio::sync::Mutex<JoinSet<()>>,
}

impl OpenStore {
    /// Returns a store in its first state, without indexes that run.
    pub fn new(first: StoreSnapshot) -> Self {
        Self {
            published: Arc::new(Published::new(first)),
            indexes: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
            ending: watch::Sender::new(false),
            running: tokio::sync::Mutex::default(),
        }
    }

    /// Returns the state that searches see.
    pub fn current(&self) -> Arc<StoreSnapshot> {
        self.published.current()
    }

    /// Returns the published state, for those that update it.
    pub fn published(&self) -> &Arc<Published> {
        &self.published
    }

    /// Publishes the state that `change` returns for the current one.
    pub fn publish(&self, change: impl Fn(&StoreSnapshot) -> StoreSnapshot) {
        self.published.change(change);
    }

    /// Returns all open indexes.
    pub fn indexes(&self) -> Vec<Arc<dyn OpenIndex>> {
        self.indexes.lock().values().cloned().collect()
    }

    /// Returns whether an index is open.
    pub fn has(&self, index: IndexId) -> bool {
        self.indexes.lock().contains_key(&index)
    }

    /// Adds an index, which runs until the store is closed.
    pub async fn add(&self, index: Arc<dyn OpenIndex>) {
        self.indexes.lock().insert(index.id(), Arc::clone(&index));
        let run = index.run(Arc::clone(&self.published), self.ending.subscribe());
        self.running.lock().await.spawn(run);
    }

    /// Stops the indexes after their current batch, and waits for them.
    pub async fn end(&self) {
        self.ending.send_replace(true);
        let mut running = self.running.lock().await;
        while running.join_next().await.is_some() {}
    }
}
