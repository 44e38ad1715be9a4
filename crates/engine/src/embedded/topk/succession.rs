//! The difference between two states of an index: which segments are the same, and which of their documents changed.

use crate::embedded::postings::segment::SegmentView;
use crate::embedded::postings::text_index::TextIndex;
use std::cell::OnceCell;
use tantivy::DocId;

/// Two consecutive states of an index, which differ in some documents.
pub struct Succession<'a> {
    old: &'a TextIndex,
    /// The texts of the second state.
    pub new: &'a TextIndex,
    changed: &'a [u32],
    same: OnceCell<Vec<Option<Same>>>,
}

/// The index that a segment had in the old state, with its changed documents, in order.
pub type Same = (usize, Vec<DocId>);

impl<'a> Succession<'a> {
    /// The step from `old` to `new`, after changes of the documents with the ordinals `changed`.
    pub fn new(old: &'a TextIndex, new: &'a TextIndex, changed: &'a [u32]) -> Self {
        Self {
            old,
            new,
            changed,
            same: OnceCell::new(),
        }
    }

    /// By segment of the new state, the same segment in the old one; none for a new segment, or one from which other
    /// documents were deleted too.
    pub fn same(&self) -> &[Option<Same>] {
        self.same.get_or_init(|| {
            let segments = self.new.segments.iter();
            segments.map(|segment| self.previous(segment)).collect()
        })
    }

    fn previous(&self, segment: &SegmentView) -> Option<Same> {
        let mut segments = self.old.segments.iter();
        let at = segments.position(|view| view.is_same(segment))?;
        let previous = &self.old.segments[at];
        let mut documents: Vec<DocId> = self
            .changed
            .iter()
            .flat_map(|ordinal| segment.documents_of(*ordinal))
            .collect();
        documents.sort_unstable();
        let lost =
            |document: &&DocId| previous.is_alive(**document) && !segment.is_alive(**document);
        let deleted = |view: &SegmentView| view.reader.num_deleted_docs() as usize;
        let expected = deleted(previous) + documents.iter().filter(lost).count();
        (deleted(segment) == expected).then_some((at, documents))
    }
}
