//! The configuration interface.

mod relevance;
mod simulator;
mod stores;
