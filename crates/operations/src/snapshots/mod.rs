//! The states of stores that searches read.
//!
//! May import `runtime`.

pub(crate) mod compiled;
pub(crate) mod open_store;
pub(crate) mod opening;
pub mod snapshot;
pub(crate) mod states;
pub(crate) mod stores;
pub(crate) mod warming;
