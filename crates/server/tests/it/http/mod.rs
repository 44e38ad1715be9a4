//! What every path has in common.

mod bodies;
mod envelope;
mod keys;
mod order;
