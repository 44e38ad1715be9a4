//! The progress of the indexes of one process, in its memory.

use super::lag::Lags;
use super::progress::{Progress, Rebuild, RebuildStart};
use crate::snapshots::open_index::Boxed;
use domain::IndexId;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::time::Duration;
use tokio::sync::watch;

/// The progress of all indexes since the start.
#[derive(Default)]
pub(super) struct MemoryProgress {
    lags: Lags,
    applied: Mutex<HashMap<IndexId, i64>>,
    rebuilds: Mutex<HashMap<IndexId, watch::Receiver<Rebuild>>>,
}

impl Progress for MemoryProgress {
    fn note(&self, index: IndexId) {
        self.lags.note(index);
    }

    fn begin(&self, index: IndexId) {
        self.lags.begin(index);
    }

    fn end(&self, index: IndexId) {
        self.lags.end(index);
    }

    fn applied(&self, index: IndexId, change: i64) {
        self.applied.lock().insert(index, change);
    }

    fn closed(&self, index: IndexId) {
        self.applied.lock().remove(&index);
    }

    fn forget(&self, index: IndexId) {
        self.closed(index);
        self.lags.forget(index);
    }

    fn last_applied(&self, index: IndexId) -> i64 {
        self.applied.lock().get(&index).copied().unwrap_or(0)
    }

    fn is_behind(&self, index: IndexId) -> bool {
        self.lags.is_behind(index)
    }

    fn lag(&self, index: IndexId) -> Duration {
        self.lags.of(index)
    }

    fn behind(&self) -> (Duration, usize) {
        self.lags.behind()
    }

    fn wait_below(
        &self,
        index: IndexId,
        bound: Duration,
        at_most: Duration,
    ) -> Boxed<'_, Duration> {
        Box::pin(self.lags.wait_below(index, bound, at_most))
    }

    fn wait_quiet(&self, at_most: Duration) -> Boxed<'_, ()> {
        Box::pin(self.lags.wait_quiet(at_most))
    }

    fn want_rebuild(&self, index: IndexId, documents: u64) -> RebuildStart {
        let mut rebuilds = self.rebuilds.lock();
        if let Some(under_way) = rebuilds.get(&index).filter(|last| !last.borrow().is_over()) {
            return RebuildStart::Joined(under_way.clone());
        }
        let (sender, receiver) = watch::channel(Rebuild::UnderWay {
            documents: 0,
            of: documents,
        });
        rebuilds.insert(index, receiver.clone());
        RebuildStart::Begun(sender, receiver)
    }

    fn last_rebuild(&self, index: IndexId) -> Option<watch::Receiver<Rebuild>> {
        self.rebuilds.lock().get(&index).cloned()
    }
}
