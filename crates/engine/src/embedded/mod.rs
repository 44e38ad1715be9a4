//! The embedded engine: tantivy's storage of postings, with an executor of our own over them.
//!
//! Why tantivy's query objects are not composed is told in `docs/adr/0004-one-scoring-executor.md`.

mod averages;
mod block_cache;
mod cards;
mod checksums;
mod code_grams;
mod copying;
mod damage;
mod endings;
mod engine;
mod executor;
mod fingerprint;
pub(crate) mod frequency;
mod fuzzy_terms;
mod generations;
mod index;
mod leftovers;
mod lengths;
mod memo;
mod merging;
mod payload;
mod scale;
mod schema;
mod segment;
mod snapshot;
mod static_scores;
mod succession;
mod term_postings;
pub(crate) mod tokens;
mod vocabulary;

pub use engine::EmbeddedEngine;
pub use memo::MemoUsage;
