//! The documents of an index that its engine rejects for good: logged, and remembered for a check.

use domain::IndexId;
use engine::Rejected;
use parking_lot::Mutex;
use std::collections::BTreeMap;

/// Most documents of an index that are remembered; a check finds the others missing or outdated.
const REMEMBERED_MAX: usize = 1_000;
/// Most documents of a batch that are logged one by one.
const LOGGED_MAX: usize = 10;
/// Longest reason that is kept, in characters.
const REASON_CHARS_MAX: usize = 300;

/// The rejected documents of one index, until they change again.
#[derive(Default)]
pub(super) struct Rejections {
    /// The reasons by ordinal.
    remembered: Mutex<BTreeMap<u32, String>>,
}

impl Rejections {
    /// Returns why the document was rejected when it was last written, if it was.
    pub fn reason(&self, ordinal: u32) -> Option<String> {
        self.remembered.lock().get(&ordinal).cloned()
    }

    /// Forgets documents that are written or deleted now.
    pub fn forget(&self, ordinals: impl Iterator<Item = u32>) {
        let mut remembered = self.remembered.lock();
        if !remembered.is_empty() {
            ordinals.for_each(|ordinal| drop(remembered.remove(&ordinal)));
        }
    }

    /// Forgets all documents, which were removed.
    pub fn clear(&self) {
        self.remembered.lock().clear();
    }

    /// Logs and remembers the documents of a batch that were rejected.
    pub fn note(&self, index: IndexId, rejected: Vec<Rejected>) {
        let count = rejected.len();
        let mut remembered = self.remembered.lock();
        for (at, Rejected { ordinal, reason }) in rejected.into_iter().enumerate() {
            let reason: String = reason.chars().take(REASON_CHARS_MAX).collect();
            if at < LOGGED_MAX {
                tracing::error!(%index, ordinal, reason, "the engine rejects a document");
            }
            if remembered.len() < REMEMBERED_MAX {
                remembered.insert(ordinal, reason);
            }
        }
        if count > LOGGED_MAX {
            tracing::error!(%index, count, "the engine rejects documents of one batch");
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. A document is remembered with its reason until it changes or everything is removed.
    //! 2. The number of documents and the length of reasons are bounded.

    use super::*;

    fn rejected(ordinal: u32) -> Rejected {
        Rejected {
            ordinal,
            reason: "é".repeat(1_000),
        }
    }

    #[test]
    fn rejections_are_remembered_until_the_document_changes() {
        let rejections = Rejections::default();
        let noted = |ordinals: &[u32]| {
            rejections.note(IndexId(1), ordinals.iter().copied().map(rejected).collect());
        };
        let known = |ordinal| rejections.reason(ordinal).is_some();
        noted(&[3, 5]);
        assert_eq!([3, 4, 5].map(known), [true, false, true]);
        let reason = rejections.reason(3).expect("a reason");
        assert_eq!(reason.chars().count(), REASON_CHARS_MAX);
        rejections.forget([4, 5].into_iter());
        assert_eq!([3, 4, 5].map(known), [true, false, false]);
        rejections.clear();
        assert!(!known(3));
        let many: Vec<u32> = (0..2 * REMEMBERED_MAX as u32).collect();
        noted(&many);
        assert_eq!(many.iter().filter(|at| known(**at)).count(), REMEMBERED_MAX);
    }
}
