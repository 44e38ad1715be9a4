//! `Shared`: what the tasks of all indexes share.

use super::batches::BatchSizes;
use super::distrusted::Distrusted;
use super::progress::Progress;
use super::writers::Writers;
use crate::runtime::closing::Closing;
use crate::snapshots::Snapshots;
use domain::StoreId;
use engine::Engine;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use storage::{Storage, Turn, Turns};
use tokio::sync::RwLock;

/// Most batches that are applied at the same time.
const CONCURRENT_BATCHES_MAX: usize = 2;

/// What the tasks of all indexes share.
pub(super) struct Shared {
    pub storage: Storage,
    pub engine: Arc<dyn Engine>,
    /// Who writes an index that several servers share.
    pub writers: Writers,
    /// The stores whose indexes are open.
    pub snapshots: Snapshots,
    pub progress: Box<dyn Progress>,
    /// Turns to apply a batch, by store.
    turns: Turns<StoreId>,
    pub batches: BatchSizes,
    /// Documents that the engine has rejected since the start, counted each time.
    pub rejected: Arc<AtomicU64>,
    /// Locked for reading while an index is opened, so that closing can wait for it.
    pub opening: RwLock<()>,
    pub closing: Closing,
    /// Closed indexes of another past of the database.
    pub distrusted: Distrusted,
}

impl Shared {
    /// Returns what the tasks share at the start, when there are none.
    pub fn new(
        (storage, engine, writers): (Storage, Arc<dyn Engine>, Writers),
        snapshots: Snapshots,
        progress: Box<dyn Progress>,
        batches: BatchSizes,
        closing: Closing,
    ) -> Self {
        Self {
            storage,
            engine,
            writers,
            snapshots,
            progress,
            turns: Turns::new(CONCURRENT_BATCHES_MAX),
            batches,
            rejected: Arc::default(),
            opening: RwLock::default(),
            closing,
            distrusted: Distrusted::default(),
        }
    }

    /// Waits for the turn of `store` to apply a batch.
    pub async fn turn(&self, store: &StoreId) -> Turn<StoreId> {
        self.turns.take(store.clone()).await
    }
}
