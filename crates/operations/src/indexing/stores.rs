//! Which stores are open, and which of them was used least recently.

use super::open_store::OpenStore;
use super::worker::IndexTask;
use domain::{IndexId, StoreId};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// All stores that were ever asked for, and the tasks of their open indexes.
pub(super) struct Stores {
    slots: Mutex<HashMap<StoreId, Arc<Slot>>>,
    indexes: Mutex<HashMap<IndexId, Arc<IndexTask>>>,
    /// Indexes that may be open at once; more are while they have work or one store has more.
    indexes_max: usize,
    /// Counts the uses of all stores, so that the least recent one is known.
    uses: AtomicU64,
    /// Held by whoever closes stores, one after the other.
    pub closing: tokio::sync::Mutex<()>,
}

/// The place of one store, open or not.
#[derive(Default)]
pub(super) struct Slot {
    open: Mutex<Option<Arc<OpenStore>>>,
    last_use: AtomicU64,
    /// Counts the saves of its configuration.
    saves: AtomicU64,
    /// Held while the store is opened or closed, so that an index never has two tasks.
    pub turning: tokio::sync::Mutex<()>,
}

impl Slot {
    /// The store, if it is open.
    pub fn opened(&self) -> Option<Arc<OpenStore>> {
        self.open.lock().clone()
    }

    /// How often its configuration was saved since the start.
    pub fn saves(&self) -> u64 {
        self.saves.load(Ordering::SeqCst)
    }

    /// Keeps the store that was opened.
    pub fn keep(&self, open: &Arc<OpenStore>) {
        *self.open.lock() = Some(Arc::clone(open));
    }

    /// Takes the store out if `idle` says so and nobody uses it.
    pub fn take_unused(&self, idle: impl Fn(&OpenStore) -> bool) -> Option<Arc<OpenStore>> {
        let mut held = self.open.lock();
        // While the slot is locked, an owner could only come of another owner.
        held.take_if(|open| Arc::strong_count(open) == 1 && idle(open))
    }

    /// Takes the store out, whoever uses it.
    pub fn take(&self) -> Option<Arc<OpenStore>> {
        self.open.lock().take()
    }
}

impl Stores {
    /// No open stores, and never more than `indexes_max` open indexes without need.
    pub fn new(indexes_max: usize) -> Self {
        Self {
            slots: Mutex::default(),
            indexes: Mutex::default(),
            indexes_max,
            uses: AtomicU64::new(0),
            closing: tokio::sync::Mutex::default(),
        }
    }

    /// The task of an open index.
    pub fn find(&self, index: IndexId) -> Option<Arc<IndexTask>> {
        self.indexes.lock().get(&index).cloned()
    }

    /// Notes the task of an index that was opened.
    pub fn note(&self, task: &Arc<IndexTask>) {
        self.indexes.lock().insert(task.id(), Arc::clone(task));
    }

    /// Forgets the indexes of a store that was closed.
    pub fn forget(&self, closed: &OpenStore) {
        let mut indexes = self.indexes.lock();
        for task in closed.tasks() {
            indexes.remove(&task.id());
        }
    }

    /// A store, if it is open; that is no use of it.
    pub fn opened(&self, store: &StoreId) -> Option<Arc<OpenStore>> {
        let slot = self.slots.lock().get(store).cloned();
        slot?.opened()
    }

    /// Notes that the configuration of a store was saved, for whoever is opening it, and numbers the save, from 1.
    pub fn note_save(&self, store: &StoreId) -> u64 {
        let slot = Arc::clone(self.slots.lock().entry(store.clone()).or_default());
        slot.saves.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// The place of a store, which is used now.
    pub fn used(&self, store: &StoreId) -> Arc<Slot> {
        let slot = Arc::clone(self.slots.lock().entry(store.clone()).or_default());
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        slot.last_use.store(now, Ordering::Relaxed);
        slot
    }

    /// All places, that of the store used least recently first.
    pub fn by_use(&self) -> Vec<(StoreId, Arc<Slot>)> {
        let slots = self.slots.lock();
        let mut slots: Vec<_> = slots
            .iter()
            .map(|(id, slot)| (id.clone(), Arc::clone(slot)))
            .collect();
        slots.sort_by_cached_key(|(_, slot)| slot.last_use.load(Ordering::Relaxed));
        slots
    }

    /// Whether no further index may be open without need.
    pub fn are_full(&self) -> bool {
        self.indexes.lock().len() >= self.indexes_max
    }

    /// Whether more indexes are open than may be.
    pub fn are_too_many(&self) -> bool {
        self.indexes.lock().len() > self.indexes_max
    }

    /// Number of open indexes.
    pub fn open_indexes(&self) -> usize {
        self.indexes.lock().len()
    }
}
