//! The task of one index: keeps it up to date with storage while it is open, and swaps in a rebuilt one.

use super::follower::{Follower, blocking, spec};
use super::written::Written;
use super::{IndexingState, RETRY, RETRY_FIRST};
use crate::OperationError;
use crate::snapshots::open_store::Published;
use domain::IndexId;
use domain::feed::FeedScope;
use engine::IndexSpec;
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use storage::IndexRow;
use tokio::sync::{Mutex, MutexGuard, Notify, watch};
use tokio::time::{sleep, timeout};

/// How long an index has no work before its next step towards idle.
const IDLE_STEP_AFTER: Duration = Duration::from_secs(5);

/// An open index and its task.
pub(crate) struct IndexTask {
    row: IndexRow,
    /// The index that is searched.
    serving: RwLock<Arc<Follower>>,
    /// Locked while the index that is searched is written or replaced.
    writing: Mutex<()>,
    /// The changes of the last committed block, until the next batch takes them.
    handed_over: parking_lot::Mutex<Option<Written>>,
    freeze: AtomicBool,
    /// Consecutive failed tries.
    failures: AtomicU32,
    work: Notify,
}

impl IndexTask {
    /// Opens an index. One on this machine loads its numbers and applies the changes that it lacks; any other is
    /// searched as it is, and its task applies them.
    ///
    /// A new index holds the substrings of names if `partial` is set.
    pub async fn open(
        inner: &Arc<IndexingState>,
        row: &IndexRow,
        partial: bool,
        known: bool,
    ) -> Result<Self, OperationError> {
        let _opening = inner.opening.read().await;
        let spec = spec(row, partial);
        let follower = Self::complete(inner, row, spec.clone(), (false, known)).await?;
        let behind = !follower.is_local() && follower.is_behind(inner).await?;
        let now = inner.storage.index(row.id).await?;
        let ghosts = now.is_some_and(|now| {
            !behind
                && now.sequence == row.sequence
                && follower.index.snapshot().facts().documents > now.documents.unsigned_abs()
        });
        let follower = if ghosts {
            // An old copy of the index lacks deletions whose marks storage has removed.
            tracing::warn!(index = %row.id, "the index holds deleted documents, rebuilding it");
            drop(follower);
            Self::complete(inner, row, spec, (true, known)).await?
        } else {
            follower
        };
        if !follower.is_local() && (behind || ghosts) {
            inner.lags.note(row.id);
        }
        Ok(Self {
            row: row.clone(),
            serving: RwLock::new(Arc::new(follower)),
            writing: Mutex::default(),
            handed_over: parking_lot::Mutex::default(),
            freeze: AtomicBool::new(false),
            failures: AtomicU32::new(0),
            work: Notify::new(),
        })
    }

    async fn complete(
        inner: &Arc<IndexingState>,
        row: &IndexRow,
        spec: IndexSpec,
        (renewed, known): (bool, bool),
    ) -> Result<Follower, OperationError> {
        inner.ensure_open()?;
        let (engine, sequence) = (Arc::clone(&inner.engine), row.sequence);
        let index = blocking(move || {
            if renewed {
                return engine.renew(&spec);
            }
            let index = engine.open(&spec)?;
            // An index ahead of storage belongs to a state that storage has lost.
            if index.watermark() > sequence {
                engine.renew(&spec)
            } else {
                Ok(index)
            }
        })
        .await?;
        if known && !renewed && row.documents > 0 && index.watermark() == 0 {
            let documents = row.documents;
            tracing::warn!(index = %row.id, documents, "the stored documents have no index, building it: it was deleted, or they were imported while no server ran");
        }
        let follower = Follower::new(row, index);
        if !follower.is_local() {
            return Ok(follower);
        }
        follower.load(inner).await?;
        loop {
            let _turn = inner.turn(&row.store).await;
            if !follower.catch_up(inner, None).await?.more {
                return Ok(follower);
            }
            inner.ensure_open()?;
        }
    }

    /// Returns the row of the index as of when it was opened.
    pub fn row(&self) -> &IndexRow {
        &self.row
    }

    /// Returns the number of the index.
    pub fn id(&self) -> IndexId {
        self.row.id
    }

    /// Returns type and language of the index.
    pub fn scope(&self) -> &FeedScope {
        &self.row.scope
    }

    /// Hands over the changes of the last committed block, unless earlier changes have to be read from storage anyway.
    pub fn hand_over(&self, written: Written) {
        if written.before == self.applied() {
            *self.handed_over.lock() = Some(written);
        }
    }

    /// Wakes the task.
    pub fn wake(&self) {
        self.work.notify_one();
    }

    /// Recomputes the average lengths after the next batch.
    pub fn freeze(&self) {
        self.freeze.store(true, Ordering::Release);
        self.work.notify_one();
    }

    /// Returns the number of the last change that is searchable.
    pub fn applied(&self) -> i64 {
        self.serving().applied()
    }

    /// Returns the searchable state of the index.
    pub fn snapshot(&self) -> Arc<dyn engine::Snapshot> {
        self.serving().index.snapshot()
    }

