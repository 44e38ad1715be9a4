//! The task of one index: keeps it up to date with storage while it is open, and swaps in a rebuilt one.

use super::follower::{Follower, blocking, spec};
use super::opening::{filled, opened};
use super::shared::Shared;
use super::written::Written;
use crate::OperationError;
use crate::snapshots::open_index::{Boxed, OpenIndex};
use crate::snapshots::published::Published;
use domain::IndexId;
use domain::feed::FeedScope;
use engine::{AVERAGES_MOVED, IndexSpec};
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use storage::IndexRow;
use tokio::sync::{Mutex, MutexGuard, Notify, watch};
use tokio::time::{sleep, timeout};

/// Longest pause before a failed batch is tried again.
const RETRY: Duration = Duration::from_secs(1);
/// Pause before a batch that failed once is tried again.
const RETRY_FIRST: Duration = Duration::from_millis(50);
/// Pause before it is looked again at what another server writes.
const ELSEWHERE: Duration = Duration::from_millis(500);
/// How long an index has no work before its next step towards idle.
const IDLE_STEP_AFTER: Duration = Duration::from_secs(5);

/// How far the task of an index has come with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CatchUp {
    /// Storage may have more changes.
    More,
    /// It has none.
    Done,
    /// Another server applies changes to the index, which they share.
    Elsewhere,
}

impl CatchUp {
    fn new(more: bool) -> Self {
        if more { Self::More } else { Self::Done }
    }
}

