//! The k best documents: which ones match, and what they score, one block of doc ids at a time.
//!
//! Clauses say by which posting lists a word matches and scores. Upper bounds decide what of a block is read, the
//! accumulator adds scores up, and the heap keeps the best; before the score come tiers of codes and the pins of rules,
//! after it the cutoff. Documents are passed to a collector, of which only the trait is known here.

pub mod access_memos;
pub mod alternatives;
mod block_cache;
mod block_pruning;
mod boosts;
mod candidates;
pub mod clauses;
pub mod collector;
mod cutoff;
mod few_candidates;
pub mod filters;
pub mod heap;
pub mod phrase;
mod pins;
pub mod rules;
mod scan;
mod score_accumulator;
pub mod scoring_cursor;
pub mod segment_plan;
mod single_clauses;
pub mod snapshot;
pub mod static_scores;
pub mod succession;
pub mod task;
mod text_clauses;
mod tiers;
mod upper_bounds;
pub mod walk;
mod word;
