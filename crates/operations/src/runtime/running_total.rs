//! `RunningTotal`: a total since the service started.

use std::sync::atomic::{AtomicU64, Ordering};

/// A total that any thread may add to. Totals are independent of each other, so no ordering between them is needed.
#[derive(Default)]
pub(crate) struct RunningTotal(AtomicU64);

impl RunningTotal {
    /// Adds `count`.
    pub fn add(&self, count: usize) {
        self.0.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Returns the total.
    pub fn total(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
