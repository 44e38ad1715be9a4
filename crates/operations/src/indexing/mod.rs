//! The indexer: makes what storage acknowledged searchable, and publishes each state of a store as a whole.
//!
//! One task per open index applies the changes after its watermark. It has no other input: after a crash the same path
//! catches up.

mod batches;
pub mod check;
mod compare;
mod follower;
mod lag;
mod rebuild;
pub mod reindex;
mod rejections;
mod substring_indexing;
pub(crate) mod worker;
mod written;

pub use crate::snapshots::warming::Warming;
pub use batches::BatchSizes;
pub use compare::Differences;
pub use rebuild::Rebuild;
pub(crate) use written::{Written, WrittenDocument};

use crate::OperationError;
use crate::snapshots::snapshot::StoreSnapshot;
use crate::snapshots::states::States;
use crate::snapshots::stores::Stores;
use domain::relevance::field::FieldId;
use domain::{CacheUsage, IndexId, StoreId, access};
use engine::{Engine, Facts};
use lag::Lags;
use rebuild::Rebuilds;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use storage::{IndexRow, Storage, Turn, Turns};
use tokio::sync::{RwLock, watch};

/// Most batches that are applied at the same time.
const CONCURRENT_BATCHES_MAX: usize = 2;
/// Longest pause before a failed task is tried again.
const RETRY: Duration = Duration::from_secs(1);
/// Pause before a batch that failed once is tried again.
const RETRY_FIRST: Duration = Duration::from_millis(50);

/// Handle of the indexer; clones share it.
#[derive(Clone)]
pub struct Indexing {
    inner: Arc<IndexingState>,
}

/// State that the tasks of the indexer share.
pub(crate) struct IndexingState {
    pub(crate) storage: Storage,
    pub(crate) engine: Arc<dyn Engine>,
    /// Numbers of the states of all stores.
    pub(crate) states: Arc<States>,
    pub(crate) stores: Stores,
    pub(crate) lags: Lags,
    /// Turns to apply a batch, by store.
    pub(crate) turns: Turns<StoreId>,
    pub(crate) batches: BatchSizes,
    pub(crate) rebuilds: Rebuilds,
    /// Documents that the engine has rejected since the start, counted each time.
    pub(crate) rejected: Arc<AtomicU64>,
    pub(crate) warming: watch::Sender<Warming>,
    /// Locked for reading while an index is opened, so that closing can wait for it.
    pub(crate) opening: RwLock<()>,
    pub(crate) closing: watch::Sender<bool>,
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

impl IndexingState {
    /// Fails with `Unavailable` once the service is closing.
    fn ensure_open(&self) -> Result<(), OperationError> {
        if *self.closing.borrow() {
            return Err(OperationError::unavailable("the service is closing"));
        }
        Ok(())
    }

    /// Waits for the turn of `store` to apply a batch.
    async fn turn(&self, store: &StoreId) -> Turn<StoreId> {
        self.turns.take(store.clone()).await
    }
}

impl Indexing {
    /// Opens the indexer of the indexes of `engine`. Each index is opened when it is first needed, and at most
    /// `indexes_max` idle ones stay open.
    ///
    /// Errors: if the stores cannot be read from storage.
    pub(crate) async fn open(
        engine: Arc<dyn Engine>,
        storage: Storage,
        indexes_max: usize,
        states: Arc<States>,
        batches: BatchSizes,
    ) -> Result<Self, OperationError> {
        let inner = IndexingState {
            storage,
            states,
            engine,
            stores: Stores::new(indexes_max),
            lags: Lags::default(),
            turns: Turns::new(CONCURRENT_BATCHES_MAX),
            batches,
            rebuilds: Rebuilds::default(),
            rejected: Arc::default(),
            warming: watch::Sender::default(),
            opening: RwLock::default(),
            closing: watch::Sender::new(false),
        };
        let indexing = Self {
            inner: Arc::new(inner),
        };
        let stores = indexing.inner.storage.stores().await?;
        indexing.warm(stores.into_iter().map(|store| store.id).collect());
        Ok(indexing)
    }

