//! What a response hands over to the search log.

use super::SearchResponse;
use crate::statistics::search_log::Searched;
use domain::analytics::Surface;
use domain::{Language, StoreId};

impl SearchResponse {
    /// Returns a search without query, session and filters, with the outcome that this response shows. It does not
    /// count.
    pub(crate) fn logged<'a>(&self, store: &'a StoreId, language: &'a Language) -> Searched<'a> {
        Searched {
            store,
            language,
            surface: Surface::Search,
            q: "",
            session: None,
            counts: false,
            takes_events: false,
            correction_of: None,
            found: self.products.total,
            words_found: self
                .words
                .iter()
                .all(|word| word.stop || word.found == Some(true)),
            filtered: false,
            redirected: self.redirect.is_some(),
            anonymous: false,
        }
    }
}
