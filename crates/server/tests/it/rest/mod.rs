//! The configuration API.

mod advice;
mod analytics;
mod configuration;
mod drafts;
mod dry_runs;
mod filters;
mod gate;
mod notes;
mod previews;
mod products;
mod relevance;
mod revisions;
mod rules;
mod simulator;
mod stores;
mod synonyms;
mod trials;
mod tuning;
mod widget;
