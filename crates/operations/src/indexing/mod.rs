//! Keeps indexes current: makes what storage acknowledged searchable, and rebuilds, compares and closes indexes.
//!
//! One task per open index applies the changes after its watermark. It has no other input: after a crash the same path
//! catches up. May import `snapshots`, `access` and `runtime`.

mod batches;
pub mod check;
mod compare;
pub(crate) mod copied;
mod distrust;
mod distrusted;
mod follower;
mod following;
mod lag;
mod memory_progress;
mod opening;
mod progress;
mod rebuild;
pub mod reindex;
mod rejections;
pub(crate) mod requested;
mod shared;
mod state;
mod substring_indexing;
mod worker;
mod writers;
mod written;

pub use crate::snapshots::Warming;
pub use batches::BatchSizes;
pub use compare::Differences;
pub use progress::Rebuild;
pub(crate) use written::{Written, WrittenDocument};

use crate::OperationError;
use crate::runtime::closing::Closing;
use crate::snapshots::Snapshots;
use crate::snapshots::indexer::Indexer;
use crate::snapshots::open_index::{Boxed, OpenIndex};
use crate::snapshots::open_store::OpenStore;
use crate::snapshots::states::States;
use domain::{CacheUsage, IndexId, StoreId, access};
use engine::{Engine, SharedIndexes};
use memory_progress::MemoryProgress;
use shared::Shared;
use state::IndexingState;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;
use storage::{IndexRow, Storage};
use tokio::sync::watch;
use writers::Writers;

/// Handle of the indexer; clones share it.
#[derive(Clone)]
pub struct Indexing {
    state: Arc<IndexingState>,
}

/// Statistics of one index.
#[derive(Clone, Debug)]
pub struct IndexStatistics {
    /// Documents that can be found.
    pub documents: u64,
    /// Size on disk in bytes.
    pub bytes: u64,
    /// `ready`, `building` while it lags behind storage, or `closed`.
    pub state: &'static str,
    /// Number of the last change that is searchable.
    pub watermark: i64,
}

impl Indexing {
    /// Returns the indexer of the indexes of `engine` on the server of this name. Each index is opened when it is first
    /// needed, and at most `indexes_max` idle ones stay open.
    pub(crate) fn new(
        (engine, server): (Arc<dyn Engine>, String),
        storage: Storage,
        indexes_max: usize,
        states: Arc<States>,
        batches: BatchSizes,
    ) -> Self {
        let closing = Closing::default();
        let state = |state: &Weak<IndexingState>| {
            let indexer: Weak<dyn Indexer> = Weak::clone(state) as Weak<dyn Indexer>;
            let snapshots = Snapshots::new(
                storage.clone(),
                indexes_max,
                states,
                indexer,
                closing.clone(),
            );
            let progress = Box::new(MemoryProgress::default());
            let format = engine.shared().map(SharedIndexes::format);
            let writers = Writers::new(storage.clone(), server, format);
            let storage = (storage, engine, writers);
            let shared = Shared::new(storage, snapshots, progress, batches, closing);
            IndexingState::new(shared)
        };
        Self {
            state: Arc::new_cyclic(state),
        }
    }

    /// Returns the stores whose indexes this indexer opens.
    pub(crate) fn snapshots(&self) -> &Snapshots {
        &self.state.shared.snapshots
    }

    /// Notifies the indexer of a committed block and hands over its changes; an index that is not open reads them from
    /// storage.
    pub(crate) fn written(&self, store: &StoreId, written: Written) {
        let index = written.index;
        if let Some(task) = self.state.find(index) {
            task.hand_over(written);
        }
        self.changed(store, index);
    }

    /// Notifies the indexer of changes of an index, or of a new index.
    pub fn changed(&self, store: &StoreId, index: IndexId) {
        self.state.shared.progress.note(index);
        let state = Arc::clone(&self.state);
        let failing = "an index cannot be opened";
        (self.state.shared.closing).retry_until_done(store, failing, move |store| {
            let state = Arc::clone(&state);
            async move { state.wake(&store, index).await.map(drop) }
        });
    }

    /// Opens an index, which fills it if this version has none of it yet.
    ///
    /// Errors: `NotFound` if its store is gone; or if it cannot be opened now.
    pub(crate) async fn opened(
        &self,
        store: &StoreId,
        index: IndexId,
    ) -> Result<(), OperationError> {
        self.state.wake(store, index).await.map(drop)
    }

    /// Notifies the indexer that a run has closed, after which average lengths are recomputed.
    pub fn run_closed(&self, store: &StoreId, index: IndexId) {
        let (indexing, store) = (self.clone(), store.clone());
        tokio::spawn(async move {
            let state = &indexing.state;
            if let Ok(_open) = state.shared.snapshots.open(&store).await
                && let Some(task) = state.find(index)
                && !indexing.follows_run(&store, index).await
            {
                task.freeze();
            }
        });
    }

    /// Rebuilds an index from storage beside the one that is searched, and swaps it in when it is complete; joins a
    /// rebuild in progress.
    pub fn rebuild(&self, row: &IndexRow) -> watch::Receiver<Rebuild> {
        self.state.rebuild(row)
    }

