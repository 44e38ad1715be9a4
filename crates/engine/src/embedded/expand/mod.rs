//! The terms of the index that stand for the words of a query, with their posting lists.
//!
//! Looks up what the crate `query` must know to interpret a query and to decide what its words mean: document
//! frequencies, fuzzy terms, stems with a given ending, codes and synonyms, and which codes the visitor may see. Keeps
//! the posting lists of the terms that were decided on. Nothing here knows what a match scores in which field.

pub mod codes;
mod compounds;
mod fuzzy_terms;
mod index_lookups;
pub mod resolve;
pub mod spellings;
mod substrings;
pub mod synonyms;
pub mod visible;
pub mod visible_codes;
pub mod visible_words;
pub mod words;
