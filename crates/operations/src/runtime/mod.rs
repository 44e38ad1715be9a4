//! What every other folder stands on: clock, ids, seal, caches, counters and background tasks.
//!
//! Imports no other folder.

pub(crate) mod background;
pub(crate) mod bounded_cache;
pub mod clock;
pub(crate) mod closing;
pub(crate) mod content_hash;
pub(crate) mod ids;
pub(crate) mod minute_counters;
pub(crate) mod running_total;
pub(crate) mod seal;
pub(crate) mod single_flight;
pub mod traces;
pub(crate) mod workers;