    /// Returns the progress of the last rebuild of an index since the start, if any.
    pub fn last_rebuild(&self, index: IndexId) -> Option<Rebuild> {
        let last = self.state.shared.progress.last_rebuild(index)?;
        Some(last.borrow().clone())
    }

    /// Returns the age of the oldest acknowledged change that is not searchable yet, here or on another server.
    pub fn lag(&self, index: IndexId) -> Duration {
        let own = self.state.shared.progress.lag(index);
        own.max(self.state.following.lag_of_others(index))
    }

    /// Returns the age of the oldest change of all indexes that is not searchable yet, and how many indexes have one.
    pub fn behind(&self) -> (Duration, usize) {
        self.state.shared.progress.behind()
    }

    /// Waits until the lag is below `bound`, at most `at_most`, and returns the lag.
    pub async fn wait_until_lag_below(
        &self,
        index: IndexId,
        bound: Duration,
        at_most: Duration,
    ) -> Duration {
        (self.state.shared.progress)
            .wait_below(index, bound, at_most)
            .await
    }

    /// Waits until all acknowledged writes of `store` are searchable, at most `at_most` for each index, and returns
    /// whether they are.
    pub async fn wait_until_searchable(
        &self,
        store: &StoreId,
        at_most: Duration,
    ) -> Result<bool, OperationError> {
        let permit = access::system(store);
        let mut searchable = true;
        self.follow_now(store).await?;
        for index in self.state.shared.storage.indices_of(&permit).await? {
            let none = Duration::from_nanos(1);
            let lag = self.wait_until_lag_below(index.id, none, at_most).await;
            searchable &= lag < none;
        }
        Ok(searchable)
    }

    /// Closes a store that does not exist any more for anybody, and waits for the writers of its indexes.
    pub(crate) async fn close_store(&self, store: &StoreId) {
        for index in self.snapshots().close_store(store).await {
            self.state.shared.progress.forget(index);
        }
    }

    /// Deletes the files of an index, whose store is closed.
    ///
    /// Errors: if they cannot be deleted now.
    pub(crate) async fn discard(&self, index: IndexId) -> Result<(), OperationError> {
        self.state.shared.progress.forget(index);
        let engine = Arc::clone(&self.state.shared.engine);
        follower::blocking(move || engine.discard(index)).await
    }

    /// Returns statistics of an index; all 0 while it is not open.
    pub fn statistics(&self, index: IndexId) -> IndexStatistics {
        let Some(task) = self.state.find(index) else {
            return IndexStatistics {
                documents: 0,
                bytes: 0,
                state: "closed",
                watermark: 0,
            };
        };
        let facts = task.snapshot().facts();
        let building = self.lag(index) > Duration::ZERO;
        IndexStatistics {
            documents: facts.documents,
            bytes: facts.bytes,
            state: if building { "building" } else { "ready" },
            watermark: task.applied(),
        }
    }

    /// Returns how many documents the engine has rejected since the start, each time that they were written.
    pub fn rejected_total(&self) -> u64 {
        self.state.shared.rejected.load(Ordering::Relaxed)
    }

    /// Returns the fill level of each cache of the engine, by name.
    pub fn engine_caches(&self) -> Vec<(&'static str, CacheUsage)> {
        self.state.shared.engine.caches()
    }

    /// Returns whether the engine keeps its indexes as files on this machine.
    pub fn has_files(&self) -> bool {
        self.state.shared.engine.files().is_some()
    }

    /// Copies the files of an index into the new directory `to`; returns whether there are any.
    ///
    /// Errors: if a file cannot be copied.
    pub async fn copy(&self, row: &IndexRow, to: PathBuf) -> Result<bool, OperationError> {
        let task = self.state.find(row.id);
        // Commits wait, so that only the end of a merge can disturb the copy.
        let _writing = match &task {
            Some(task) => Some(task.writing().await),
            None => None,
        };
        let (engine, spec) = (
            Arc::clone(&self.state.shared.engine),
            follower::spec(row, false),
        );
        follower::blocking(move || {
            engine
                .files()
                .map_or(Ok(false), |files| files.copy(&spec, &to))
        })
        .await
    }

    /// Returns the number of the last change that the index no longer needs from storage; 0 while it is closed or
    /// rebuilt.
    fn passed(&self, index: IndexId) -> i64 {
        let rebuilt = self.last_rebuild(index);
        if rebuilt.is_some_and(|rebuild| !rebuild.is_over()) {
            return 0;
        }
        self.state.shared.progress.last_applied(index)
    }

    /// Stops the tasks after their current batch, and waits for the writers.
    pub async fn close(&self) {
        self.state.shared.closing.begin();
        drop(self.state.shared.opening.write().await);
        self.snapshots().close().await;
    }
}

impl Indexer for IndexingState {
    fn open<'a>(
        self: Arc<Self>,
        row: &'a IndexRow,
        partial: bool,
        known: bool,
    ) -> Boxed<'a, Result<Arc<dyn OpenIndex>, OperationError>> {
        Box::pin(async move {
            let task = IndexingState::open(&self, row, partial, known).await?;
            Ok(task as Arc<dyn OpenIndex>)
        })
    }

    fn configured(self: Arc<Self>, open: &Arc<OpenStore>) {
        self.rebuild_without_substrings(open);
    }
}

impl std::fmt::Debug for Indexing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Indexing").finish_non_exhaustive()
    }
}
