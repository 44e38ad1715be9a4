//! The operations as the faces show them.

pub mod row;
