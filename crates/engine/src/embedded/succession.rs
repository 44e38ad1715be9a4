//! How one state of an index comes from another: which segments are the same, and what changed in them.

use super::segment::SegmentView;
use super::snapshot::TextIndex;
use std::cell::OnceCell;
use tantivy::DocId;

/// Two states of an index, of which the second differs from the first in some documents alone.
pub(super) struct Succession<'a> {
    old: &'a TextIndex,
    /// The texts of the second state.
    pub new: &'a TextIndex,
    changed: &'a [u32],
    same: OnceCell<Vec<Option<Same>>>,
}

/// The number that a segment had, with its documents that changed, in order.
pub(super) type Same = (usize, Vec<DocId>);

impl<'a> Succession<'a> {
    /// From `old` texts to `new` texts, after changes of the documents with the ordinals `changed`.
    pub fn new(old: &'a TextIndex, new: &'a TextIndex, changed: &'a [u32]) -> Self {
        Self {
            old,
            new,
            changed,
            same: OnceCell::new(),
        }
    }

    /// For every segment of the second state what it was in the first; none for one that is new, or that lost other
    /// documents too.
    pub fn same(&self) -> &[Option<Same>] {
        self.same.get_or_init(|| {
            let segments = self.new.segments.iter();
            segments.map(|segment| self.former(segment)).collect()
        })
    }

    fn former(&self, segment: &SegmentView) -> Option<Same> {
        let mut segments = self.old.segments.iter();
        let at = segments.position(|view| view.is_same(segment))?;
        let former = &self.old.segments[at];
        let mut documents: Vec<DocId> = self
            .changed
            .iter()
            .flat_map(|ordinal| segment.documents_of(*ordinal))
            .collect();
        documents.sort_unstable();
        let lost = |document: &&DocId| former.is_alive(**document) && !segment.is_alive(**document);
        let deleted = |view: &SegmentView| view.reader.num_deleted_docs() as usize;
        let told = deleted(former) + documents.iter().filter(lost).count();
        (deleted(segment) == told).then_some((at, documents))
    }
}
