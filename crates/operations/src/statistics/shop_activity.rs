//! When pages of a shop and its searches were last seen: by the minute in memory, pages by the hour in storage.

use crate::Service;
use domain::{Permit, StoreId, Timestamp, access};
use lru::LruCache;
use parking_lot::Mutex;
use std::num::NonZeroUsize;

/// Stores that are remembered; the least recently seen is forgotten.
const STORES_MAX: NonZeroUsize = NonZeroUsize::new(10_000).expect("not zero");
/// A store is written at most once in this time.
const WRITTEN_EVERY_MS: i64 = 3_600_000;

/// What was last seen of one shop.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ShopSeen {
    /// Its pages.
    pub page: Option<Timestamp>,
    /// A search that counts.
    pub search: Option<Timestamp>,
    written: Option<Timestamp>,
}

/// What was last seen of each shop.
pub(crate) struct ShopActivity(Mutex<LruCache<StoreId, ShopSeen>>);

impl Default for ShopActivity {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(STORES_MAX)))
    }
}

impl ShopActivity {
    /// Returns what this process has seen of a shop.
    pub fn of(&self, store: &StoreId) -> ShopSeen {
        self.0.lock().get(store).copied().unwrap_or_default()
    }

    /// Notes a search that counts.
    pub fn searched(&self, store: &StoreId, now: Timestamp) {
        let mut shops = self.0.lock();
        shops
            .get_or_insert_mut(store.clone(), ShopSeen::default)
            .search = Some(now);
    }

    /// Notes a page; returns whether that is to be written now.
    fn seen(&self, store: &StoreId, now: Timestamp) -> bool {
        let mut shops = self.0.lock();
        let shop = shops.get_or_insert_mut(store.clone(), ShopSeen::default);
        shop.page = Some(now);
        let is_due = shop
            .written
            .is_none_or(|at| now.0 - at.0 >= WRITTEN_EVERY_MS);
        if is_due {
            shop.written = Some(now);
        }
        is_due
    }

    /// A write failed: the next page tries it again.
    fn not_written(&self, store: &StoreId) {
        if let Some(shop) = self.0.lock().get_mut(store) {
            shop.written = None;
        }
    }
}

/// Notes that a page of the permitted store was seen. Nobody waits for the write, of which there is one an hour.
pub(crate) fn page_seen(service: &Service, permit: &Permit<access::Search>) {
    let now = service.clock.now();
    if !service.activity.seen(permit.store(), now) {
        return;
    }
    let (service, permit) = (service.clone(), permit.clone());
    tokio::spawn(async move {
        if let Err(error) = service.storage.save_pages_seen(&permit, now).await {
            service.activity.not_written(permit.store());
            tracing::warn!(store = %permit.store(), ?error, "that pages were seen is not stored");
        }
    });
}

#[cfg(test)]
mod tests {
    //! 1. A store is written once an hour, and again at once after a failure.

    use super::*;

    #[test]
    fn a_store_is_written_once_an_hour() {
        let shops = ShopActivity::default();
        let store = StoreId::from("s1");
        assert!(shops.seen(&store, Timestamp(0)));
        assert!(!shops.seen(&store, Timestamp(WRITTEN_EVERY_MS - 1)));
        assert_eq!(shops.of(&store).page, Some(Timestamp(WRITTEN_EVERY_MS - 1)));
        assert!(shops.seen(&store, Timestamp(WRITTEN_EVERY_MS)));
        shops.not_written(&store);
        assert!(shops.seen(&store, Timestamp(WRITTEN_EVERY_MS + 1)));
        assert!(shops.seen(&"s2".into(), Timestamp(0)));
    }
}
