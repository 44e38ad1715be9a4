//! Facets: how many of the found documents have which value.
//!
//! Implements the collector of the search, which applies the filters and keeps what is counted. Faceting is disjunctive:
//! a facet ignores the filter of its own field. Documents are counted at the end, field by field, for the requested
//! facets or for the automatic ones. Nothing here knows scores.

mod automatic;
pub mod collector;
mod counted;
mod parallel;
mod ranges;
mod requested;
mod selected;
mod value_counts;