/// An open index and its task.
pub(super) struct IndexTask {
    shared: Arc<Shared>,
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
        shared: &Arc<Shared>,
        row: &IndexRow,
        partial: bool,
        known: bool,
    ) -> Result<Self, OperationError> {
        let _opening = shared.opening.read().await;
        let spec = spec(row, partial);
        let of_another_past = shared.distrusted.has(row.id);
        let follower = Self::complete(shared, row, spec.clone(), (of_another_past, known)).await?;
        shared.distrusted.end(row.id);
        let behind = !follower.is_local() && follower.is_behind(shared).await?;
        let now = shared.storage.index(row.id).await?;
        let ghosts = now.is_some_and(|now| {
            !behind
                && now.sequence == row.sequence
                && follower.index.snapshot().facts().documents > now.documents.unsigned_abs()
        });
        let follower = if ghosts {
            // An old copy of the index lacks deletions whose marks storage has removed.
            tracing::warn!(index = %row.id, "the index holds deleted documents, rebuilding it");
            drop(follower);
            Self::complete(shared, row, spec, (true, known)).await?
        } else {
            follower
        };
        if !follower.is_local() && (behind || ghosts) {
            shared.progress.note(row.id);
        }
        Ok(Self {
            shared: Arc::clone(shared),
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
        shared: &Arc<Shared>,
        row: &IndexRow,
        spec: IndexSpec,
        (renewed, known): (bool, bool),
    ) -> Result<Follower, OperationError> {
        shared.closing.ensure_open()?;
        if !renewed {
            filled(shared, row, &spec).await?;
        }
        let index = opened(shared, row, spec, renewed).await?;
        if known && !renewed && row.documents > 0 && index.watermark() == 0 {
            let documents = row.documents;
            tracing::warn!(index = %row.id, documents, "the stored documents have no index, building it: it was deleted, or they were imported while no server ran");
        }
        let follower = Follower::new(row, index);
        if !follower.is_local() {
            return Ok(follower);
        }
        follower.load(shared).await?;
        loop {
            let _turn = shared.turn(&row.store).await;
            if !follower.catch_up(shared, None).await?.more {
                return Ok(follower);
            }
            shared.closing.ensure_open()?;
        }
    }

    /// Returns the row of the index as of when it was opened.
    pub fn row(&self) -> &IndexRow {
        &self.row
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

    /// Locks the index that is searched against writes.
    pub async fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().await
    }

    fn serving(&self) -> Arc<Follower> {
        Arc::clone(&self.serving.read())
    }

    /// Runs the task until the store is closed, then releases the index.
    async fn follow(&self, published: &Published, mut ending: watch::Receiver<bool>) {
        self.shared.progress.applied(self.row.id, self.applied());
        // Applies changes that arrived while the index was being opened.
        self.wake();
        let mut writing = false;
        while !*ending.borrow_and_update() {
            let woken = tokio::select! {
                woken = timeout(IDLE_STEP_AFTER, self.work.notified()) => woken.is_ok(),
                _ = ending.changed() => continue,
            };
            if woken || self.serving().index.is_gone() {
                self.work(published).await;
                writing = true;
            } else if writing {
                writing = !self.idle_step(published).await;
            } else {
                continue;
            }
            self.shared.snapshots.close_surplus();
        }
        let _writing = self.writing.lock().await;
        self.shared.progress.closed(self.row.id);
        let serving = self.serving();
        if !serving.is_local() {
            self.shared.writers.give_back(self.row.id).await;
        }
        let released = blocking(move || {
            serving.release();
            Ok(())
        });
        if let Err(error) = released.await {
            tracing::warn!(index = %self.row.id, error = ?error, "an index was not released");
        }
    }

    async fn work(&self, published: &Published) {
        loop {
            match self.catch_up(published).await {
                Ok(CatchUp::Elsewhere) => {
                    sleep(ELSEWHERE).await;
                    return self.work.notify_one();
                }
                Ok(step) => {
                    self.failures.store(0, Ordering::Relaxed);
                    let more = step == CatchUp::More;
                    if !more {
                        self.shared.progress.end(self.row.id);
                    }
                    if self.shared.closing.has_begun() || !more {
                        break;
                    }
                }
                // Storage may be closed before the task ends; the next start applies the batch.
                Err(_) if self.shared.closing.has_begun() => return,
                Err(error) => {
                    tracing::error!(index = %self.row.id, error = ?error, "a batch could not be applied");
                    return self.retry_later().await;
                }
            }
        }
        if self.freeze.swap(false, Ordering::AcqRel) {
            let _writing = self.writing.lock().await;
            let serving = self.serving();
            if let Err(error) = blocking(move || serving.freeze_averages(AVERAGES_MOVED)).await {
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

    /// Applies the next batch, or looks at what another server has applied.
    async fn catch_up(&self, published: &Published) -> Result<CatchUp, OperationError> {
        let _writing = self.writing.lock().await;
        let _turn = self.shared.turn(&self.row.store).await;
        self.shared.progress.begin(self.row.id);
        let handed = self.handed_over.lock().take();
        let serving = self.serving();
        if serving.is_local() {
            let step = serving.catch_up(&self.shared, handed).await?;
            self.publish(published);
            return Ok(CatchUp::new(step.more));
        }
        if !self.take_over(published).await? {
            self.publish(published);
            return Ok(match serving.is_behind(&self.shared).await? {
                true => CatchUp::Elsewhere,
                false => CatchUp::Done,
            });
        }
        let step = serving.catch_up(&self.shared, handed).await;
        if !step.as_ref().is_ok_and(|step| step.more) {
            self.shared.writers.give_back(self.row.id).await;
        }
        self.publish(published);
        Ok(CatchUp::new(step?.more))
    }

    /// Takes over what other servers have applied to an index that they share, and builds it where the cluster has lost it;
    /// returns whether this one writes it now.
    async fn take_over(&self, published: &Published) -> Result<bool, OperationError> {
        loop {
            let writes = self.shared.writers.take(self.row.id).await?;
            let exists = match self.serving().reread().await {
                Ok(exists) => exists,
                Err(error) => {
                    // Another server may have a way to the cluster.
                    self.shared.writers.give_back(self.row.id).await;
                    return Err(error);
                }
            };
            if exists || !writes {
                return Ok(writes);
            }
            self.shared.closing.ensure_open()?;
            let Some(row) = self.shared.storage.index(self.row.id).await? else {
                return Ok(false);
            };
            tracing::warn!(index = %row.id, documents = row.documents, "the cluster has no such index any more, building it");
            let configuration = &published.current().configuration;
            let spec = spec(&row, configuration.searches_substrings());
            filled(&self.shared, &row, &spec).await?;
            opened(&self.shared, &row, spec, false).await?;
        }
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
        published: &Published,
    ) -> Result<(Arc<Follower>, Arc<dyn engine::Snapshot>, i64), OperationError> {
        let _writing = self.writing.lock().await;
        let serving = self.serving();
        let writes = serving.is_local() || self.take_over(published).await?;
        // What another server writes is as far as it is; later changes are for its next batches.
        let mut more = writes;
        while more {
            let _turn = self.shared.turn(&self.row.store).await;
            more = serving.catch_up(&self.shared, None).await?.more;
        }
        if !serving.is_local() {
            self.shared.writers.give_back(self.row.id).await;
        }
        self.publish(published);
        let (snapshot, applied) = (serving.index.snapshot(), serving.applied());
        Ok((serving, snapshot, applied))
    }

    /// Replaces the index that is searched by a rebuilt one, once that has caught up.
    pub async fn replace(
        &self,
        published: &Published,
        rebuilt: Arc<Follower>,
    ) -> Result<(), OperationError> {
        let _writing = self.writing_alone().await?;
        let completed = self.completed(&rebuilt).await;
        let is_local = rebuilt.is_local();
        if completed.is_ok() {
            let former = std::mem::replace(&mut *self.serving.write(), rebuilt);
            self.publish(published);
            blocking(move || {
                former.index.retire();
                Ok(())
            })
            .await?;
        }
        if !is_local {
            self.shared.writers.give_back(self.row.id).await;
            // Another server may have applied later changes to the former index.
            self.wake();
        }
        completed
    }

    /// Applies the last changes to a rebuilt index, which is the one to open from now on.
    async fn completed(&self, rebuilt: &Follower) -> Result<(), OperationError> {
        loop {
            let _turn = self.shared.turn(&self.row.store).await;
            if !rebuilt.catch_up(&self.shared, None).await?.more {
                break;
            }
        }
        let index = Arc::clone(&rebuilt.index);
        blocking(move || index.complete()).await
    }

    /// Locks the index that is searched against writes, also those of other servers.
    async fn writing_alone(&self) -> Result<MutexGuard<'_, ()>, OperationError> {
        loop {
            let writing = self.writing.lock().await;
            if self.serving().is_local() || self.shared.writers.take(self.row.id).await? {
                return Ok(writing);
            }
            drop(writing);
            self.shared.closing.ensure_open()?;
            sleep(ELSEWHERE).await;
        }
    }

    fn publish(&self, published: &Published) {
        published.index(&self.row.scope, &self.snapshot());
        self.shared.progress.applied(self.row.id, self.applied());
    }
}

impl OpenIndex for IndexTask {
    fn id(&self) -> IndexId {
        self.row.id
    }

    fn scope(&self) -> &FeedScope {
        &self.row.scope
    }

    fn snapshot(&self) -> Arc<dyn engine::Snapshot> {
        self.serving().index.snapshot()
    }

    fn is_idle(&self) -> bool {
        let progress = &self.shared.progress;
        let rebuild = progress.last_rebuild(self.row.id);
        self.writing.try_lock().is_ok()
            && self.failures.load(Ordering::Relaxed) == 0
            && !self.freeze.load(Ordering::Acquire)
            && !progress.is_behind(self.row.id)
            && rebuild.is_none_or(|last| last.borrow().is_over())
    }

    fn run(
        self: Arc<Self>,
        published: Arc<Published>,
        ending: watch::Receiver<bool>,
    ) -> Boxed<'static, ()> {
        Box::pin(async move { self.follow(&published, ending).await })
    }
}
