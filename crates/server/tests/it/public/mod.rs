//! What store pages call.

mod filters;
mod search;
