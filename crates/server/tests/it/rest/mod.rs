//! The configuration API.

mod analytics;
mod filters;

mod relevance;
mod revisions;
mod rules;
mod simulator;
mod stores;
mod synonyms;
mod tuning;
mod widget;
