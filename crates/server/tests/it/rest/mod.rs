//! The configuration interface.

mod levers;
mod relevance;
mod simulator;
mod stores;
