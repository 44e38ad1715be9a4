//! `Written`: a record as a change leaves it, which is the result of the write once that is saved.

use crate::Revisioned;
use crate::configuration::change::ConfigurationChange;
use crate::configuration::records::{Record, WriteOutcome, remark};
use domain::Timestamp;

/// A record as a change leaves it; if it changes nothing, nothing was saved.
pub(crate) struct Written<R> {
    record: R,
    now: Timestamp,
    remark: Option<String>,
}

impl<R: Record> Written<R> {
    /// Returns `record` as the open change leaves it at `now`.
    pub fn of(open: &ConfigurationChange<'_>, record: R, now: Timestamp) -> Self {
        let store = open.write.before();
        let remark = (record.language()).and_then(|language| remark(store, language));
        Self {
            record,
            now,
            remark,
        }
    }

    /// Returns the result of the write, after which `revision` is current.
    pub fn outcome(self, revision: i64) -> WriteOutcome<R::View> {
        WriteOutcome {
            revisioned: Revisioned::of(self.record.content(), revision),
            data: self.record.view(self.now),
            remark: self.remark,
        }
    }
}
