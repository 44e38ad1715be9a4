//! What a block has just written, handed to its index so that it need not be read back from storage.

use domain::{Document, IndexId};
use std::sync::Arc;

/// The changes of one committed block.
#[derive(Debug)]
pub(crate) struct Written {
    /// The index.
    pub index: IndexId,
    /// Number of the last change before the block.
    pub before: i64,
    /// The changes, by their numbers, which follow that one without a gap.
    pub changes: Vec<WrittenDocument>,
}

/// A document that was added or replaced.
#[derive(Debug)]
pub(crate) struct WrittenDocument {
    /// Its number in the index.
    pub ordinal: u32,
    /// Number of the change.
    pub seq: i64,
    /// Number of the last change of what is analysed.
    pub text_seq: i64,
    /// The document, as storage would give it.
    pub document: Arc<Document>,
}

impl Written {
    /// The changes, where they are the next for an index that has followed to `applied`: nothing lies between.
    pub fn after(self, applied: i64) -> Option<Vec<WrittenDocument>> {
        (self.before == applied && !self.changes.is_empty()).then_some(self.changes)
    }
}
