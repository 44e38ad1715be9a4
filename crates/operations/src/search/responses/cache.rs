//! Cache of search responses of all stores, each valid for the state of a store in which it was computed.

use super::prepared::PreparedSearch;
use super::response::SearchResponse;
use crate::runtime::bounded_cache::BoundedCache;
use crate::search::scheduler::SharedComputations;
use domain::CacheUsage;
use std::sync::Arc;

/// Longest search in bytes that is cached; a longer one is unlikely to be repeated.
const KEY_BYTES_MAX: usize = 4_096;

/// The compressed form of a response may take this fraction of its bytes; at the fastest level it takes about a quarter.
const COMPRESSED_SHARE: usize = 2;

/// Everything on which a response depends: the state of the store, which rules are in effect, and the search.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ResponseKey {
    /// Number of the state.
    pub state: u64,
    /// Number of the period in which the same rules are in effect.
    pub period: usize,
    /// The search.
    pub search: Arc<PreparedSearch>,
}

/// The responses of all states of all stores, within one bound.
pub(crate) struct ResponseCache {
    responses: BoundedCache<u64, ResponseKey, Arc<SearchResponse>>,
    /// Responses that are being computed.
    pub in_flight: SharedComputations<ResponseKey, Arc<SearchResponse>>,
}

impl ResponseCache {
    /// Returns an empty cache of at most `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Self {
        Self {
            responses: BoundedCache::new(bytes_max),
            in_flight: SharedComputations::default(),
        }
    }

    /// Returns the fill level.
    pub fn usage(&self) -> CacheUsage {
        self.responses.usage()
    }

    /// Returns the cached response to a search.
    pub fn get(&self, key: &ResponseKey) -> Option<Arc<SearchResponse>> {
        self.responses.get(&key.state, key)
    }

    /// Caches a response, unless its search is too long. The caller still holds the state.
    pub fn insert(&self, key: ResponseKey, response: Arc<SearchResponse>) {
        let bytes = key.search.bytes();
        if bytes <= KEY_BYTES_MAX {
            let compressed = response.bytes() / COMPRESSED_SHARE;
            response.compression.reserve(compressed);
            let (state, bytes) = (key.state, bytes + response.bytes() + compressed);
            self.responses.insert(&state, key, response, bytes);
        }
    }

    /// Removes the responses of a state that was dropped.
    pub fn remove_state(&self, state: u64) {
        self.responses.remove_owner(&state);
    }
}

#[cfg(test)]
mod tests {
    //! 1. Responses are removed with their state, and no other state has them.

    use super::super::pages::EarlierPages;
    use super::*;
    use crate::snapshots::states::{State, States};
    use domain::Language;
    use domain::search::SearchRequest;

    fn key(state: &State, q: &str) -> ResponseKey {
        let request =
            SearchRequest::default().check(|_| Err(crate::message::value::unknown_field()));
        let mut checked = request.expect("is valid");
        checked.q = q.to_owned();
        let search = PreparedSearch {
            language: Language::parse("es").expect("a code"),
            visitor: Arc::default(),
            checked,
            suggests: false,
            earlier: EarlierPages::new(),
        };
        ResponseKey {
            state: state.number(),
            period: 0,
            search: Arc::new(search),
        }
    }

    #[test]
    fn responses_are_removed_with_their_state() {
        let cache = Arc::new(ResponseCache::new(1 << 20));
        let responses = Arc::clone(&cache);
        let first = State::new(&States::new(move |state| responses.remove_state(state)));
        cache.insert(key(&first, "a"), Arc::default());
        cache.insert(key(&first, &"a".repeat(KEY_BYTES_MAX)), Arc::default());
        assert!(cache.get(&key(&first, "a")).is_some() && cache.get(&key(&first, "b")).is_none());
        let next = first.next();
        assert!(cache.get(&key(&next, "a")).is_none());
        assert_eq!(cache.usage().entries, 1, "the long one is not cached");
        drop(first);
        assert_eq!((cache.usage().entries, cache.usage().bytes), (0, 0));
    }
}
