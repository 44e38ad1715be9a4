//! Popular queries of stores, as suggestions: lists in memory that are made anew every five minutes.

use super::text;
use crate::runtime::bounded_cache::BoundedCache;
use domain::analytics::HiddenQueries;
use domain::{CacheUsage, Language, StoreId, Timestamp};
use parking_lot::Mutex;
use query::analysis::unaccented;
use std::collections::HashSet;
use std::sync::Arc;
use storage::analytics::PopularQuery;
use tokio::sync::Semaphore;

/// Milliseconds after which a list is made anew.
const FRESH_MS: i64 = 5 * 60 * 1_000;
/// Days whose searches count.
pub(crate) const POPULAR_DAYS: i64 = 30;
/// Queries of a list.
pub(crate) const POPULAR_MAX: u32 = 1_000;
/// Bytes of the lists of all stores.
const BYTES_MAX: usize = 32 * 1024 * 1024;

/// The popular queries of one store and language, the most searched first.
#[derive(Clone, Debug)]
pub(crate) struct PopularList {
    made: Timestamp,
    queries: Arc<[PopularText]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct PopularText {
    text: String,
    folded: String,
}

impl PopularList {
    /// Returns the list of what may be suggested of `popular`.
    pub fn new(popular: Vec<PopularQuery>, hidden: &HiddenQueries, made: Timestamp) -> Self {
        let hidden: HashSet<String> = hidden.queries.iter().map(|text| folded(text)).collect();
        let texts = popular.into_iter().map(|popular| popular.query);
        let queries = texts
            .filter(|query| text::may_be_suggested(query))
            .map(|text| PopularText {
                folded: folded(&text),
                text,
            });
        Self {
            made,
            queries: queries
                .filter(|query| !hidden.contains(&query.folded))
                .collect(),
        }
    }

    /// Returns the first `limit` queries in which a word starts with `q`; all for an empty `q`.
    pub fn matching(&self, q: &str, limit: usize) -> Vec<String> {
        let prefix = folded(q);
        let inner = format!(" {prefix}");
        let matching = self
            .queries
            .iter()
            .filter(|query| query.folded.starts_with(&prefix) || query.folded.contains(&inner));
        matching
            .take(limit)
            .map(|query| query.text.clone())
            .collect()
    }

    fn is_fresh(&self, now: Timestamp) -> bool {
        (0..FRESH_MS).contains(&now.0.saturating_sub(self.made.0))
    }

    fn bytes(&self) -> usize {
        let texts = self
            .queries
            .iter()
            .map(|query| query.text.len() + query.folded.len());
        texts.sum::<usize>() + self.queries.len() * size_of::<PopularText>()
    }
}

fn folded(text: &str) -> String {
    unaccented(text::cut(&text::unified(text)))
}

/// The lists of all stores.
pub(crate) struct PopularQueries {
    lists: BoundedCache<StoreId, Language, PopularList>,
    refreshing: Mutex<HashSet<(StoreId, Language)>>,
    /// Lists are made one after the other, so that they take little from searches.
    turn: Semaphore,
}

impl Default for PopularQueries {
    fn default() -> Self {
        Self {
            lists: BoundedCache::new(BYTES_MAX),
            refreshing: Mutex::default(),
            turn: Semaphore::new(1),
        }
    }
}

impl PopularQueries {
    /// Returns the latest list, if there is one, and whether the caller has to make it anew.
    pub fn get(
        &self,
        store: &StoreId,
        language: &Language,
        now: Timestamp,
    ) -> (Option<PopularList>, bool) {
        let list = self.lists.get(store, language);
        if list.as_ref().is_some_and(|list| list.is_fresh(now)) {
            return (list, false);
        }
        let is_first = self
            .refreshing
            .lock()
            .insert((store.clone(), language.clone()));
        (list, is_first)
    }

    /// Waits for the turn to make a list.
    ///
    /// Errors: never, because the turn is never closed.
    pub async fn turn(
        &self,
    ) -> Result<tokio::sync::SemaphorePermit<'_>, tokio::sync::AcquireError> {
        self.turn.acquire().await
    }

    /// Ends making a list; without one the former stays.
    pub fn set(&self, store: &StoreId, language: &Language, list: Option<PopularList>) {
        if let Some(list) = list {
            let bytes = list.bytes();
            self.lists.insert(store, language.clone(), list, bytes);
        }
        self.refreshing
            .lock()
            .remove(&(store.clone(), language.clone()));
    }

    /// Drops the lists of a store.
    pub fn forget(&self, store: &StoreId) {
        self.lists.remove_owner(store);
    }

    /// Returns the fill level.
    pub fn usage(&self) -> CacheUsage {
        self.lists.usage()
    }
}

#[cfg(test)]
mod tests {
    //! 1. A query is suggested for the prefix of any of its words, whatever case and accents, the most searched first.
    //! 2. Personal and hidden ones are not. 3. A list is made anew after five minutes, by one caller.

    use super::*;

    fn list(texts: &[&str], hidden: &[&str]) -> PopularList {
        let popular = texts.iter().map(|text| PopularQuery {
            query: (*text).to_owned(),
            searches: 9,
        });
        let queries = hidden.iter().map(|text| (*text).to_owned()).collect();
        PopularList::new(popular.collect(), &HiddenQueries { queries }, Timestamp(0))
    }

    #[test]
    fn words_are_found_by_their_prefixes() {
        let list = list(
            &[
                "tienda roja",
                "camión rojo",
                "rojo",
                "a@b.es",
                "Ñu",
                "secreto",
            ],
            &[" SECRETO "],
        );
        assert_eq!(
            list.matching("ROJ", 9),
            ["tienda roja", "camión rojo", "rojo"]
        );
        assert_eq!(list.matching("rój", 2), ["tienda roja", "camión rojo"]);
        assert_eq!(list.matching("camion  ro", 9), ["camión rojo"]);
        assert_eq!(list.matching("", 9), ["tienda roja", "camión rojo", "rojo"]);
        assert!(list.matching("oja", 9).is_empty() && list.matching("secreto", 9).is_empty());
    }

    #[test]
    fn one_caller_makes_a_list_anew() {
        let (popular, store, es) = (
            PopularQueries::default(),
            StoreId::from("s1"),
            Language::spanish(),
        );
        let get = |at| {
            let (list, refresh) = popular.get(&store, &es, Timestamp(at));
            (list.is_some(), refresh)
        };
        assert_eq!((get(0), get(0)), ((false, true), (false, false)));
        popular.set(&store, &es, Some(list(&["rojo"], &[])));
        assert_eq!((get(0), get(FRESH_MS - 1)), ((true, false), (true, false)));
        assert_eq!(
            (get(FRESH_MS), get(FRESH_MS)),
            ((true, true), (true, false))
        );
        popular.set(&store, &es, None);
        popular.forget(&store);
        assert_eq!(get(0), (false, true));
    }
}
