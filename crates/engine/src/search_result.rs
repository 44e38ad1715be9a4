//! The result of a search.

use crate::card::Card;
use domain::document::price::PriceField;
use domain::search::FilterField;
use query::Breakdown;
use query::highlight::HighlightTerms;
use std::sync::Arc;

/// The result of a search in an index.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// Number of documents found on all pages.
    pub total: u64,
    /// The hits of the page.
    pub hits: Vec<Hit>,
    /// The facets, if requested.
    pub facets: Vec<Facet>,
    /// A report on each word, in the order of the plan.
    pub words: Vec<WordReport>,
    /// Whether the whole query is a code of the index; determined only for explained hits or in a reference mode.
    pub is_code: bool,
    /// Whether the query was interpreted as a list of codes, so that each item is a word.
    pub is_list: bool,
    /// The terms to highlight in names.
    pub highlight: HighlightTerms,
    /// The state of each pin, in the order of the plan.
    pub pins: Vec<PinState>,
}

/// The state of a pinned product in the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinState {
    /// It is among the first hits.
    Shown,
    /// It does not exist.
    Unknown,
    /// The visitor may not see it, or it cannot be ordered.
    Unavailable,
    /// It does not match a selected filter or the filter of a rule.
    Filtered,
}

/// What the search found for a word.
#[derive(Clone, Debug, PartialEq)]
pub struct WordReport {
    /// Whether the word, a fuzzy match or a longer word was found.
    pub found: bool,
    /// Number of documents that contain the word itself.
    pub documents: u64,
}

/// A hit.
#[derive(Clone, Debug)]
pub struct Hit {
    /// Id of the document in the shop.
    pub id: String,
    /// The score; 0 where hits are in another order than by relevance.
    pub score: f64,
    /// The card; empty when cards were not requested.
    pub card: Card,
    /// The current numbers.
    pub numbers: HitNumbers,
    /// The breakdown of the score, if requested.
    pub breakdown: Option<Breakdown>,
}

/// The numbers of a hit, with the visitor's price.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of the feed")]
pub struct HitNumbers {
    pub price: Option<f64>,
    pub original_price: Option<f64>,
    pub price_field: Option<PriceField>,
    pub currency: Option<String>,
    pub in_stock: bool,
    pub rating: Option<f64>,
    pub rating_count: Option<f64>,
}

/// The counted values of one field.
#[derive(Clone, Debug, PartialEq)]
pub struct Facet {
    /// The field.
    pub field: FilterField,
    /// Name of its group in the documents; empty for a field without a group.
    pub group: String,
    /// The values, the most frequent first; empty for a range.
    pub values: Vec<FacetValue>,
    /// The requested groups, in order; empty for automatic facets.
    pub groups: Vec<FacetGroup>,
    /// Minimum and maximum of a range.
    pub range: Option<(f64, f64)>,
}

/// Several values of a facet that are counted as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetGroup {
    /// Label of the first of its values that the index contains.
    pub label: Option<Arc<str>>,
    /// Number of products with any of the values.
    pub count: u64,
}

/// A value of a facet.
#[derive(Clone, Debug, PartialEq)]
pub struct FacetValue {
    /// Id by which it is selected.
    pub id: Arc<str>,
    /// Label.
    pub label: Arc<str>,
    /// Number of products with the value.
    pub count: u64,
    /// Whether it is selected.
    pub selected: bool,
}
