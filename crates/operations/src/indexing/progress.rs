//! `Progress`: how far each index has come, how far it lags behind, and its rebuilds.
//!
//! Whoever asks knows nothing of the tasks that make the progress, so these may run elsewhere: where several processes
//! share a database, this is the place of its tables.

use crate::snapshots::open_index::Boxed;
use domain::IndexId;
use std::time::Duration;
use tokio::sync::watch;

/// Progress of a rebuild.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rebuild {
    /// It waits for its turn or is in progress.
    UnderWay {
        /// Documents that the new index holds.
        documents: u64,
        /// Documents that it will hold, as far as known.
        of: u64,
    },
    /// The new index is searched.
    Done,
    /// The rebuild failed with this error; the former index is still searched.
    Failed(String),
}

impl Rebuild {
    /// Returns whether it is over, successful or not.
    pub fn is_over(&self) -> bool {
        !matches!(self, Self::UnderWay { .. })
    }
}

/// A rebuild that was wanted.
pub(super) enum RebuildStart {
    /// One is in progress already.
    Joined(watch::Receiver<Rebuild>),
    /// The caller is the one that does it and reports how it goes.
    Begun(watch::Sender<Rebuild>, watch::Receiver<Rebuild>),
}

/// The progress of all indexes.
pub(super) trait Progress: Send + Sync {
    /// Records that a change was acknowledged.
    fn note(&self, index: IndexId);

    /// Records that all changes so far are about to be applied.
    fn begin(&self, index: IndexId);

    /// Records that the changes being applied are searchable.
    fn end(&self, index: IndexId);

    /// Records the number of the last change that is searchable.
    fn applied(&self, index: IndexId, change: i64);

    /// Records that nothing applies changes to an index any more, because its store was closed.
    fn closed(&self, index: IndexId);

    /// Forgets an index that is not used any more.
    fn forget(&self, index: IndexId);

    /// Returns the number of the last change that is searchable; 0 while nothing applies changes to the index.
    fn last_applied(&self, index: IndexId) -> i64;

    /// Returns whether there is a change that is not searchable yet.
    fn is_behind(&self, index: IndexId) -> bool;

    /// Returns the age of the oldest change that is not searchable yet.
    fn lag(&self, index: IndexId) -> Duration;

    /// Returns the age of the oldest change of all indexes that is not searchable yet, and how many indexes have one.
    fn behind(&self) -> (Duration, usize);

    /// Waits until the lag is below `bound`, at most `at_most`, and returns the lag.
    fn wait_below(&self, index: IndexId, bound: Duration, at_most: Duration)
    -> Boxed<'_, Duration>;

    /// Waits until no index lags behind, at most `at_most`.
    fn wait_quiet(&self, at_most: Duration) -> Boxed<'_, ()>;

    /// Begins a rebuild of an index that will hold so many documents, or joins the one in progress.
    fn want_rebuild(&self, index: IndexId, documents: u64) -> RebuildStart;

    /// Returns the last rebuild of an index, if any.
    fn last_rebuild(&self, index: IndexId) -> Option<watch::Receiver<Rebuild>>;
}
