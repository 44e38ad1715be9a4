//! What a search finds.

use crate::card::Card;
use domain::document::price::PriceField;
use domain::search::FilterField;
use query::Breakdown;
use query::highlight::HighlightTerms;
use std::sync::Arc;

/// The answer of an index.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// Documents found, whatever the page.
    pub total: u64,
    /// The hits of the page.
    pub hits: Vec<Hit>,
    /// Facets, when they were asked for.
    pub facets: Vec<Facet>,
    /// What became of the words, in the order of the plan.
    pub words: Vec<WordReport>,
    /// Whether the whole question is a code of the index; known where hits are explained or codes have a mode.
    pub is_code: bool,
    /// Whether the question was read as a list of codes, so that each of its parts is a word.
    pub is_list: bool,
    /// What a name is marked by.
    pub marks: HighlightTerms,
    /// What became of the pins, in the order of the plan.
    pub pins: Vec<PinState>,
}

/// What became of a product that is to come before all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinState {
    /// It comes before the others.
    Shown,
    /// No such product.
    Unknown,
    /// The visitor may not see it, or it cannot be ordered.
    Unavailable,
    /// It does not pass what was chosen, or the filter of a rule.
    Filtered,
}

/// What became of one word.
#[derive(Clone, Debug, PartialEq)]
pub struct WordReport {
    /// Whether it, a typo of it or a longer word was found.
    pub found: bool,
    /// Documents that hold it as such.
    pub documents: u64,
}

/// One hit.
#[derive(Clone, Debug)]
pub struct Hit {
    /// Id of the shop.
    pub id: String,
    /// Its score.
    pub score: f64,
    /// What a card shows; empty when no cards were wanted.
    pub card: Card,
    /// Its numbers at this moment.
    pub numbers: HitNumbers,
    /// Why it has its score, when that was asked for.
    pub breakdown: Option<Breakdown>,
}

/// The numbers of a hit, with the price of the visitor.
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
    /// What documents call its group; empty for a field with a name of its own.
    pub group: String,
    /// Its values, the commonest first; empty for a range.
    pub values: Vec<FacetValue>,
    /// The groups that were asked for, in their order; empty for automatic facets.
    pub groups: Vec<FacetGroup>,
    /// Lowest and highest value of a range.
    pub range: Option<(f64, f64)>,
}

/// Several values of a facet that count as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetGroup {
    /// Text of the first of its values that the index knows.
    pub label: Option<Arc<str>>,
    /// Products that have any of them.
    pub count: u64,
}

/// One value of a facet.
#[derive(Clone, Debug, PartialEq)]
pub struct FacetValue {
    /// Id by which it is chosen.
    pub id: Arc<str>,
    /// Its text.
    pub label: Arc<str>,
    /// Products that have it.
    pub count: u64,
    /// Whether the shopper chose it.
    pub selected: bool,
}
