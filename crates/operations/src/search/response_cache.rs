//! Cache of search responses of all stores, each valid for the state of a store in which it was computed.

use super::compute::PreparedSearch;
use super::response::SearchResponse;
use crate::bounded_cache::{BoundedCache, CacheUsage};
use crate::searches::SharedComputations;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Longest search in bytes that is cached; a longer one is unlikely to be repeated.
const KEY_BYTES_MAX: usize = 4_096;

/// Everything on which a response depends besides the state of the store: the search, and which rules are in effect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ResponseKey {
    /// Number of the period in which the same rules are in effect.
    pub period: usize,
    /// The search.
    pub search: Arc<PreparedSearch>,
}

/// The responses of all states of all stores, within one bound.
pub(crate) struct ResponseCache {
    responses: BoundedCache<u64, ResponseKey, Arc<SearchResponse>>,
    states: AtomicU64,
}

/// The responses of one state of a store; dropped together with it.
pub(crate) struct StateResponses {
    cache: Arc<ResponseCache>,
    state: u64,
    /// Responses that are being computed.
    pub in_flight: SharedComputations<ResponseKey, Arc<SearchResponse>>,
}

impl ResponseCache {
    /// Returns an empty cache of at most `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Self {
        Self {
            responses: BoundedCache::new(bytes_max),
            states: AtomicU64::new(0),
        }
    }

    /// Returns the fill level.
    pub fn usage(&self) -> CacheUsage {
        self.responses.usage()
    }
}

impl StateResponses {
    /// Returns the empty responses of a new state.
    pub fn new(cache: &Arc<ResponseCache>) -> Self {
        Self {
            cache: Arc::clone(cache),
            state: cache.states.fetch_add(1, Ordering::Relaxed),
            in_flight: SharedComputations::default(),
        }
    }

    /// Returns the empty responses of the next state.
    pub fn next(&self) -> Self {
        Self::new(&self.cache)
    }

    /// Returns the number of the state, unique in this process.
    pub fn state(&self) -> u64 {
        self.state
    }

    /// Returns the cached response to a search.
    pub fn get(&self, key: &ResponseKey) -> Option<Arc<SearchResponse>> {
        self.cache.responses.get(&self.state, key)
    }

    /// Caches a response, unless its search is too long.
    pub fn insert(&self, key: ResponseKey, response: Arc<SearchResponse>) {
        let bytes = key.search.bytes();
        if bytes <= KEY_BYTES_MAX {
            let bytes = bytes + response.bytes();
            self.cache
                .responses
                .insert(&self.state, key, response, bytes);
        }
    }
}

impl Drop for StateResponses {
    fn drop(&mut self) {
        self.cache.responses.remove_owner(&self.state);
    }
}

#[cfg(test)]
mod tests {
    //! 1. Responses are dropped together with their state, and no other state has them.

    use super::super::pages::EarlierPages;
    use super::*;
    use domain::Language;
    use domain::search::SearchRequest;

    fn key(q: &str) -> ResponseKey {
        let request = SearchRequest::default().check(|_| Err(String::new()));
        let mut checked = request.expect("is valid");
        checked.q = q.to_owned();
        let search = PreparedSearch {
            language: Language::parse("es").expect("a code"),
            visitor: Arc::default(),
            checked,
            earlier: EarlierPages::new(),
        };
        ResponseKey {
            period: 0,
            search: Arc::new(search),
        }
    }

    #[test]
    fn responses_are_dropped_with_their_state() {
        let cache = Arc::new(ResponseCache::new(1 << 20));
        let first = StateResponses::new(&cache);
        first.insert(key("a"), Arc::default());
        first.insert(key(&"a".repeat(KEY_BYTES_MAX)), Arc::default());
        assert!(first.get(&key("a")).is_some() && first.get(&key("b")).is_none());
        let next = first.next();
        assert!(next.get(&key("a")).is_none());
        assert_eq!(cache.usage().entries, 1, "the long one is not cached");
        drop(first);
        assert_eq!((cache.usage().entries, cache.usage().bytes), (0, 0));
    }
}
