//! The documents of a block that are still in play, so that posting lists are not read for all others.
//!
//! Few candidates are sought in a list and many are scanned: the choice of Lucene between leapfrogging and bulk
//! scoring.

use crate::embedded::postings::bits::Bits;
use crate::embedded::postings::cursor::Cursor;
use crate::embedded::postings::frequency::Frequency;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::scale::Scale;
use tantivy::DocId;

/// A list is searched instead of scanned if it has at least so many times more documents in a block than there are
/// candidates.
const SEEK_RATIO: usize = 6;

/// Candidates of one block.
#[derive(Clone, Copy)]
pub struct Candidates<'a, S: Scale> {
    /// First document of the block.
    pub start: DocId,
    /// The candidates, as offsets in the block.
    pub documents: &'a Bits<S>,
    /// Number of candidates.
    count: usize,
    segment: &'a SegmentView,
}

impl<'a, S: Scale> Candidates<'a, S> {
    /// Number of candidates from which on a block counts as crowded.
    pub const CROWDED: usize = S::BLOCK / 32;

    pub fn new(segment: &'a SegmentView, start: DocId, documents: &'a Bits<S>) -> Self {
        Self {
            start,
            documents,
            count: documents.count(),
            segment,
        }
    }

    /// Returns the candidates `documents`, which are some of these.
    pub fn only<'b>(&self, documents: &'b Bits<S>) -> Candidates<'b, S>
    where
        'a: 'b,
    {
        Candidates::new(self.segment, self.start, documents)
    }

    /// Calls `visit` with the offset and the frequency of every candidate in the list of `cursor`.
    pub fn visit(&self, cursor: &mut Cursor, mut visit: impl FnMut(usize, Frequency)) {
        if self.count == 0 || !self.may_contain_any(cursor) {
            return;
        }
        if self.is_sought(cursor) {
            for at in self.documents.iter() {
                if let Some(tf) = cursor.frequency(self.start + at as DocId) {
                    visit(at, tf);
                }
            }
        } else {
            cursor.skip_to(self.start);
            let wanted = |document| {
                let at = (document - self.start) as usize;
                self.documents.has(at).then_some(at)
            };
            cursor.visit_wanted(self.end(), wanted, visit);
        }
    }

    /// Calls `visit` with every candidate in the list of `cursor`, and if there are many, perhaps with other documents
    /// of the block too: checking each of them costs more.
    pub fn visit_roughly(&self, cursor: &mut Cursor, mut visit: impl FnMut(usize, Frequency)) {
        if self.count < Self::CROWDED {
            self.visit(cursor, visit);
        } else if self.may_contain_any(cursor) {
            cursor.skip_to(self.start);
            cursor.visit_before(self.end(), |document, tf| {
                visit((document - self.start) as usize, tf);
            });
        }
    }

    /// Whether the list of `cursor` may contain documents of the block.
    fn may_contain_any(&self, cursor: &Cursor) -> bool {
        cursor.document().is_some_and(|first| first < self.end())
    }

    fn end(&self) -> DocId {
        self.start + S::BLOCK as DocId
    }

    fn is_sought(&self, cursor: &Cursor) -> bool {
        let max_doc = self.segment.reader.max_doc() as usize;
        cursor.len() as usize * S::BLOCK > SEEK_RATIO * self.count * max_doc
    }
}
