//! How relevance is measured on queries that nobody had to judge: samples of a catalogue and the measures of what a search
//! returns for them. Queries are a pure function of catalogue and seed; the caller runs them.

pub mod choices;
pub mod generated;
pub mod known_items;
pub mod noise;
pub mod product_names;
pub mod suggestions;
