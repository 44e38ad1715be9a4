//! The configuration API.

mod filters;
mod levers;
mod relevance;
mod revisions;
mod rules;
mod simulator;
mod stores;
mod synonyms;
mod widget;
