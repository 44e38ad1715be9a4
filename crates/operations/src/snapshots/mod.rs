//! The states of stores that searches read.
//!
//! May import `runtime`.

pub(crate) mod compiled;
pub mod snapshot;
pub(crate) mod states;
