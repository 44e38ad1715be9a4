//! What every path has in common.

mod attempts;
mod bodies;
mod catalogue;
mod description;
mod envelope;
mod keys;
mod metrics;
mod order;
mod preconditions;
mod rates;
mod records;
mod slow;
