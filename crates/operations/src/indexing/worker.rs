//! The task of one index: keeps it up with storage while it is open, and takes a rebuilt one in its place.

use super::follower::{Follower, blocking, spec};
use super::open_store::Published;
use super::written::Written;
use super::{IndexingState, RETRY, RETRY_FIRST};
use crate::OperationError;
use domain::IndexId;
use domain::feed::FeedScope;
use engine::{Index, IndexSpec};
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use storage::IndexRow;
use tokio::sync::{Mutex, MutexGuard, Notify, watch};
use tokio::time::{sleep, timeout};

/// How long an index without work waits for its next step towards rest.
const WRITER_IDLE: Duration = Duration::from_secs(5);

/// One open index and its task.
pub(super) struct IndexTask {
    row: IndexRow,
    /// The index that is searched.
    serving: RwLock<Arc<Follower>>,
    /// Held by whoever writes into the index that is searched, or puts another in its place.
    writing: Mutex<()>,
    /// The changes of the block that was committed last, until somebody catches up.
    handed: parking_lot::Mutex<Option<Written>>,
    freeze: AtomicBool,
    /// Tries that failed since the last one that did not.
    failures: AtomicU32,
    work: Notify,
}

impl IndexTask {
    /// Opens an index, reads the numbers of its documents, and applies what it lacks.
    ///
    /// A new one holds the parts of the words of names if `partial` says so.
    pub async fn open(
        inner: &Arc<IndexingState>,
        row: &IndexRow,
        partial: bool,
        known: bool,
    ) -> Result<Self, OperationError> {
        let _opening = inner.opening.read().await;
        let spec = spec(row, partial);
        let follower = Self::complete(inner, row, spec.clone(), (false, known)).await?;
        let now = inner.storage.index(row.id).await?;
        let ghosts = now.is_some_and(|now| {
            now.sequence == row.sequence
                && follower.index.snapshot().documents() > now.documents.unsigned_abs()
        });
        let follower = if ghosts {
            // Storage has forgotten deletions that an old copy of the index never heard of.
            tracing::warn!(index = %row.id, "the index holds deleted documents, building it anew");
            drop(follower);
            Self::complete(inner, row, spec, (true, known)).await?
        } else {
            follower
        };
        Ok(Self {
            row: row.clone(),
            serving: RwLock::new(Arc::new(follower)),
            writing: Mutex::default(),
            handed: parking_lot::Mutex::default(),
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
        inner.still_open()?;
        let (engine, sequence) = (Arc::clone(&inner.engine), row.sequence);
        let index = blocking(move || {
            if renewed {
                return engine.renew(&spec);
            }
            let index = engine.open(&spec)?;
            // An index ahead of storage belongs to a state that storage no longer has.
            if index.watermark() > sequence {
                engine.renew(&spec)
            } else {
                Ok(index)
            }
        })
        .await?;
        if known && !renewed && row.documents > 0 && index.watermark() == 0 {
            let documents = row.documents;
            tracing::warn!(index = %row.id, documents, "there is no index of documents that storage has, building it");
        }
        let follower = Follower::new(row, index);
        follower.load(inner).await?;
        loop {
            let _turn = inner.turn(&row.store).await;
            if !follower.catch_up(inner, None).await?.more {
                return Ok(follower);
            }
            inner.still_open()?;
        }
    }

    /// The index as storage knew it when it was opened.
    pub fn row(&self) -> &IndexRow {
        &self.row
    }

    /// Number of its index.
    pub fn id(&self) -> IndexId {
        self.row.id
    }

    /// What its index holds.
    pub fn scope(&self) -> &FeedScope {
        &self.row.scope
    }

    /// Hands over what was committed last, unless more lies before it, which has to be read from storage anyway.
    pub fn hand(&self, written: Written) {
        if written.before == self.applied() {
            *self.handed.lock() = Some(written);
        }
    }

    /// Sets the task to work.
    pub fn wake(&self) {
        self.work.notify_one();
    }

    /// Has the average lengths taken anew after the next catching up.
    pub fn freeze(&self) {
        self.freeze.store(true, Ordering::Release);
        self.work.notify_one();
    }

    /// Number of the last change that is searchable.
    pub fn applied(&self) -> i64 {
        self.serving().applied()
    }

    /// What can be searched.
    pub fn snapshot(&self) -> Arc<dyn engine::Snapshot> {
        self.serving().index.snapshot()
    }

    /// Keeps everybody from writing into the index that is searched.
    pub async fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().await
    }

    fn serving(&self) -> Arc<Follower> {
        Arc::clone(&self.serving.read())
    }

    /// Whether nobody writes into the index that is searched, and nothing waits for another try.
    pub fn is_idle(&self) -> bool {
        self.writing.try_lock().is_ok()
            && self.failures.load(Ordering::Relaxed) == 0
            && !self.freeze.load(Ordering::Acquire)
    }

    /// Works until the store is closed, and lets go of the index then.
    pub async fn run(
        &self,
        inner: &Arc<IndexingState>,
        published: &Published,
        mut ending: watch::Receiver<bool>,
    ) {
        let mut writing = false;
        while !*ending.borrow_and_update() {
            let woken = tokio::select! {
                woken = timeout(WRITER_IDLE, self.work.notified()) => woken.is_ok(),
                _ = ending.changed() => continue,
            };
            if woken {
                self.work(inner, published).await;
                writing = true;
            } else if writing {
                writing = !self.rest(published).await;
            } else {
                continue;
            }
            inner.close_surplus();
        }
        let _writing = self.writing.lock().await;
        let index = Arc::clone(&self.serving().index);
        let released = blocking(move || {
            index.release();
            Ok(())
        });
        if let Err(error) = released.await {
            tracing::warn!(index = %self.row.id, error = ?error, "an index was not let go of");
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
                    return self.try_again().await;
                }
            }
        }
        if self.freeze.swap(false, Ordering::AcqRel) {
            let _writing = self.writing.lock().await;
            let index = Arc::clone(&self.serving().index);
            if let Err(error) = blocking(move || index.freeze_averages()).await {
                tracing::warn!(index = %self.row.id, error = ?error, "average lengths were not taken");
                self.freeze.store(true, Ordering::Release);
                self.try_again().await;
            }
            self.publish(published);
        }
    }

    /// Has the work tried again after a pause, which grows while it goes on failing.
    async fn try_again(&self) {
        let failures = self.failures.fetch_add(1, Ordering::Relaxed);
        sleep(RETRY.min(RETRY_FIRST * 2_u32.pow(failures.min(8)))).await;
        self.work.notify_one();
    }

    /// Applies the next batch; tells whether storage may hold more.
    async fn catch_up(
        &self,
        inner: &Arc<IndexingState>,
        published: &Published,
    ) -> Result<bool, OperationError> {
        let _writing = self.writing.lock().await;
        let _turn = inner.turn(&self.row.store).await;
        inner.lags.begin(self.row.id);
        let handed = self.handed.lock().take();
        let step = self.serving().catch_up(inner, handed).await?;
        self.publish(published);
        Ok(step.more)
    }

    /// One step towards rest; tells whether it was the last.
    async fn rest(&self, published: &Published) -> bool {
        let _writing = self.writing.lock().await;
        let index = Arc::clone(&self.serving().index);
        match blocking(move || index.go_idle()).await {
            Ok(rested) => {
                self.publish(published);
                rested
            }
            Err(error) => {
                tracing::warn!(index = %self.row.id, error = ?error, "an index found no rest");
                true
            }
        }
    }

    /// The index that is searched, a state of it that holds all that storage had when it was asked for, and the number
    /// of the last change in that.
    pub async fn brought_up(
        &self,
        inner: &Arc<IndexingState>,
        published: &Published,
    ) -> Result<(Arc<dyn Index>, Arc<dyn engine::Snapshot>, i64), OperationError> {
        let _writing = self.writing.lock().await;
        let serving = self.serving();
        loop {
            let _turn = inner.turn(&self.row.store).await;
            if !serving.catch_up(inner, None).await?.more {
                break;
            }
        }
        self.publish(published);
        let index = Arc::clone(&serving.index);
        let snapshot = index.snapshot();
        Ok((index, snapshot, serving.applied()))
    }

    /// Puts a rebuilt index in the place of the one that is searched, once it holds all that this one holds.
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
