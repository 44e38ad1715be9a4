//! What an index holds on disk, and how documents become that.
//!
//! An analysed document becomes terms with positions, codes, prefixes and a card, which tantivy writes as segments. The
//! files here know the schema, the encodings of terms and frequencies, the files of cards, and the folders of an index
//! with its generations, merges, checksums and commits. They know nothing of queries.

pub mod averages;
pub mod cards;
pub mod checksums;
pub mod code_grams;
pub mod copying;
pub mod damage;
pub mod document_terms;
pub mod fingerprint;
pub mod frequency;
pub mod generations;
pub mod leftovers;
pub mod merging;
pub mod payload;
pub mod schema;
pub mod seen_terms;
mod tokens;
