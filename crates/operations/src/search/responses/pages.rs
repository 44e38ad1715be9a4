//! Stable paging: the hits that a session was shown of a query, so that further pages neither repeat nor lose any while
//! the catalogue changes. A small cache in memory; without an entry, pages are cut from the current ranking.

use super::prepared::PreparedSearch;
use super::response::SearchResponse;
use crate::runtime::bounded_cache::BoundedCache;
use domain::document::DocType;
use domain::{CacheUsage, StoreId, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Milliseconds for which a query is kept after its last page.
const KEPT_MS: i64 = 10 * 60 * 1000;
/// Pages of one query that are kept; further ones are cut from the current ranking.
const PAGES_MAX: usize = 200;

/// Ids by type, of every requested type.
type ShownIds = BTreeMap<DocType, Vec<String>>;

/// Hits of earlier pages of one type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Earlier {
    /// Number of earlier pages that are known.
    pub pages: u32,
    /// Ids of their hits.
    pub shown: Vec<String>,
}

/// Hits of earlier pages, by type.
pub(crate) type EarlierPages = BTreeMap<DocType, Earlier>;

/// A query in one session: the key of its pages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SessionQueryKey {
    session: String,
    /// Everything on which the ranking depends.
    search: PreparedSearch,
}

impl SessionQueryKey {
    /// Returns the key of all pages of one query in one session.
    pub fn new(session: String, prepared: &PreparedSearch) -> Self {
        let mut search = prepared.clone();
        // These belong to one page, and do not affect the ranking.
        search.earlier = EarlierPages::new();
        search.checked.page = 1;
        search.checked.types = Vec::new();
        search.checked.facets = false;
        Self { session, search }
    }

    fn bytes(&self) -> usize {
        size_of::<String>() + self.session.len() + self.search.bytes()
    }
}

/// Cache of the pages that sessions were shown, of all stores within one bound.
pub(crate) struct Pages {
    queries: BoundedCache<StoreId, SessionQueryKey, Arc<PagedQuery>>,
}

/// The pages of one query.
#[derive(Clone)]
struct PagedQuery {
    last_used: Timestamp,
    pages: BTreeMap<u32, ShownPage>,
    bytes: usize,
}

#[derive(Clone)]
struct ShownPage {
    /// Number of the state of the store in which it was computed.
    state: u64,
    shown: Arc<ShownIds>,
    bytes: usize,
}

impl Pages {
    /// Returns an empty cache of at most `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Self {
        Self {
            queries: BoundedCache::new(bytes_max),
        }
    }

    /// Returns the fill level.
    pub fn usage(&self) -> CacheUsage {
        self.queries.usage()
    }

    /// Returns the hits of pages before `page`; none if they are unknown, or if all of them were computed in `state`,
    /// whose ranking still has them.
    pub fn earlier(
        &self,
        (store, key): (&StoreId, &SessionQueryKey),
        page: u32,
        state: u64,
        now: Timestamp,
    ) -> EarlierPages {
        let mut earlier = EarlierPages::new();
        let known = self.queries.get(store, key);
        let Some(query) = known.filter(|query| !query.is_old(now)) else {
            return earlier;
        };
        let before = || query.pages.range(..page).map(|(_, page)| page);
        if before().all(|page| page.state == state) {
            return earlier;
        }
        for (doc_type, ids) in before().flat_map(|page| page.shown.iter()) {
            let of_type = earlier.entry(*doc_type).or_default();
            of_type.pages += 1;
            of_type.shown.extend_from_slice(ids);
        }
        earlier
    }

    /// Stores the hits of a page.
    pub fn note(
        &self,
        (store, key): (&StoreId, SessionQueryKey),
        page: u32,
        shown: ShownIds,
        state: u64,
        now: Timestamp,
    ) {
        let shown = ShownPage {
            state,
            bytes: bytes(&shown),
            shown: Arc::new(shown),
        };
        let key_bytes = key.bytes();
        self.queries.remove_while(store, |query| query.is_old(now));
        self.queries.update(store, key, |former| {
            let former = former.filter(|query| !query.is_old(now));
            let mut query = former.map_or_else(|| PagedQuery::new(now), Arc::unwrap_or_clone);
            query.last_used = now;
            query.note(page, shown);
            let bytes = key_bytes + size_of::<PagedQuery>() + query.bytes;
            Some((Arc::new(query), bytes))
        });
    }
}

impl PagedQuery {
    fn new(now: Timestamp) -> Self {
        Self {
            last_used: now,
            pages: BTreeMap::new(),
            bytes: 0,
        }
    }

    fn is_old(&self, now: Timestamp) -> bool {
        now.0.saturating_sub(self.last_used.0) > KEPT_MS
    }

    fn note(&mut self, page: u32, shown: ShownPage) {
        if self.pages.len() >= PAGES_MAX && !self.pages.contains_key(&page) {
            return;
        }
        self.bytes += shown.bytes;
        if let Some(former) = self.pages.insert(page, shown) {
            self.bytes -= former.bytes;
        }
    }
}

