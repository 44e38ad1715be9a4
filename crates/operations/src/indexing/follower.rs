//! An index that follows storage: takes what changed after its watermark, in batches.

use super::Inner;
use super::written::{Written, WrittenDocument};
use crate::OperationError;
use domain::document::DocType;
use domain::feed::FeedScope;
use domain::{Document, IndexId};
use engine::{Batch, Change, EngineError, Index, IndexSpec};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use storage::{IndexRow, StoredDocument};

/// Documents of one batch.
const BATCH_DOCUMENTS: usize = 4_000;
/// The same for an index that is far behind: the more are written at once, the less each of them costs.
const LARGE_BATCH_DOCUMENTS: usize = 8_000;
/// Documents whose numbers are read at once when an index is opened.
const LOADED_DOCUMENTS: usize = 10_000;

/// One index with how far it has followed.
pub(super) struct Follower {
    id: IndexId,
    scope: FeedScope,
    /// The index.
    pub index: Arc<dyn Index>,
    /// Number of the last change of storage that is searchable; above the watermark when only numbers changed.
    applied: AtomicI64,
    /// Whether the last batch was as large as may be.
    far_behind: AtomicBool,
}

/// What one batch did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Changes that were applied.
    pub changes: usize,
    /// Whether storage may hold more.
    pub more: bool,
}

/// The changes of the next batch.
struct Next {
    changes: Changes,
    /// Whether storage may hold more.
    more: bool,
    /// Whether the index may take them for the last that there are now.
    last: bool,
}

/// Changes, by their numbers.
enum Changes {
    /// As storage gave them.
    Read(Vec<StoredDocument>),
    /// As a block handed them over.
    Handed(Vec<WrittenDocument>),
}

impl Changes {
    fn len(&self) -> usize {
        match self {
            Self::Read(rows) => rows.len(),
            Self::Handed(documents) => documents.len(),
        }
    }

    /// Number of the last one.
    fn last(&self) -> Option<i64> {
        match self {
            Self::Read(rows) => rows.last().map(|row| row.seq),
            Self::Handed(documents) => documents.last().map(|document| document.seq),
        }
    }

    /// What the index is told; texts are new when they changed after `settled`.
    fn told(self, scope: &FeedScope, settled: i64) -> Vec<Change> {
        match self {
            Self::Read(rows) => {
                let changes = rows.into_iter().map(|row| change(scope, row, settled));
                changes.collect()
            }
            Self::Handed(documents) => {
                let changes = documents.into_iter().map(|written| Change {
                    ordinal: written.ordinal,
                    texts_changed: written.text_seq > settled,
                    document: Some(Arc::unwrap_or_clone(written.document)),
                });
                changes.collect()
            }
        }
    }
}

impl Follower {
    /// An index of `row` that has followed to its watermark.
    pub fn new(row: &IndexRow, index: Arc<dyn Index>) -> Self {
        Self {
            id: row.id,
            scope: row.scope.clone(),
            applied: AtomicI64::new(index.watermark()),
            far_behind: AtomicBool::new(false),
            index,
        }
    }

    /// Number of the last change that is searchable.
    pub fn applied(&self) -> i64 {
        self.applied.load(Ordering::Acquire)
    }

    /// Applies the next batch, which is what was `handed` over where it fits. Only one task at a time may do that.
    pub async fn catch_up(
        &self,
        inner: &Inner,
        handed: Option<Written>,
    ) -> Result<Step, OperationError> {
        let handed = handed.and_then(|written| written.after(self.applied()));
        let Next {
            changes,
            more,
            last,
        } = match handed {
            // What storage has beyond them nobody has looked at.
            Some(documents) => Next {
                changes: Changes::Handed(documents),
                more: true,
                last: true,
            },
            None => self.read(inner).await?,
        };
        // Asked after the changes: what emptied the index meanwhile is found, and what was read before it dropped.
        let cleared = inner.storage.cleared(self.id).await?;
        if cleared > self.applied() {
            let index = Arc::clone(&self.index);
            blocking(move || index.clear(cleared)).await?;
            self.applied.store(cleared, Ordering::Release);
            return Ok(Step {
                changes: 0,
                more: true,
            });
        }
        let step = Step {
            changes: changes.len(),
            more,
        };
        let Some(watermark) = changes.last() else {
            return Ok(step);
        };
        let (index, scope) = (Arc::clone(&self.index), self.scope.clone());
        blocking(move || {
            let changes = changes.told(&scope, index.settled());
            let batch = Batch { changes, watermark };
            if last {
                index.apply(batch)
            } else {
                index.apply_part(batch)
            }
        })
        .await?;
        self.applied.store(watermark, Ordering::Release);
        Ok(step)
    }

    /// The next changes that storage has.
    async fn read(&self, inner: &Inner) -> Result<Next, OperationError> {
        let limit = if self.far_behind.load(Ordering::Relaxed) {
            LARGE_BATCH_DOCUMENTS
        } else {
            BATCH_DOCUMENTS
        };
        let changes = inner.storage.changes_after(self.id, self.applied(), limit);
        let rows = changes.await?;
        let more = rows.len() == limit;
        self.far_behind.store(more, Ordering::Relaxed);
        Ok(Next {
            changes: Changes::Read(rows),
            more,
            last: !more,
        })
    }

    /// Reads the numbers of all documents, which the index does not keep.
    pub async fn load(&self, inner: &Inner) -> Result<(), OperationError> {
        let mut after = None;
        loop {
            inner.still_open()?;
            let rows = inner
                .storage
                .live_documents(self.id, after, LOADED_DOCUMENTS)
                .await?;
            let Some(last) = rows.last() else {
                return Ok(());
            };
            after = Some(last.ordinal);
            let (index, scope) = (Arc::clone(&self.index), self.scope.clone());
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

/// What the index of `row` is and holds, with the parts of the words of names or without.
pub(super) fn spec(row: &IndexRow, partial: bool) -> IndexSpec {
    IndexSpec {
        id: row.id,
        identity: format!("{}/{}/{}", row.store, row.id, row.created_at.0),
        doc_type: row.scope.doc_type,
        language: row.scope.language.clone(),
        partial,
    }
}

/// What an index is told of a stored document; its texts are new when they changed after `settled`.
fn change(scope: &FeedScope, row: StoredDocument, settled: i64) -> Change {
    let texts_changed = row.text_seq > settled;
    let document = match (row.deleted, texts_changed) {
        (true, _) => None,
        (false, true) => parsed(scope.doc_type, &row),
        (false, false) => read(
            &row,
            Document::from_stored_in_brief(scope.doc_type, &row.body),
        ),
    };
    Change {
        ordinal: row.ordinal,
        texts_changed,
        document,
    }
}

/// The document of a row; none when it cannot be read, which the log tells.
pub(super) fn parsed(doc_type: DocType, row: &StoredDocument) -> Option<Document> {
    read(row, Document::from_stored(doc_type, &row.body))
}

fn read(row: &StoredDocument, document: Result<Document, String>) -> Option<Document> {
    document
        .map_err(|reason| tracing::error!(id = row.id, %reason, "a stored document cannot be read"))
        .ok()
}

/// Runs work of an index where it may block.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, EngineError> + Send + 'static,
) -> Result<T, OperationError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(OperationError::internal)?
        .map_err(OperationError::unavailable)
}
