//! Closes stores: those that nobody uses when too many indexes are open, removed ones, and all at the end.

use super::open_store::OpenStore;
use super::serving::Serving;
use domain::{IndexId, StoreId};
use std::sync::Arc;

impl Serving {
    /// Closes the least recently used stores in the background while too many indexes are open.
    pub fn close_surplus(self: &Arc<Self>) {
        if self.stores.exceeds_limit() {
            let inner = Arc::clone(self);
            tokio::spawn(async move { inner.close_unused().await });
        }
    }

    async fn close_unused(&self) {
        let _closing = self.stores.closing.lock().await;
        for (id, slot) in self.stores.by_use() {
            if !self.stores.exceeds_limit() || self.closing.has_begun() {
                return;
            }
            let Ok(_turning) = slot.transition.try_lock() else {
                continue;
            };
            if let Some(unused) = slot.take_unused(is_idle) {
                unused.end().await;
                self.stores.forget(&unused);
                tracing::debug!(store = %id, "an idle store was closed to make room for others");
            }
        }
    }

    /// Closes one store, even if it is used, and waits for its indexes; returns the numbers of those.
    pub async fn close_one(&self, id: &StoreId) -> Vec<IndexId> {
        let slot = self.stores.used(id);
        let _turning = slot.transition.lock().await;
        let Some(open) = slot.take() else {
            return Vec::new();
        };
        open.end().await;
        self.stores.forget(&open);
        open.indexes().iter().map(|index| index.id()).collect()
    }

    /// Closes all stores and waits for their indexes.
    pub async fn close_all(&self) {
        let _closing = self.stores.closing.lock().await;
        for (_, slot) in self.stores.by_use() {
            if let Some(open) = slot.take() {
                open.end().await;
            }
        }
    }
}

/// Returns whether no work of a store is in progress.
fn is_idle(open: &OpenStore) -> bool {
    open.indexes().iter().all(|index| index.is_idle())
}
