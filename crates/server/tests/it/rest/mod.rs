//! The configuration interface.

mod levers;
mod relevance;
mod revisions;
mod rules;
mod simulator;
mod stores;
mod synonyms;
