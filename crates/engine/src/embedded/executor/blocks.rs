//! Where a cursor takes its documents from: blocks of postings on disk, or what was read or found before.

use super::super::frequency::Frequency;
use std::sync::Arc;
use tantivy::DocId;
use tantivy::postings::BlockSegmentPostings;

/// Blocks of documents, always forward.
pub enum Blocks {
    /// A posting list. It lies apart, for it is large and lists are moved about.
    Stored(Box<BlockSegmentPostings>),
    /// A posting list in memory, as one block; without it when it has been passed.
    Short(Arc<Postings>, bool),
    /// Sorted documents, in the same way.
    Documents(Arc<[DocId]>, bool),
}

/// A posting list in memory.
#[derive(Debug, Default)]
pub struct Postings {
    /// Documents, in order.
    pub documents: Vec<DocId>,
    /// What tells how often each of them holds the term (see [`Frequency`]).
    pub frequencies: Vec<u32>,
}

impl Postings {
    /// Bytes of memory that its documents and frequencies take.
    pub fn bytes(&self) -> usize {
        (self.documents.capacity() + self.frequencies.capacity()) * size_of::<u32>()
    }
}

impl Blocks {
    /// The documents of the current block; none at the end.
    pub fn docs(&self) -> &[DocId] {
        match self {
            Self::Stored(postings) => postings.docs(),
            Self::Short(postings, false) => &postings.documents,
            Self::Documents(documents, false) => documents,
            Self::Short(_, true) | Self::Documents(_, true) => &[],
        }
    }

    /// Number of documents in the current block.
    pub fn block_len(&self) -> usize {
        self.docs().len()
    }

    /// How often the document at `at` of the block holds the term.
    #[inline]
    pub fn frequency(&self, at: usize) -> Frequency {
        Frequency::of_place(self.frequencies(), at)
    }

    /// What tells the frequencies of the documents of the current block; nothing where the list has none.
    pub fn frequencies(&self) -> &[u32] {
        match self {
            Self::Stored(postings) => postings.freqs(),
            Self::Short(postings, false) => &postings.frequencies,
            Self::Short(_, true) | Self::Documents(..) => &[],
        }
    }

    /// Goes on to the next block.
    pub fn advance(&mut self) {
        match self {
            Self::Stored(postings) => postings.advance(),
            Self::Short(_, passed) | Self::Documents(_, passed) => *passed = true,
        }
    }

    /// Goes on to the block that holds the first document at or after `target`; its place in that block.
    pub fn seek(&mut self, target: DocId) -> usize {
        match self {
            Self::Stored(postings) => postings.seek(target),
            Self::Short(..) | Self::Documents(..) => {
                self.docs().partition_point(|document| *document < target)
            }
        }
    }

    /// Number of documents in all blocks.
    pub fn doc_freq(&self) -> u32 {
        match self {
            Self::Stored(postings) => postings.doc_freq(),
            Self::Short(postings, _) => postings.documents.len() as u32,
            Self::Documents(documents, _) => documents.len() as u32,
        }
    }
}
