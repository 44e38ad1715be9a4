//! What shoppers searched and clicked: the search log, what it counts, and its evaluation.
//!
//! May import `snapshots`, `access` and `runtime`.

pub mod analytics;
pub mod events;
pub mod first_steps;
pub(crate) mod popular_queries;
pub mod search_log;
pub(crate) mod shop_activity;
