//! A walk over one posting list, by windows or by single documents, always forward.

use tantivy::DocId;
use tantivy::postings::BlockSegmentPostings;

/// A place in a posting list.
pub struct Cursor {
    postings: BlockSegmentPostings,
    at: usize,
}

impl Cursor {
    pub fn new(postings: BlockSegmentPostings) -> Self {
        Self { postings, at: 0 }
    }

    /// Calls `visit` with every document from the current one up to, and without, `end`.
    pub fn visit_before(&mut self, end: DocId, mut visit: impl FnMut(DocId, u32)) {
        loop {
            let documents = &self.postings.docs()[self.at..];
            let before = match documents.last() {
                Some(last) if *last < end => documents.len(),
                _ => documents.partition_point(|document| *document < end),
            };
            for (offset, document) in documents[..before].iter().enumerate() {
                visit(*document, self.postings.freq(self.at + offset));
            }
            if before < documents.len() || self.postings.block_len() == 0 {
                self.at += before;
                return;
            }
            self.postings.advance();
            self.at = 0;
        }
    }

    /// Moves to the first document at or after `target`; targets must not fall.
    pub fn skip_to(&mut self, target: DocId) {
        let current = self.postings.docs().get(self.at);
        if current.is_some_and(|document| *document < target) {
            self.at = self.postings.seek(target).min(self.postings.block_len());
        }
    }

    /// Moves to `target`; its frequency, when the list holds it.
    pub fn frequency(&mut self, target: DocId) -> Option<u32> {
        self.skip_to(target);
        let found = self.postings.docs().get(self.at) == Some(&target);
        found.then(|| self.postings.freq(self.at))
    }

    /// Number of documents in the list.
    pub fn len(&self) -> u32 {
        self.postings.doc_freq()
    }
}
