//! A forward cursor over one posting list, by blocks of doc ids or by single documents.
//!
//! Documents are read forward in doc id order (document-at-a-time), a posting block at a time, as by the
//! `PostingsEnum` of Lucene and the `DocSet` of tantivy.

use super::bits::Bits;
use super::frequency::Frequency;
use super::posting_blocks::Blocks;
use crate::embedded::scale::Scale;
use tantivy::DocId;

/// A position in a posting list.
pub struct Cursor {
    postings: Blocks,
    at: usize,
}

impl Cursor {
    pub fn new(postings: Blocks) -> Self {
        Self { postings, at: 0 }
    }

    /// Calls `visit` with every document from the current one up to, but not including, `end`.
    pub fn visit_before(&mut self, end: DocId, mut visit: impl FnMut(DocId, Frequency)) {
        let all = |document| Some(document as usize);
        self.visit_wanted(end, all, |document, tf| visit(document as DocId, tf));
    }

    /// Calls `visit` for the documents before `end` for which `wanted` returns a value, with that value and the
    /// frequency.
    pub fn visit_wanted(
        &mut self,
        end: DocId,
        wanted: impl Fn(DocId) -> Option<usize>,
        mut visit: impl FnMut(usize, Frequency),
    ) {
        self.visit_blocks_before(end, |documents, frequencies| {
            for (index, document) in documents.iter().enumerate() {
                if let Some(at) = wanted(*document) {
                    visit(at, Frequency::at(frequencies, index));
                }
            }
        });
    }

    /// Calls `visit` with every document from the current one up to, but not including, `end`.
    pub fn visit_documents_before(&mut self, end: DocId, mut visit: impl FnMut(DocId)) {
        self.visit_blocks_before(end, |documents, _| {
            documents.iter().for_each(|document| visit(*document));
        });
    }

    /// Calls `visit` with the documents before `end`, one posting block at a time, and with their frequencies if the
    /// list has any.
    fn visit_blocks_before(&mut self, end: DocId, mut visit: impl FnMut(&[DocId], &[u32])) {
        loop {
            let documents = &self.postings.docs()[self.at..];
            let before = before(documents, end);
            let frequencies = self.postings.frequencies();
            let own = frequencies.get(self.at..self.at + before);
            visit(&documents[..before], own.unwrap_or_default());
            if !self.skip(before) {
                return;
            }
        }
    }

    /// Whether `test` is true for any document from the current one on; stops reading at the first one.
    pub fn any(&mut self, test: impl Fn(DocId) -> bool) -> bool {
        loop {
            let documents = &self.postings.docs()[self.at..];
            if documents.iter().any(|document| test(*document)) {
                return true;
            }
            if !self.skip(documents.len()) {
                return false;
            }
        }
    }

    /// Adds every document from the current one up to the end of the block that begins at `start`.
    pub fn mark<S: Scale>(&mut self, start: DocId, bits: &mut Bits<S>) {
        self.visit_blocks_before(start + S::BLOCK as DocId, |documents, _| {
            bits.set_all(documents, start);
        });
    }

    /// Skips `before` documents of the posting block; returns whether there is another posting block to read.
    fn skip(&mut self, before: usize) -> bool {
        self.at += before;
        if self.at < self.postings.block_len() || self.postings.block_len() == 0 {
            return false;
        }
        self.postings.advance();
        self.at = 0;
        true
    }

    /// Returns the current document; none at the end of the list.
    pub fn document(&self) -> Option<DocId> {
        self.postings.docs().get(self.at).copied()
    }

    /// Moves to the first document at or after `target`; targets must not decrease.
    pub fn skip_to(&mut self, target: DocId) {
        let current = self.postings.docs().get(self.at);
        if current.is_some_and(|document| *document < target) {
            self.at = self.postings.seek(target).min(self.postings.block_len());
        }
    }

    /// Moves to `target` and returns its frequency if the list contains it.
    pub fn frequency(&mut self, target: DocId) -> Option<Frequency> {
        self.skip_to(target);
        let found = self.postings.docs().get(self.at) == Some(&target);
        found.then(|| self.postings.frequency(self.at))
    }

    /// Returns the number of documents in the list.
    pub fn len(&self) -> u32 {
        self.postings.doc_freq()
    }
}

/// Counts the `documents` before `end`.
fn before(documents: &[DocId], end: DocId) -> usize {
    match documents.last() {
        Some(last) if *last < end => documents.len(),
        _ => documents.partition_point(|document| *document < end),
    }
}
