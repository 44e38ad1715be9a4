//! What a request's JSON must be: read strictly, checked against the schema of its type, then turned into the type.

mod beyond;
mod checker;
mod number;
mod path;
mod reason;
pub mod schema;
pub mod strict_json;

pub use checker::Checker;
