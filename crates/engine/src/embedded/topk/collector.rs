//! What a search passes its matching documents to, before they are ranked.

use crate::Request;
use crate::columns::{Dictionary, View};

/// Applies the filters of a request to matching documents, and collects those that facets count.
pub trait Collector: Sized {
    /// Returns the collector of `request`.
    fn new(request: &Request, dictionary: &Dictionary) -> Self;

    /// Returns a collector that applies the filters of `request` and collects nothing.
    fn of_choices(request: &Request, dictionary: &Dictionary) -> Self;

    /// Whether documents must be passed to the collector: without filters and facets, all of them pass.
    fn is_needed(&self) -> bool;

    /// Whether a document, which matches the query and is visible, passes all filters. Records it if a facet counts it.
    fn passes(&mut self, ordinal: u32, view: &View<'_>) -> bool;
}
