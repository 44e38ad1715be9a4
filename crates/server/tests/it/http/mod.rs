//! What every path has in common.

mod attempts;
mod bodies;
mod bounds;
mod catalogue;
mod connections;
mod description;
mod envelope;
mod keys;
mod metrics;
mod order;
mod preconditions;
mod rates;
mod readiness;
mod records;
mod slow;