    /// Returns the current searchable state of a store; opens the store if necessary.
    ///
    /// Errors: `NotFound` for an unknown store, `Unavailable` if an index cannot be opened.
    pub async fn snapshot(&self, store: &StoreId) -> Result<Arc<StoreSnapshot>, OperationError> {
        Ok(self.inner.store(store).await?.current())
    }

    /// Returns the searchable state of a store if it is open.
    fn opened(&self, store: &StoreId) -> Option<Arc<StoreSnapshot>> {
        self.inner.stores.opened(store).map(|open| open.current())
    }

    /// Notifies the indexer of a committed block and hands over its changes; an index that is not open reads them from
    /// storage.
    pub(crate) fn written(&self, store: &StoreId, written: Written) {
        let index = written.index;
        if let Some(open) = self.inner.stores.opened(store)
            && let Some(task) = open.index(index)
        {
            task.hand_over(written);
        }
        self.changed(store, index);
    }

    /// Notifies the indexer of changes of an index, or of a new index.
    pub fn changed(&self, store: &StoreId, index: IndexId) {
        self.inner.lags.note(index);
        self.retry_until_done(
            store,
            "an index cannot be opened",
            move |inner, store| async move { inner.wake(&store, index).await },
        );
    }

    /// Notifies the indexer that a run has closed, after which average lengths are recomputed.
    pub fn run_closed(&self, store: &StoreId, index: IndexId) {
        let (inner, store) = (Arc::clone(&self.inner), store.clone());
        tokio::spawn(async move {
            if let Ok(open) = inner.store(&store).await
                && let Some(task) = open.index(index)
            {
                task.freeze();
            }
        });
    }

    /// Rebuilds an index from storage beside the one that is searched, and swaps it in when it is complete; joins a
    /// rebuild in progress.
    pub fn rebuild(&self, row: &IndexRow) -> watch::Receiver<Rebuild> {
        self.inner.rebuild(row)
    }

    /// Returns the progress of the last rebuild of an index since the start, if any.
    pub fn last_rebuild(&self, index: IndexId) -> Option<Rebuild> {
        let last = self.inner.rebuilds.last(index)?;
        Some(last.borrow().clone())
    }

    /// Returns the age of the oldest acknowledged change that is not searchable yet.
    pub fn lag(&self, index: IndexId) -> Duration {
        self.inner.lags.of(index)
    }

    /// Returns the age of the oldest change of all indexes that is not searchable yet, and how many indexes have one.
    pub fn behind(&self) -> (Duration, usize) {
        self.inner.lags.behind()
    }

    /// Waits until the lag is below `bound`, at most `at_most`, and returns the lag.
    pub async fn wait_until_lag_below(
        &self,
        index: IndexId,
        bound: Duration,
        at_most: Duration,
    ) -> Duration {
        self.inner.lags.wait_below(index, bound, at_most).await
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
        for index in self.inner.storage.indices_of(&permit).await? {
            let none = Duration::from_nanos(1);
            let lag = self.wait_until_lag_below(index.id, none, at_most).await;
            searchable &= lag < none;
        }
        Ok(searchable)
    }

    /// Publishes a store's saved configuration, its name and its languages anew, with no remembered answers.
    ///
    /// Does not wait for a store that is not open: it reads the configuration when it opens.
    pub async fn configuration_changed(&self, store: &StoreId) {
        let save = self.inner.stores.note_save(store);
        if self.opened(store).is_some() && self.inner.refresh(store, save).await.is_ok() {
            return;
        }
        let failing = "a saved configuration could not be published";
        self.retry_until_done(store, failing, move |inner, store| async move {
            inner.refresh(&store, save).await
        });
    }

    /// Closes a store that does not exist any more for anybody, and waits for the writers of its indexes.
    pub(crate) async fn close_store(&self, store: &StoreId) {
        self.inner.close_one(store).await;
    }

