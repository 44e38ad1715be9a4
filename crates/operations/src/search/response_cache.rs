//! Answers that are remembered, those of all stores together, each for the one state of a store that it was computed in.

use super::compute::PreparedSearch;
use super::response::SearchResponse;
use crate::bounded_cache::{BoundedCache, CacheUsage};
use crate::searches::SharedComputations;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a query that is worth remembering; a longer one is hardly asked twice.
const KEY_BYTES_MAX: usize = 4_096;

/// Everything that decides an answer beside the state of the store: the query, and which rules are in effect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ResponseKey {
    /// The stretch of time in which the same rules are in effect.
    pub stretch: usize,
    /// The query.
    pub asked: Arc<PreparedSearch>,
}

/// The answers of all states of all stores, within one bound.
pub(crate) struct ResponseCache {
    answers: BoundedCache<u64, ResponseKey, Arc<SearchResponse>>,
    states: AtomicU64,
}

/// The answers of one state of a store; they go with it.
pub(crate) struct StateResponses {
    cache: Arc<ResponseCache>,
    state: u64,
    /// Those that are being computed.
    pub together: SharedComputations<ResponseKey, Arc<SearchResponse>>,
}

impl ResponseCache {
    /// No answers yet, and never more than `bytes_max` bytes of them.
    pub fn new(bytes_max: usize) -> Self {
        Self {
            answers: BoundedCache::new(bytes_max),
            states: AtomicU64::new(0),
        }
    }

    /// How much it holds.
    pub fn usage(&self) -> CacheUsage {
        self.answers.usage()
    }
}

impl StateResponses {
    /// Those of a new state: none.
    pub fn new(cache: &Arc<ResponseCache>) -> Self {
        Self {
            cache: Arc::clone(cache),
            state: cache.states.fetch_add(1, Ordering::Relaxed),
            together: SharedComputations::default(),
        }
    }

    /// Those of the next state: none.
    pub fn of_next(&self) -> Self {
        Self::new(&self.cache)
    }

    /// Number of the state; no other one of this process has it.
    pub fn state(&self) -> u64 {
        self.state
    }

    /// The remembered answer to a query.
    pub fn get(&self, key: &ResponseKey) -> Option<Arc<SearchResponse>> {
        self.cache.answers.get(&self.state, key)
    }

    /// Remembers an answer, unless its query is too long.
    pub fn insert(&self, key: ResponseKey, answer: Arc<SearchResponse>) {
        let bytes = key.asked.bytes();
        if bytes <= KEY_BYTES_MAX {
            let bytes = bytes + answer.bytes();
            self.cache.answers.insert(&self.state, key, answer, bytes);
        }
    }
}

impl Drop for StateResponses {
    fn drop(&mut self) {
        self.cache.answers.remove_owner(&self.state);
    }
}

#[cfg(test)]
mod tests {
    //! 1. The answers of a state go with it, and no other state has them.

    use super::super::pages::EarlierPages;
    use super::*;
    use domain::Language;
    use domain::search::SearchRequest;

    fn key(q: &str) -> ResponseKey {
        let request = SearchRequest::default().check(|_| Err(String::new()));
        let mut checked = request.expect("is valid");
        checked.q = q.to_owned();
        let asked = PreparedSearch {
            language: Language::parse("es").expect("a code"),
            visitor: Arc::default(),
            checked,
            earlier: EarlierPages::new(),
        };
        ResponseKey {
            stretch: 0,
            asked: Arc::new(asked),
        }
    }

    #[test]
    fn answers_go_with_their_state() {
        let cache = Arc::new(ResponseCache::new(1 << 20));
        let first = StateResponses::new(&cache);
        first.insert(key("a"), Arc::default());
        first.insert(key(&"a".repeat(KEY_BYTES_MAX)), Arc::default());
        assert!(first.get(&key("a")).is_some() && first.get(&key("b")).is_none());
        let next = first.of_next();
        assert!(next.get(&key("a")).is_none());
        assert_eq!(cache.usage().entries, 1, "the long one is not kept");
        drop(first);
        assert_eq!((cache.usage().entries, cache.usage().bytes), (0, 0));
    }
}
