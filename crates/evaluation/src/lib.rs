//! How relevance is measured, on queries that people judged and on samples of a catalogue that nobody had to judge. Samples
//! are a pure function of catalogue and seed; the caller reads files and runs queries.

pub mod choices;
pub mod generated;
pub mod judgements;
pub mod known_items;
pub mod metrics;
pub mod noise;
pub mod product_names;
pub mod suggestions;
