//! What a cursor reads: posting blocks of the index, or a list in memory.
//!
//! In the index, a posting block is 128 doc ids, delta-encoded and bit-packed by tantivy (Lemire & Boytsov,
//! "Decoding billions of integers per second through vectorization", 2015).

use super::frequency::Frequency;
use std::sync::Arc;
use tantivy::DocId;
use tantivy::postings::BlockSegmentPostings;

/// A posting list as a sequence of posting blocks, forward only.
pub enum Blocks {
    /// A list in the index. It is boxed because it is large and cursors are moved.
    Stored(Box<BlockSegmentPostings>),
    /// A list in memory, as one block; whether it has been passed.
    Short(Arc<Postings>, bool),
    /// Sorted documents, as one block; whether it has been passed.
    Documents(Arc<[DocId]>, bool),
}

/// A posting list in memory.
#[derive(Debug, Default)]
pub struct Postings {
    /// The documents, in order.
    documents: Vec<DocId>,
    /// Encoded frequencies of the documents (see [`Frequency`]).
    frequencies: Vec<u32>,
}

impl Postings {
    /// Adds a document after all others.
    pub fn push(&mut self, document: DocId, frequency: Frequency) {
        self.documents.push(document);
        self.frequencies.push(frequency.encoded());
    }

    /// Returns the heap size in bytes.
    pub fn bytes(&self) -> usize {
        (self.documents.capacity() + self.frequencies.capacity()) * size_of::<u32>()
    }
}

impl Blocks {
    /// Returns the documents of the current posting block; none at the end.
    pub fn docs(&self) -> &[DocId] {
        match self {
            Self::Stored(postings) => postings.docs(),
            Self::Short(postings, false) => &postings.documents,
            Self::Documents(documents, false) => documents,
            Self::Short(_, true) | Self::Documents(_, true) => &[],
        }
    }

    /// Returns the number of documents in the current posting block.
    pub fn block_len(&self) -> usize {
        self.docs().len()
    }

    /// Returns the frequency of the document at index `at` of the posting block.
    #[inline]
    pub fn frequency(&self, at: usize) -> Frequency {
        Frequency::at(self.frequencies(), at)
    }

    /// Returns the encoded frequencies of the current posting block; empty if the list has none.
    pub fn frequencies(&self) -> &[u32] {
        match self {
            Self::Stored(postings) => postings.freqs(),
            Self::Short(postings, false) => &postings.frequencies,
            Self::Short(_, true) | Self::Documents(..) => &[],
        }
    }

    /// Moves to the next posting block.
    pub fn advance(&mut self) {
        match self {
            Self::Stored(postings) => postings.advance(),
            Self::Short(_, passed) | Self::Documents(_, passed) => *passed = true,
        }
    }

    /// Moves to the posting block with the first document at or after `target`, and returns its index there.
    pub fn seek(&mut self, target: DocId) -> usize {
        match self {
            Self::Stored(postings) => postings.seek(target),
            Self::Short(..) | Self::Documents(..) => {
                self.docs().partition_point(|document| *document < target)
            }
        }
    }

    /// Returns the number of documents in the list.
    pub fn doc_freq(&self) -> u32 {
        match self {
            Self::Stored(postings) => postings.doc_freq(),
            Self::Short(postings, _) => postings.documents.len() as u32,
            Self::Documents(documents, _) => documents.len() as u32,
        }
    }
}
