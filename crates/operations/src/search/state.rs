//! `SearchState`: what a service keeps in memory about searches.

use super::impact::ImpactSlots;
use super::responses::{Pages, ResponseCache};
use super::scheduler::Searches;
use crate::runtime::running_total::RunningTotal;
use std::sync::Arc;
use std::time::Duration;

/// Default bound of the response cache in bytes.
const RESPONSE_BYTES_MAX: usize = 128 * 1024 * 1024;
/// Default bound of the cache of shown pages in bytes.
const PAGE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Bounds of the caches of a service in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimits {
    /// Responses to searches, of all stores.
    pub responses: usize,
    /// Ids that shoppers' sessions were shown, of all stores.
    pub pages: usize,
}

impl Default for MemoryLimits {
    fn default() -> Self {
        Self {
            responses: RESPONSE_BYTES_MAX,
            pages: PAGE_BYTES_MAX,
        }
    }
}

/// What a service keeps in memory about searches.
pub(crate) struct SearchState {
    /// Whose turn it is.
    pub scheduler: Searches,
    /// Responses to searches.
    pub responses: Arc<ResponseCache>,
    /// Ids that shoppers' sessions were shown.
    pub pages: Pages,
    /// How many impacts are measured at once.
    pub impacts: ImpactSlots,
    /// How long a search takes that is logged; none is without it.
    pub slow_after: Option<Duration>,
    /// Searches whose response was in the cache.
    pub cache_hits: RunningTotal,
    /// Searches whose response was computed.
    pub cache_misses: RunningTotal,
}

impl SearchState {
    /// Returns the state of a service that has executed no search; it executes `at_once` of them at once, or two per core,
    /// and logs those that take `slow_after` or longer.
    pub fn new(memory: MemoryLimits, at_once: Option<usize>, slow_after: Option<Duration>) -> Self {
        Self {
            scheduler: at_once.map_or_else(Searches::of_this_machine, Searches::new),
            responses: Arc::new(ResponseCache::new(memory.responses)),
            pages: Pages::new(memory.pages),
            impacts: ImpactSlots::default(),
            slow_after,
            cache_hits: RunningTotal::default(),
            cache_misses: RunningTotal::default(),
        }
    }
}