    /// Deletes the files of an index, whose store is closed.
    ///
    /// Errors: if they cannot be deleted now.
    pub(crate) async fn discard(&self, index: IndexId) -> Result<(), OperationError> {
        self.inner.lags.forget(index);
        let engine = Arc::clone(&self.inner.engine);
        tokio::task::spawn_blocking(move || engine.discard(index))
            .await
            .map_err(OperationError::internal)?
            .map_err(OperationError::internal)
    }

    /// Runs `work` for a store in the background. There is no second notification, so it is retried until it succeeds
    /// or the service closes: the next start reads everything from storage.
    fn retry_until_done<W>(
        &self,
        store: &StoreId,
        failing: &'static str,
        work: impl Fn(Arc<IndexingState>, StoreId) -> W + Send + 'static,
    ) where
        W: Future<Output = Result<(), OperationError>> + Send,
    {
        let (inner, store) = (Arc::clone(&self.inner), store.clone());
        tokio::spawn(async move {
            while let Err(error) = work(Arc::clone(&inner), store.clone()).await {
                // A store that was closed in the meantime has nothing left to do.
                let gone = matches!(error, OperationError::NotFound { .. });
                if gone || *inner.closing.borrow() {
                    return;
                }
                tracing::error!(%store, error = ?error, "{failing}");
                if inner.closed_within(RETRY).await {
                    return;
                }
            }
        });
    }

    /// Returns statistics of an index; all 0 while it is not open.
    pub fn statistics(&self, index: IndexId) -> IndexStatistics {
        let Some(task) = self.inner.stores.find(index) else {
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
        self.inner.rejected.load(Ordering::Relaxed)
    }

    /// Returns the number of open indexes.
    pub fn open_indexes(&self) -> usize {
        self.inner.stores.open_indexes()
    }

    /// Returns the fill level of each cache of the engine, by name.
    pub fn engine_caches(&self) -> Vec<(&'static str, CacheUsage)> {
        self.inner.engine.caches()
    }

    /// Returns whether the engine keeps its indexes as files on this machine.
    pub fn has_files(&self) -> bool {
        self.inner.engine.files().is_some()
    }

    /// Copies the files of an index into the new directory `to`; returns whether there are any.
    ///
    /// Errors: if a file cannot be copied.
    pub async fn copy(&self, row: &IndexRow, to: PathBuf) -> Result<bool, OperationError> {
        let task = self.inner.stores.find(row.id);
        // Commits wait, so that only the end of a merge can disturb the copy.
        let _writing = match &task {
            Some(task) => Some(task.writing().await),
            None => None,
        };
        let (engine, spec) = (Arc::clone(&self.inner.engine), follower::spec(row, false));
        follower::blocking(move || {
            engine
                .files()
                .map_or(Ok(false), |files| files.copy(&spec, &to))
        })
        .await
    }

    /// Returns the number of the last change that the index no longer needs from storage; 0 while it is closed or
    /// rebuilt.
    pub fn passed(&self, index: IndexId) -> i64 {
        let rebuilt = self.last_rebuild(index);
        if rebuilt.is_some_and(|rebuild| !rebuild.is_over()) {
            return 0;
        }
        let task = self.inner.stores.find(index);
        task.map_or(0, |task| task.applied())
    }

    /// Returns a predicate for fields that any document of the store fills; `None` while the store is not open.
    pub fn filled_fields(&self, store: &StoreId) -> Option<impl Fn(FieldId) -> bool + use<>> {
        let snapshot = self.opened(store)?;
        let facts: Vec<Arc<Facts>> = snapshot.indexes().map(|(_, index)| index.facts()).collect();
        Some(move |field| facts.iter().any(|of_index| of_index.has_values(field)))
    }

    /// Returns the bytes of the compiled regular expressions of a store's rules; 0 while the store is not open.
    pub(crate) fn pattern_bytes(&self, store: &StoreId) -> usize {
        self.opened(store).map_or(0, |state| state.pattern_bytes())
    }

    /// Stops the tasks after their current batch, and waits for the writers.
    pub async fn close(&self) {
        self.inner.closing.send_replace(true);
        drop(self.inner.opening.write().await);
        self.inner.close_all().await;
    }
}

impl std::fmt::Debug for Indexing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Indexing").finish_non_exhaustive()
    }
}
