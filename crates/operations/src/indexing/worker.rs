//! The task of one index: takes what changed in storage after its watermark and applies it.

use super::stores::OpenStore;
use super::{Inner, RETRY};
use crate::OperationError;
use domain::document::DocType;
use domain::feed::FeedScope;
use domain::{Document, IndexId};
use engine::{Batch, Change, EngineError, Index, IndexSpec};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;
use storage::{IndexRow, StoredDocument};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

/// Documents of one batch.
const BATCH_DOCUMENTS: usize = 4_000;
/// Documents whose numbers are read at once when an index is opened.
const LOADED_DOCUMENTS: usize = 10_000;
/// How long an index without work waits for its next step towards rest.
const WRITER_IDLE: Duration = Duration::from_secs(5);

/// One open index and its task.
pub(super) struct IndexTask {
    row: IndexRow,
    index: Arc<dyn Index>,
    /// Number of the last change of storage that is searchable.
    applied: AtomicI64,
    freeze: AtomicBool,
    work: Notify,
}

impl IndexTask {
    /// Opens an index, reads the numbers of its documents, and applies what it lacks.
    pub async fn open(inner: &Arc<Inner>, row: &IndexRow) -> Result<Self, OperationError> {
        let _opening = inner.opening.read().await;
        let task = Self::complete(inner, row, false).await?;
        let now = inner.storage.index(row.id).await?;
        let ghosts = now.is_some_and(|now| {
            now.sequence == row.sequence
                && task.snapshot().documents() > now.documents.unsigned_abs()
        });
        if !ghosts {
            return Ok(task);
        }
        // Storage has forgotten deletions that an old copy of the index never heard of.
        tracing::warn!(index = %row.id, "the index holds deleted documents, building it anew");
        drop(task);
        Self::complete(inner, row, true).await
    }

    async fn complete(
        inner: &Arc<Inner>,
        row: &IndexRow,
        renewed: bool,
    ) -> Result<Self, OperationError> {
        let spec = IndexSpec {
            id: row.id,
            identity: format!("{}/{}/{}", row.store, row.id, row.created_at.0),
            doc_type: row.scope.doc_type,
            language: row.scope.language.clone(),
        };
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
        let task = Self {
            row: row.clone(),
            applied: AtomicI64::new(index.watermark()),
            index,
            freeze: AtomicBool::new(false),
            work: Notify::new(),
        };
        task.load(inner).await?;
        while task.catch_up(inner).await? {
            inner.still_open()?;
        }
        Ok(task)
    }

    /// Number of its index.
    pub fn id(&self) -> IndexId {
        self.row.id
    }

    /// What its index holds.
    pub fn scope(&self) -> &FeedScope {
        &self.row.scope
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
        self.applied.load(Ordering::Acquire)
    }

    /// What can be searched.
    pub fn snapshot(&self) -> Arc<dyn engine::Snapshot> {
        self.index.snapshot()
    }

    /// Works until the service closes.
    pub async fn run(&self, inner: &Arc<Inner>, open: &OpenStore) {
        let mut closing = inner.closing.subscribe();
        let mut writing = false;
        while !*closing.borrow_and_update() {
            let woken = tokio::select! {
                woken = timeout(WRITER_IDLE, self.work.notified()) => woken.is_ok(),
                _ = closing.changed() => continue,
            };
            if woken {
                self.work(inner, open).await;
                writing = true;
            } else if writing {
                writing = !self.rest(open).await;
            }
        }
        let index = Arc::clone(&self.index);
        let released = blocking(move || {
            index.release();
            Ok(())
        });
        if let Err(error) = released.await {
            tracing::warn!(index = %self.row.id, error = ?error, "an index was not let go of");
        }
    }

    async fn work(&self, inner: &Arc<Inner>, open: &OpenStore) {
        loop {
            match self.catch_up(inner).await {
                Ok(more) => {
                    open.publish_index(&self.row.scope, &self.snapshot());
                    if !more {
                        inner.lags.end(self.row.id);
                    }
                    if *inner.closing.borrow() || !more {
                        break;
                    }
                }
                Err(error) => {
                    tracing::error!(index = %self.row.id, error = ?error, "a batch could not be applied");
                    sleep(RETRY).await;
                    self.work.notify_one();
                    return;
                }
            }
        }
        if self.freeze.swap(false, Ordering::AcqRel) {
            let index = Arc::clone(&self.index);
            if let Err(error) = blocking(move || index.freeze_averages()).await {
                tracing::warn!(index = %self.row.id, error = ?error, "average lengths were not taken");
                self.freeze.store(true, Ordering::Release);
            }
            open.publish_index(&self.row.scope, &self.snapshot());
        }
    }

    /// One step towards rest; tells whether it was the last.
    async fn rest(&self, open: &OpenStore) -> bool {
        let index = Arc::clone(&self.index);
        match blocking(move || index.rest()).await {
            Ok(rested) => {
                open.publish_index(&self.row.scope, &self.snapshot());
                rested
            }
            Err(error) => {
                tracing::warn!(index = %self.row.id, error = ?error, "an index found no rest");
                true
            }
        }
    }

    /// Applies the next batch; tells whether storage may hold more.
    async fn catch_up(&self, inner: &Arc<Inner>) -> Result<bool, OperationError> {
        let _turn = inner
            .turns
            .acquire()
            .await
            .map_err(OperationError::internal)?;
        inner.lags.begin(self.row.id);
        let rows = inner
            .storage
            .changes_after(self.row.id, self.applied(), BATCH_DOCUMENTS)
            .await?;
        let more = rows.len() == BATCH_DOCUMENTS;
        if let Some(last) = rows.last() {
            let watermark = last.seq;
            let (index, scope) = (Arc::clone(&self.index), self.row.scope.clone());
            blocking(move || {
                let from = index.watermark();
                let changes = rows
                    .into_iter()
                    .map(|row| change(&scope, row, from))
                    .collect();
                index.apply(Batch { changes, watermark })
            })
            .await?;
            self.applied.store(watermark, Ordering::Release);
        }
        Ok(more)
    }

    /// Reads the numbers of all documents, which the index does not keep.
    async fn load(&self, inner: &Arc<Inner>) -> Result<(), OperationError> {
        let mut after = None;
        loop {
            inner.still_open()?;
            let rows = inner
                .storage
                .live_documents(self.row.id, after, LOADED_DOCUMENTS)
                .await?;
            let Some(last) = rows.last() else {
                return Ok(());
            };
            after = Some(last.ordinal);
            let (index, scope) = (Arc::clone(&self.index), self.row.scope.clone());
            blocking(move || {
                let changes = rows
                    .into_iter()
                    .map(|row| change(&scope, row, i64::MAX))
                    .collect();
                index.load(changes)
            })
            .await?;
        }
    }
}

/// What an index is told of a stored document; its texts are new when they changed after `watermark`.
fn change(scope: &FeedScope, row: StoredDocument, watermark: i64) -> Change {
    let document = if row.deleted {
        None
    } else {
        parsed(scope.doc_type, &row)
    };
    Change {
        ordinal: row.ordinal,
        texts_changed: row.text_seq > watermark,
        document,
    }
}

fn parsed(doc_type: DocType, row: &StoredDocument) -> Option<Document> {
    Document::from_stored(doc_type, &row.body)
        .map_err(|reason| tracing::error!(id = row.id, %reason, "a stored document cannot be read"))
        .ok()
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, EngineError> + Send + 'static,
) -> Result<T, OperationError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(OperationError::internal)?
        .map_err(OperationError::unavailable)
}
