//! The documents of an index that its engine rejects for good: logged, and kept for a check.

use domain::{IndexId, first_characters};
use engine::Rejected;
use parking_lot::Mutex;
use std::collections::BTreeMap;

/// Most documents of an index whose reasons are kept; a check finds the others missing or outdated.
const REASONS_MAX: usize = 1_000;
/// Most documents of a batch that are logged one by one.
const LOGGED_MAX: usize = 10;
/// Longest reason that is kept, in characters.
const REASON_CHARS_MAX: usize = 300;

/// The rejected documents of one index, until they change again.
#[derive(Default)]
pub(super) struct Rejections {
    /// The reasons by ordinal.
    reasons: Mutex<BTreeMap<u32, String>>,
}

impl Rejections {
    /// Returns why the document was rejected when it was last written, if it was.
    pub fn reason(&self, ordinal: u32) -> Option<String> {
        self.reasons.lock().get(&ordinal).cloned()
    }

    /// Forgets documents that are written or deleted now.
    pub fn forget(&self, ordinals: impl Iterator<Item = u32>) {
        let mut reasons = self.reasons.lock();
        if !reasons.is_empty() {
            ordinals.for_each(|ordinal| drop(reasons.remove(&ordinal)));
        }
    }

    /// Forgets all documents, which were removed.
    pub fn clear(&self) {
        self.reasons.lock().clear();
    }

    /// Keeps the reasons of the documents of a batch that were rejected.
    pub fn keep(&self, rejected: &[Rejected]) {
        let mut reasons = self.reasons.lock();
        for one in rejected {
            if reasons.len() < REASONS_MAX {
                reasons.insert(one.ordinal, bounded(&one.reason));
            }
        }
    }

    /// Returns whether no document is known to be rejected.
    pub fn is_empty(&self) -> bool {
        self.reasons.lock().is_empty()
    }
}

/// Logs the documents of a batch that were rejected.
pub(super) fn log(index: IndexId, rejected: &[Rejected]) {
    for one in rejected.iter().take(LOGGED_MAX) {
        let (ordinal, id) = (one.ordinal, one.id.as_str());
        let reason = bounded(&one.reason);
        tracing::error!(%index, ordinal, id, reason, "the engine rejects a document");
    }
    let count = rejected.len();
    if count > LOGGED_MAX {
        tracing::error!(%index, count, "the engine rejects documents of one batch");
    }
}

fn bounded(reason: &str) -> String {
    first_characters(reason, REASON_CHARS_MAX).to_owned()
}

#[cfg(test)]
mod tests {
    //! 1. The reason of a document is kept until it changes or everything is removed.
    //! 2. The number of documents and the length of reasons are bounded.

    use super::*;

    fn rejected(ordinal: u32) -> Rejected {
        Rejected {
            ordinal,
            id: ordinal.to_string(),
            reason: "é".repeat(1_000),
        }
    }

    #[test]
    fn reasons_are_kept_until_the_document_changes() {
        let rejections = Rejections::default();
        let noted = |ordinals: &[u32]| {
            let of_batch: Vec<Rejected> = ordinals.iter().copied().map(rejected).collect();
            rejections.keep(&of_batch);
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
        let many: Vec<u32> = (0..2 * REASONS_MAX as u32).collect();
        noted(&many);
        assert_eq!(many.iter().filter(|at| known(**at)).count(), REASONS_MAX);
    }
}
