//! Documents of a window of which something is asked, so that lists need not be read for all others.

use super::super::frequency::Frequency;
use super::super::scale::Scale;
use super::super::segment::SegmentView;
use super::bits::Bits;
use super::cursor::Cursor;
use tantivy::DocId;

/// How many times more documents than are asked for a list must hold in a window before it is sought instead of read.
const SEEK_RATIO: usize = 6;

/// Documents of one window.
#[derive(Clone, Copy)]
pub struct Candidates<'a, S: Scale> {
    /// First document of the window.
    pub start: DocId,
    /// The documents, by their distance from it.
    pub documents: &'a Bits<S>,
    /// How many they are.
    count: usize,
    segment: &'a SegmentView,
}

impl<'a, S: Scale> Candidates<'a, S> {
    /// Documents of a window that are many.
    pub const CROWDED: usize = S::WINDOW / 32;

    pub fn new(segment: &'a SegmentView, start: DocId, documents: &'a Bits<S>) -> Self {
        Self {
            start,
            documents,
            count: documents.count(),
            segment,
        }
    }

    /// The same with fewer documents.
    pub fn only<'b>(&self, documents: &'b Bits<S>) -> Candidates<'b, S>
    where
        'a: 'b,
    {
        Candidates::new(self.segment, self.start, documents)
    }

    /// Calls `visit` with every document that the list of `cursor` holds, by its distance from the start, and with how
    /// often it does.
    pub fn visit(&self, cursor: &mut Cursor, mut visit: impl FnMut(usize, Frequency)) {
        if self.count == 0 || !self.may_meet(cursor) {
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

    /// The same, but where they are many it may visit others of the window too, for asking of each costs more.
    pub fn visit_roughly(&self, cursor: &mut Cursor, mut visit: impl FnMut(usize, Frequency)) {
        if self.count < Self::CROWDED {
            self.visit(cursor, visit);
        } else if self.may_meet(cursor) {
            cursor.skip_to(self.start);
            cursor.visit_before(self.end(), |document, tf| {
                visit((document - self.start) as usize, tf);
            });
        }
    }

    /// Whether the list of `cursor` may have anything in the window.
    fn may_meet(&self, cursor: &Cursor) -> bool {
        cursor.document().is_some_and(|first| first < self.end())
    }

    fn end(&self) -> DocId {
        self.start + S::WINDOW as DocId
    }

    fn is_sought(&self, cursor: &Cursor) -> bool {
        let max_doc = self.segment.reader.max_doc() as usize;
        cursor.len() as usize * S::WINDOW > SEEK_RATIO * self.count * max_doc
    }
}
