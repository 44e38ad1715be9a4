//! What a query means in an index.

pub mod code_order;
