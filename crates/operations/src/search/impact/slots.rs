//! `ImpactSlots`: how many impacts are measured at once, one of each store and two in all.

use domain::StoreId;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Impacts that a process measures at once.
const AT_ONCE: usize = 2;
/// How long an impact waits for its place.
const PATIENCE: Duration = Duration::from_secs(2);

/// The places of a process. A store has an entry while it measures or waits.
pub(crate) struct ImpactSlots {
    all: Arc<Semaphore>,
    stores: Arc<Mutex<HashMap<StoreId, Arc<Semaphore>>>>,
}

/// A place, until it is dropped.
pub(crate) struct ImpactSlot {
    _held: (OwnedSemaphorePermit, OwnedSemaphorePermit),
    _entry: StoreEntry,
}

/// The entry of a store, which goes with its last holder.
struct StoreEntry {
    stores: Arc<Mutex<HashMap<StoreId, Arc<Semaphore>>>>,
    store: StoreId,
    own: Arc<Semaphore>,
}

/// References to the semaphore of a store with a single holder that measures nothing any more: the table, and the holder.
const LAST: usize = 2;

impl Drop for StoreEntry {
    fn drop(&mut self) {
        let mut stores = self.stores.lock();
        if Arc::strong_count(&self.own) <= LAST {
            stores.remove(&self.store);
        }
    }
}

impl Default for ImpactSlots {
    fn default() -> Self {
        Self {
            all: Arc::new(Semaphore::new(AT_ONCE)),
            stores: Arc::default(),
        }
    }
}

impl ImpactSlots {
    /// Takes a place for `store`; `None` if there is none within two seconds.
    pub async fn take(&self, store: &StoreId) -> Option<ImpactSlot> {
        self.take_within(store, PATIENCE).await
    }

    /// Takes a place for `store`; `None` if there is none within this time.
    pub async fn take_within(&self, store: &StoreId, patience: Duration) -> Option<ImpactSlot> {
        let own = {
            let mut stores = self.stores.lock();
            let own = stores.entry(store.clone());
            Arc::clone(own.or_insert_with(|| Arc::new(Semaphore::new(1))))
        };
        let entry = StoreEntry {
            stores: Arc::clone(&self.stores),
            store: store.clone(),
            own: Arc::clone(&own),
        };
        let taking = async {
            let of_store = own.acquire_owned().await.ok()?;
            let of_all = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some((of_store, of_all))
        };
        let held = timeout(patience, taking).await.ok().flatten()?;
        Some(ImpactSlot {
            _held: held,
            _entry: entry,
        })
    }
}

#[cfg(test)]
mod tests {
    //! 1. A store measures one impact at once, all stores two; who waits too long gets no place, and no entry stays.

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn places_are_few() {
        let places = ImpactSlots::default();
        let [a, b, c] = ["a", "b", "c"].map(StoreId::from);
        let first = places.take(&a).await.expect("a place");
        assert!(places.take(&a).await.is_none());
        let second = places.take(&b).await.expect("a place");
        assert!(places.take(&c).await.is_none());
        drop(first);
        let third = places.take(&a).await;
        assert!(third.is_some());
        drop((second, third));
        assert!(places.stores.lock().is_empty());
    }
}
