//! `PreparedSearch`: a search as the response cache knows it.

use super::pages::EarlierPages;
use domain::Language;
use domain::search::CheckedSearch;
use domain::visitor::Visitor;
use std::sync::Arc;

/// A checked search of a resolved visitor. It is the key of the response cache.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PreparedSearch {
    /// Language of the query.
    pub language: Language,
    /// The shopper.
    pub visitor: Arc<Visitor>,
    /// The checked request.
    pub checked: CheckedSearch,
    /// Whether its hits are suggestions for a query that is being typed.
    pub suggests: bool,
    /// Hits of earlier pages of the session, if the catalogue has changed since.
    pub earlier: EarlierPages,
}

impl PreparedSearch {
    /// Returns its approximate size in bytes.
    pub fn bytes(&self) -> usize {
        let earlier = self.earlier.values().flat_map(|earlier| &earlier.shown);
        let earlier = earlier.map(|id| size_of::<String>() + id.len());
        size_of::<Self>() + self.visitor.bytes() + self.checked.bytes() + earlier.sum::<usize>()
    }
}
