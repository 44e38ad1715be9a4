//! `SearchRecord`: what a search hands over to the search log.

use super::query_id::Visit;
use domain::analytics::Surface;
use domain::{Language, StoreId, Timestamp};

/// A search as the log counts it. It holds no address, browser or session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SearchRecord {
    /// The store.
    pub store: StoreId,
    /// Language of the search.
    pub language: Language,
    /// Where the shopper searched.
    pub surface: Surface,
    /// The logged text; empty for browsing.
    pub text: String,
    /// Keyed digest of language and text.
    pub digest: i64,
    /// The visit, if the search had a session.
    pub visit: Option<Visit>,
    /// Time of the search.
    pub at: Timestamp,
    /// Products found.
    pub found: u64,
    /// Whether each word of the query was found.
    pub words_found: bool,
    /// Whether it had filters.
    pub filtered: bool,
    /// Whether a rule redirected it.
    pub redirected: bool,
    /// Whether it had no visitor token.
    pub anonymous: bool,
    /// Whether its query was proposed in place of that of its visit: it only ends the folding of that one.
    pub is_correction: bool,
}

impl SearchRecord {
    /// Returns whether the search found nothing although nothing but the query restricted it.
    pub fn is_without_results(&self) -> bool {
        self.found == 0 && !self.filtered && !self.redirected
    }

    /// Returns whether the query may be suggested after this search; `None` if the search does not tell.
    pub fn offered(&self) -> Option<bool> {
        (self.anonymous && !self.filtered).then_some(self.found > 0 && self.words_found)
    }
}
