//! `UnknownKeys`: ids of keys that storage does not know.

use crate::runtime::bounded_cache::BoundedCache;
use domain::CacheUsage;
use domain::KeyId;

/// Bytes of unknown ids that are cached.
const BYTES_MAX: usize = 1024 * 1024;

/// Cache of key ids that storage does not know. Ids are random, so none of them becomes known later.
pub(crate) struct UnknownKeys(BoundedCache<(), KeyId, ()>);

impl Default for UnknownKeys {
    fn default() -> Self {
        Self(BoundedCache::new(BYTES_MAX))
    }
}

impl UnknownKeys {
    /// Returns whether the id is known to be unknown.
    pub fn contains(&self, id: &KeyId) -> bool {
        self.0.get(&(), id).is_some()
    }

    /// Adds an id that storage does not know.
    pub fn insert(&self, id: KeyId) {
        let bytes = size_of::<KeyId>() + id.0.len();
        self.0.insert(&(), id, (), bytes);
    }

    /// Returns how much the cache holds.
    pub fn usage(&self) -> CacheUsage {
        self.0.usage()
    }
}
