//! The memo tables of a segment: what searches computed about its terms and phrases, whatever its deletions.

use super::fuzzy_sources::FuzzyTermCache;
use super::phrase_postings::PhraseCache;
use super::term_postings::TermPostingsCache;
use crate::embedded::memo::MemoBudget;
use std::sync::Arc;

/// The memo tables of one segment, shared by all states of the index that contain it.
pub struct SegmentMemos {
    /// Posting lists of terms, with their upper bounds.
    pub term_postings: TermPostingsCache,
    /// Posting sources of fuzzy terms.
    pub fuzzy_terms: FuzzyTermCache,
    /// Documents that contain phrases.
    pub phrases: PhraseCache,
}

impl SegmentMemos {
    /// Empty tables within the budget `memos`.
    pub fn new(memos: &Arc<MemoBudget>) -> Self {
        Self {
            term_postings: TermPostingsCache::new(memos),
            fuzzy_terms: FuzzyTermCache::new(memos),
            phrases: PhraseCache::new(memos),
        }
    }
}
