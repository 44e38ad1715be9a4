//! What a request's JSON must be: read strictly, checked against the schema of its type, then turned into the type.

mod beyond;
pub mod block_json;
mod checker;
mod number;
mod path;
mod reason;
mod scan;
pub mod schema;
pub mod strict_json;
mod walk;

pub use checker::Checker;
