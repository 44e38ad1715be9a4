//! Posting lists of one state of an index, and what is read beside them.
//!
//! Bit sets over a block of doc ids, cursors over posting lists, phrases by position, the view of a segment with its
//! lengths and dictionaries, look-ups of terms, and the memo tables of what was read. Nothing here knows what a document
//! scores, or why a term is looked up.

pub mod bits;
pub mod cursor;
mod endings;
pub mod forms;
pub mod frequency;
mod fuzzy_sources;
pub mod lengths;
pub mod lookups;
pub mod norms;
pub mod phrase_field;
pub mod phrase_postings;
mod posting_blocks;
pub mod posting_sources;
pub mod segment;
pub mod segment_memos;
pub mod term_postings;
pub mod text_index;
pub mod vocabulary;
