//! The embedded engine: tantivy stores the postings, and our own executor reads them.
//!
//! `docs/adr/0004-one-scoring-executor.md` explains why tantivy's query objects are not used.

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
