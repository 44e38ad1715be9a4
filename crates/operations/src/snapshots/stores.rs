//! The open stores, by their last use.

use super::open_store::OpenStore;
use domain::{IndexId, StoreId};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Slots of all stores that were ever used, and the numbers of the open indexes.
pub(crate) struct Stores {
    slots: Mutex<HashMap<StoreId, Arc<Slot>>>,
    indexes: Mutex<HashSet<IndexId>>,
    /// Most indexes that stay open; exceeded while they have work or one store has more.
    indexes_max: usize,
    /// Counts the uses of all stores, by which they are ordered.
    uses: AtomicU64,
    /// Locked while stores are closed.
    pub closing: tokio::sync::Mutex<()>,
}

/// The slot of one store, open or not.
#[derive(Default)]
pub(crate) struct Slot {
    open: Mutex<Option<Arc<OpenStore>>>,
    last_use: AtomicU64,
    /// Counts the saves of its configuration.
    saves: AtomicU64,
    /// Locked while the store is opened or closed, so that an index never has two tasks.
    pub transition: tokio::sync::Mutex<()>,
}

impl Slot {
    /// Returns the store if it is open.
    pub fn opened(&self) -> Option<Arc<OpenStore>> {
        self.open.lock().clone()
    }

    /// Returns how often its configuration was saved since the start.
    pub fn saves(&self) -> u64 {
        self.saves.load(Ordering::SeqCst)
    }

    /// Puts an opened store into the slot.
    pub fn keep(&self, open: &Arc<OpenStore>) {
        *self.open.lock() = Some(Arc::clone(open));
    }

    /// Takes the store out if it is unused and `idle`.
    pub fn take_unused(&self, idle: impl Fn(&OpenStore) -> bool) -> Option<Arc<OpenStore>> {
        let mut held = self.open.lock();
        // While the slot is locked, only another owner could create a new one.
        held.take_if(|open| Arc::strong_count(open) == 1 && idle(open))
    }

    /// Takes the store out, even if it is used.
    pub fn take(&self) -> Option<Arc<OpenStore>> {
        self.open.lock().take()
    }
}

impl Stores {
    /// Returns an empty set with at most `indexes_max` idle open indexes.
    pub fn new(indexes_max: usize) -> Self {
        Self {
            slots: Mutex::default(),
            indexes: Mutex::default(),
            indexes_max,
            uses: AtomicU64::new(0),
            closing: tokio::sync::Mutex::default(),
        }
    }

    /// Counts an index that was opened.
    pub fn note(&self, index: IndexId) {
        self.indexes.lock().insert(index);
    }

    /// Removes the indexes of a store that was closed.
    pub fn forget(&self, closed: &OpenStore) {
        let mut indexes = self.indexes.lock();
        for index in closed.indexes() {
            indexes.remove(&index.id());
        }
    }

    /// Returns a store if it is open, without marking it as used.
    pub fn opened(&self, store: &StoreId) -> Option<Arc<OpenStore>> {
        let slot = self.slots.lock().get(store).cloned();
        slot?.opened()
    }

    /// Returns the ids of the open stores.
    pub fn all_opened(&self) -> Vec<StoreId> {
        let slots = self.slots.lock();
        let opened = slots.iter().filter(|(_, slot)| slot.opened().is_some());
        opened.map(|(id, _)| id.clone()).collect()
    }

    /// Counts a save of a store's configuration, also for a task that is opening the store; returns its number, from 1.
    pub fn note_save(&self, store: &StoreId) -> u64 {
        let slot = Arc::clone(self.slots.lock().entry(store.clone()).or_default());
        slot.saves.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Returns the slot of a store and marks it as used.
    pub fn used(&self, store: &StoreId) -> Arc<Slot> {
        let slot = Arc::clone(self.slots.lock().entry(store.clone()).or_default());
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        slot.last_use.store(now, Ordering::Relaxed);
        slot
    }

    /// Returns all slots, the least recently used first.
    pub fn by_use(&self) -> Vec<(StoreId, Arc<Slot>)> {
        let slots = self.slots.lock();
        let mut slots: Vec<_> = slots
            .iter()
            .map(|(id, slot)| (id.clone(), Arc::clone(slot)))
            .collect();
        slots.sort_by_cached_key(|(_, slot)| slot.last_use.load(Ordering::Relaxed));
        slots
    }

    /// Returns whether the limit of open indexes is reached.
    pub fn is_full(&self) -> bool {
        self.indexes.lock().len() >= self.indexes_max
    }

    /// Returns whether the limit of open indexes is exceeded.
    pub fn exceeds_limit(&self) -> bool {
        self.indexes.lock().len() > self.indexes_max
    }

    /// Returns the number of open indexes.
    pub fn open_indexes(&self) -> usize {
        self.indexes.lock().len()
    }
}
