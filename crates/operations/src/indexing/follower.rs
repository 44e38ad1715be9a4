//! An index that follows storage: takes what changed after its watermark, in batches.

use super::Inner;
use super::written::{Written, WrittenDocument};
use crate::OperationError;
use domain::document::DocType;
use domain::feed::FeedScope;
use domain::{Document, IndexId};
use engine::{Batch, Change, EngineError, Index, IndexSpec};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use storage::{IndexRow, StoredDocument};

/// Changes that are read from storage at once, of which a batch has one portion or some. Few while debugging, so that
/// the small catalogues of tests have batches of several.
const PORTION: usize = if cfg!(debug_assertions) { 50 } else { 4_000 };
/// Portions of a batch where an index is far behind: the more documents are written at once, the less each of them
/// costs. It comes to so many step by step, for what a shopper waits for is seldom that much.
const PORTIONS_MAX: usize = 8;
/// Bytes of documents from which on a batch takes no further portion.
const BATCH_BYTES: usize = 64 * 1024 * 1024;
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
    /// Portions that the next batch has at most: twice as many as the last one, when it left something in storage.
    portions: AtomicUsize,
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
            portions: AtomicUsize::new(1),
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
        let portions = self.portions.load(Ordering::Relaxed);
        let (mut rows, mut bytes, mut more) = (Vec::<StoredDocument>::new(), 0, true);
        while more && rows.len() < portions * PORTION && bytes < BATCH_BYTES {
            let after = rows.last().map_or(self.applied(), |row| row.seq);
            let portion = inner.storage.changes_after(self.id, after, PORTION);
            let portion = portion.await?;
            more = portion.len() == PORTION;
            bytes += portion.iter().map(|row| row.body.len()).sum::<usize>();
            rows.extend(portion);
        }
        let next = if more { 2 * portions } else { 1 };
        self.portions
            .store(next.min(PORTIONS_MAX), Ordering::Relaxed);
        Ok(Next {
            changes: Changes::Read(latest(rows)),
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

/// Of each document its last change: one that changed between two portions is in both.
fn latest(mut rows: Vec<StoredDocument>) -> Vec<StoredDocument> {
    let mut seen = HashSet::with_capacity(rows.len());
    rows.reverse();
    rows.retain(|row| seen.insert(row.ordinal));
    rows.reverse();
    rows
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
    // Thousands are held until they are written, and what they were read from lies in storage.
    document
        .map(Document::without_body)
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

#[cfg(test)]
mod tests {
    //! 1. Of a document that changed while a batch was read, the batch has its last change, in the order of changes.

    use super::*;

    #[test]
    fn the_last_change_of_a_document_counts() {
        let row = |(seq, ordinal)| StoredDocument {
            ordinal,
            id: ordinal.to_string(),
            seq,
            text_seq: seq,
            deleted: false,
            body: String::new(),
        };
        let rows = [(1, 7), (2, 5), (3, 6), (4, 5), (9, 7)].map(row).to_vec();
        let left: Vec<_> = (latest(rows).iter())
            .map(|row| (row.seq, row.ordinal))
            .collect();
        assert_eq!(left, [(3, 6), (4, 5), (9, 7)]);
    }
}
