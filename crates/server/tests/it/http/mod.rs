//! What every path has in common.

mod attempts;
mod bodies;
mod catalogue;
mod envelope;
mod keys;
mod metrics;
mod order;
mod preconditions;
mod rates;
mod slow;