    /// Locks the index that is searched against writes.
    pub async fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().await
    }

    fn serving(&self) -> Arc<Follower> {
        Arc::clone(&self.serving.read())
    }

    /// Returns whether no write is in progress and nothing waits for a retry.
    pub fn is_idle(&self) -> bool {
        self.writing.try_lock().is_ok()
            && self.failures.load(Ordering::Relaxed) == 0
            && !self.freeze.load(Ordering::Acquire)
    }

    /// Runs the task until the store is closed, then releases the index.
    pub async fn run(
        &self,
        inner: &Arc<IndexingState>,
        published: &Published,
        mut ending: watch::Receiver<bool>,
    ) {
        let mut writing = false;
        while !*ending.borrow_and_update() {
            let woken = tokio::select! {
                woken = timeout(IDLE_STEP_AFTER, self.work.notified()) => woken.is_ok(),
                _ = ending.changed() => continue,
            };
            if woken {
                self.work(inner, published).await;
                writing = true;
            } else if writing {
                writing = !self.idle_step(published).await;
            } else {
                continue;
            }
            inner.close_surplus();
        }
        let _writing = self.writing.lock().await;
        let serving = self.serving();
        let released = blocking(move || {
            serving.release();
            Ok(())
        });
        if let Err(error) = released.await {
            tracing::warn!(index = %self.row.id, error = ?error, "an index was not released");
        }
    }

    async fn work(&self, inner: &Arc<IndexingState>, published: &Published) {
        loop {
            match self.catch_up(inner, published).await {
                Ok(more) => {
                    self.failures.store(0, Ordering::Relaxed);
                    if !more {
                        inner.lags.end(self.row.id);
                    }
                    if *inner.closing.borrow() || !more {
                        break;
                    }
                }
                Err(error) => {
                    tracing::error!(index = %self.row.id, error = ?error, "a batch could not be applied");
                    return self.retry_later().await;
                }
            }
        }
        if self.freeze.swap(false, Ordering::AcqRel) {
            let _writing = self.writing.lock().await;
            let serving = self.serving();
            if let Err(error) = blocking(move || serving.freeze_averages()).await {
                tracing::warn!(index = %self.row.id, error = ?error, "average lengths were not computed");
                self.freeze.store(true, Ordering::Release);
                self.retry_later().await;
            }
            self.publish(published);
        }
    }

    /// Retries after a pause, which doubles with every failure.
    async fn retry_later(&self) {
        let failures = self.failures.fetch_add(1, Ordering::Relaxed);
        sleep(RETRY.min(RETRY_FIRST * 2_u32.pow(failures.min(8)))).await;
        self.work.notify_one();
    }

    /// Applies the next batch; returns whether storage may have more changes.
    async fn catch_up(
        &self,
        inner: &Arc<IndexingState>,
        published: &Published,
    ) -> Result<bool, OperationError> {
        let _writing = self.writing.lock().await;
        let _turn = inner.turn(&self.row.store).await;
        inner.lags.begin(self.row.id);
        let handed = self.handed_over.lock().take();
        let step = self.serving().catch_up(inner, handed).await?;
        self.publish(published);
        Ok(step.more)
    }

    /// Takes one step towards idle; returns whether it was the last.
    async fn idle_step(&self, published: &Published) -> bool {
        let _writing = self.writing.lock().await;
        let serving = self.serving();
        match blocking(move || serving.go_idle()).await {
            Ok(is_last) => {
                self.publish(published);
                is_last
            }
            Err(error) => {
                tracing::warn!(index = %self.row.id, error = ?error, "an index could not become idle");
                true
            }
        }
    }

    /// Applies all changes of storage; returns the follower of the index that is searched, its current state, and the
    /// number of the last change in it.
    pub async fn caught_up(
        &self,
        inner: &Arc<IndexingState>,
        published: &Published,
    ) -> Result<(Arc<Follower>, Arc<dyn engine::Snapshot>, i64), OperationError> {
        let _writing = self.writing.lock().await;
        let serving = self.serving();
        loop {
            let _turn = inner.turn(&self.row.store).await;
            if !serving.catch_up(inner, None).await?.more {
                break;
            }
        }
        self.publish(published);
        let (snapshot, applied) = (serving.index.snapshot(), serving.applied());
        Ok((serving, snapshot, applied))
    }

    /// Replaces the index that is searched by a rebuilt one, once that has caught up.
    pub async fn replace(
        &self,
        inner: &Arc<IndexingState>,
        published: &Published,
        rebuilt: Arc<Follower>,
    ) -> Result<(), OperationError> {
        let _writing = self.writing.lock().await;
        loop {
            let _turn = inner.turn(&self.row.store).await;
            if !rebuilt.catch_up(inner, None).await?.more {
                break;
            }
        }
        let index = Arc::clone(&rebuilt.index);
        blocking(move || index.complete()).await?;
        let former = std::mem::replace(&mut *self.serving.write(), rebuilt);
        self.publish(published);
        blocking(move || {
            former.index.retire();
            Ok(())
        })
        .await
    }

    fn publish(&self, published: &Published) {
        published.index(&self.row.scope, &self.snapshot());
    }
}
