//! What every path has in common.

mod bodies;
mod catalogue;
mod envelope;
mod keys;
mod order;
mod preconditions;
