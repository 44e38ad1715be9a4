//! The embedded engine: tantivy stores the postings, and our own executor reads them.
//!
//! `docs/adr/0004-one-scoring-executor.md` explains why tantivy's query objects are not used.

mod engine;
mod expand;
mod explain;
mod facets;
mod index;
mod memo;
mod postings;
mod scale;
mod search;
mod topk;
mod write;

pub use engine::EmbeddedEngine;
