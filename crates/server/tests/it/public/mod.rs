//! What store pages call.

mod search;
