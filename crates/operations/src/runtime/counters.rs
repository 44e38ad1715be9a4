//! Counters of what a running service has done since it started.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counters since the service started.
#[derive(Clone, Default)]
pub(crate) struct ServiceCounters(Arc<AtomicCounters>);

#[derive(Default)]
struct AtomicCounters {
    cache_hits: AtomicU64,
    cache_misses: AtomicU64,
    accepted: AtomicU64,
    stale: AtomicU64,
    rejected: AtomicU64,
}

/// Totals since the service started.
pub(crate) struct Totals {
    /// Searches that were answered from the cache.
    pub cache_hits: u64,
    /// Searches that were computed.
    pub cache_misses: u64,
    /// Documents of the feed that were accepted.
    pub accepted: u64,
    /// Documents of the feed that were older than the stored ones.
    pub stale: u64,
    /// Documents of the feed that were rejected.
    pub rejected: u64,
}

impl ServiceCounters {
    /// Returns the current totals.
    pub fn totals(&self) -> Totals {
        Totals {
            cache_hits: total(&self.0.cache_hits),
            cache_misses: total(&self.0.cache_misses),
            accepted: total(&self.0.accepted),
            stale: total(&self.0.stale),
            rejected: total(&self.0.rejected),
        }
    }

    /// Counts a search.
    pub fn searched(&self, from_memory: bool) {
        let counter = match from_memory {
            true => &self.0.cache_hits,
            false => &self.0.cache_misses,
        };
        add(counter, 1);
    }

    /// Counts the documents of a block.
    pub fn fed(&self, accepted: usize, stale: usize, rejected: usize) {
        add(&self.0.accepted, accepted);
        add(&self.0.stale, stale);
        add(&self.0.rejected, rejected);
    }
}

// The totals are independent of each other, so no ordering between them is needed.
fn add(counter: &AtomicU64, count: usize) {
    counter.fetch_add(count as u64, Ordering::Relaxed);
}

fn total(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}
