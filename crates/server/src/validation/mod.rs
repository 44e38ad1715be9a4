//! Validation of JSON inputs: parsed strictly, checked against the schema of their type, then converted to the type.

pub mod block_json;
mod checker;
mod number;
mod path;
mod reason;
mod scan;
pub mod schema;
mod semantic;
pub mod strict_json;
mod surrogates;
mod walk;

pub use checker::Checker;
