//! `WrittenRecord`: a record as a change leaves it, which is the result of the write once that is saved.

use crate::configuration::change::ConfigurationChange;
use crate::configuration::records::{Record, WriteOutcome, advised, remark};
use crate::{Revisioned, Service};
use domain::StoreId;

/// A record as a change leaves it; if it changes nothing, nothing was saved.
pub(crate) struct WrittenRecord<R> {
    record: R,
    remark: Option<String>,
}

impl<R: Record> WrittenRecord<R> {
    /// Returns `record` as the open change leaves it.
    pub fn of(open: &ConfigurationChange<'_>, record: R) -> Self {
        let store = open.write.before();
        let remark = (record.language()).and_then(|language| remark(store, language));
        Self { record, remark }
    }

    /// Returns the result of the write, after which `revision` is current, with advice on the record.
    pub async fn outcome(
        self,
        service: &Service,
        store: &StoreId,
        revision: i64,
    ) -> WriteOutcome<R::View> {
        WriteOutcome {
            revisioned: Revisioned::of(self.record.content(), revision),
            data: advised(service, store, self.record).await,
            remark: self.remark,
        }
    }
}
