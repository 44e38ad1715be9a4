//! Which terms of the index stand for the words of a query.
//!
//! Interprets the query as words, a code or a list of codes, and resolves each word to its stem, its fuzzy terms, the
//! compounds that end with it, its synonyms and the codes that it may be, with their document frequencies. What the
//! visitor may not see has no part in the interpretation. Nothing here knows what a match scores in which field.

pub mod codes;
mod compounds;
pub mod fuzzy_terms;
pub mod interpretation;
pub mod resolve;
mod substrings;
pub mod synonyms;
pub mod visible;
