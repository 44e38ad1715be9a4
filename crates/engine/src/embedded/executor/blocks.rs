//! Where a cursor takes its documents from: blocks of postings, or documents that a query has found before.

use std::sync::Arc;
use tantivy::DocId;
use tantivy::postings::BlockSegmentPostings;

/// Blocks of documents, always forward.
#[expect(
    clippy::large_enum_variant,
    reason = "a search holds few of them, and the large one is read in its innermost loops"
)]
pub enum Blocks {
    /// A posting list.
    Postings(BlockSegmentPostings),
    /// Sorted documents, as one block; without them when it has been passed.
    Documents(Arc<[DocId]>, bool),
}

impl Blocks {
    /// The documents of the current block; none at the end.
    pub fn docs(&self) -> &[DocId] {
        match self {
            Self::Postings(postings) => postings.docs(),
            Self::Documents(documents, false) => documents,
            Self::Documents(_, true) => &[],
        }
    }

    /// Number of documents in the current block.
    pub fn block_len(&self) -> usize {
        self.docs().len()
    }

    /// How often the document at `at` of the block holds the term.
    #[inline]
    pub fn freq(&self, at: usize) -> u32 {
        match self {
            Self::Postings(postings) => postings.freq(at),
            Self::Documents(..) => 1,
        }
    }

    /// Goes on to the next block.
    pub fn advance(&mut self) {
        match self {
            Self::Postings(postings) => postings.advance(),
            Self::Documents(_, passed) => *passed = true,
        }
    }

    /// Goes on to the block that holds the first document at or after `target`; its place in that block.
    pub fn seek(&mut self, target: DocId) -> usize {
        match self {
            Self::Postings(postings) => postings.seek(target),
            Self::Documents(..) => self.docs().partition_point(|document| *document < target),
        }
    }

    /// Number of documents in all blocks.
    pub fn doc_freq(&self) -> u32 {
        match self {
            Self::Postings(postings) => postings.doc_freq(),
            Self::Documents(documents, _) => documents.len() as u32,
        }
    }
}
