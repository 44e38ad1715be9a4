//! The changes of a committed block, handed to its index so that they need not be read back from storage.

use domain::{Document, IndexId};
use std::sync::Arc;

/// The changes of one committed block.
#[derive(Debug)]
pub(crate) struct Written {
    /// The index.
    pub index: IndexId,
    /// Number of the last change before the block.
    pub before: i64,
    /// The changes, ordered by number, which follow `before` without a gap.
    pub changes: Vec<WrittenDocument>,
}

/// A document that was added or replaced.
#[derive(Debug)]
pub(crate) struct WrittenDocument {
    /// Ordinal in the index.
    pub ordinal: u32,
    /// Number of the change.
    pub seq: i64,
    /// Number of the last change of the analysed fields.
    pub text_seq: i64,
    /// The document as it would be read from storage.
    pub document: Arc<Document>,
}

impl Written {
    /// Returns the changes if they directly follow `applied`, the last change of the index.
    pub fn after(self, applied: i64) -> Option<Vec<WrittenDocument>> {
        (self.before == applied && !self.changes.is_empty()).then_some(self.changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::DocType;
    use serde_json::json;

    #[test]
    fn only_the_next_changes_are_taken() {
        let written = || {
            let body = json!({"id": "1", "name": "x"});
            let document = Document::parse(DocType::Products, 0, body).expect("a document");
            Written {
                index: IndexId(1),
                before: 7,
                changes: vec![WrittenDocument {
                    ordinal: 0,
                    seq: 8,
                    text_seq: 8,
                    document: Arc::new(document),
                }],
            }
        };
        // An index that lags behind would skip changes, one that is ahead would go back.
        for (applied, taken) in [(6, false), (7, true), (8, false)] {
            assert_eq!(written().after(applied).is_some(), taken, "{applied}");
        }
        let nothing = Written {
            changes: Vec::new(),
            ..written()
        };
        assert!(nothing.after(7).is_none());
    }
}