/// Returns the bytes of a page.
fn bytes(shown: &ShownIds) -> usize {
    let ids = shown.values().flatten();
    let ids = ids.map(|id| size_of::<String>() + id.len());
    let lists = shown.len() * size_of::<(DocType, Vec<String>)>();
    size_of::<ShownPage>() + lists + ids.sum::<usize>()
}

/// Returns the ids of a response, of every type of `types`.
pub(crate) fn shown(response: &SearchResponse, types: &[DocType]) -> ShownIds {
    let products = response.products.hits.iter().map(|hit| hit.id.clone());
    let list = |hits: &super::ListHits| hits.hits.iter().map(|hit| hit.id.clone()).collect();
    let all: [(DocType, Vec<String>); 4] = [
        (DocType::Products, products.collect()),
        (DocType::Categories, list(&response.categories)),
        (DocType::Brands, list(&response.brands)),
        (DocType::Pages, list(&response.pages)),
    ];
    all.into_iter()
        .filter(|(of, _)| types.contains(of))
        .collect()
}

#[cfg(test)]
mod tests {
    //! 1. The cache is bounded by bytes; the least recently used query is evicted first, and no store displaces one
    //!    that holds less.
    //! 2. Old queries are removed.\n    //! 3. The number of pages of one query is limited.
    //! 4. All pages of a query in a session have one key, and no other query or session has it.

    use super::*;
    use domain::Language;
    use domain::search::SearchRequest;

    const NOW: Timestamp = Timestamp(1_000_000);

    fn page(ids: usize) -> ShownIds {
        BTreeMap::from([(DocType::Products, vec!["x".repeat(255); ids])])
    }

    fn prepared(q: &str) -> PreparedSearch {
        let request =
            SearchRequest::default().check(|_| Err(crate::message::value::unknown_field()));
        let mut checked = request.expect("is valid");
        checked.q = q.to_owned();
        PreparedSearch {
            language: Language::parse("es").expect("a code"),
            visitor: Arc::default(),
            checked,
            suggests: false,
            earlier: EarlierPages::new(),
        }
    }

    fn key(number: u64) -> SessionQueryKey {
        SessionQueryKey::new(number.to_string(), &prepared("q"))
    }

    #[test]
    fn all_pages_of_a_query_have_one_key() {
        let first = prepared("q");
        let mut second = first.clone();
        second.checked.page = 2;
        second.checked.facets = !first.checked.facets;
        second.checked.types = vec![DocType::Brands];
        second.earlier = EarlierPages::from([(DocType::Brands, Earlier::default())]);
        let key = |session: &str, search: &PreparedSearch| {
            SessionQueryKey::new(session.to_owned(), search)
        };
        assert_eq!(key("s", &first), key("s", &second));
        assert_ne!(key("s", &first), key("t", &first));
        assert_ne!(key("s", &first), key("s", &prepared("r")));
        second.checked.limit += 1;
        assert_ne!(key("s", &first), key("s", &second));
    }

    #[test]
    fn the_cache_is_bounded() {
        let pages = Pages::new(1 << 20);
        let (small, large) = (StoreId::from("small"), StoreId::from("large"));
        pages.note((&small, key(0)), 1, page(10), 0, NOW);
        for number in 0..1_000 {
            pages.note((&large, key(number)), 1, page(100), 0, NOW);
            pages.earlier((&large, &key(0)), 2, 1, NOW);
        }
        let usage = pages.usage();
        assert!(usage.bytes <= 1 << 20 && usage.entries > 20, "{usage:?}");
        let shown = |store, number| {
            let earlier = pages.earlier((store, &key(number)), 2, 1, NOW);
            earlier.get(&DocType::Products).map(|of| of.shown.len())
        };
        assert_eq!(shown(&small, 0), Some(10), "another store");
        assert_eq!(shown(&large, 0), Some(100), "used again and again");
        assert_eq!(shown(&large, 999), Some(100));
        assert_eq!(shown(&large, 1), None);
    }

    #[test]
    fn old_queries_are_removed() {
        let pages = Pages::new(1 << 20);
        let store = StoreId::from("s");
        pages.note((&store, key(1)), 1, page(1), 0, NOW);
        let later = Timestamp(NOW.0 + KEPT_MS + 1);
        assert!(pages.earlier((&store, &key(1)), 2, 1, later).is_empty());
        pages.note((&store, key(2)), 1, page(1), 0, later);
        assert_eq!(pages.usage().entries, 1);
    }

    #[test]
    fn the_number_of_pages_of_a_query_is_limited() {
        let pages = Pages::new(1 << 20);
        let store = StoreId::from("s");
        for number in 1..=1_000 {
            pages.note((&store, key(1)), number, page(1), 0, NOW);
            pages.note((&store, key(1)), 1, page(1), 0, NOW);
        }
        let earlier = pages.earlier((&store, &key(1)), 2_000, 1, NOW);
        let products = &earlier[&DocType::Products];
        assert_eq!((products.pages, products.shown.len()), (200, 200));
        let query = pages.queries.get(&store, &key(1)).expect("is known");
        let bytes = query.pages.values().map(|page| page.bytes);
        assert_eq!(query.bytes, bytes.sum::<usize>());
    }
}
