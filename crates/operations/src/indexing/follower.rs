//! An index that follows storage: takes what changed after its watermark, in batches.

use super::IndexingState;
use super::written::{Written, WrittenDocument};
use crate::OperationError;
use domain::document::DocType;
use domain::feed::FeedScope;
use domain::{Document, IndexId};
use engine::{Batch, DocumentChange, EngineError, Index, IndexSpec};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use storage::{IndexRow, Removal, StoredDocument};

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
pub(super) struct FollowerStep {
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

impl Next {
    /// Leaves out the changes from number `first` on, which storage then has beyond them.
    fn end_before(&mut self, first: i64) {
        match &mut self.changes {
            Changes::Read(rows) => rows.retain(|row| row.seq < first),
            Changes::Handed(documents) => documents.retain(|document| document.seq < first),
        }
        self.more = true;
        self.last = false;
    }
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
    fn told(self, scope: &FeedScope, settled: i64) -> Vec<DocumentChange> {
        match self {
            Self::Read(rows) => {
                let changes = rows.into_iter().map(|row| change(scope, row, settled));
                changes.collect()
            }
            Self::Handed(documents) => {
                let changes = documents.into_iter().map(|written| DocumentChange {
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
        inner: &IndexingState,
        handed: Option<Written>,
    ) -> Result<FollowerStep, OperationError> {
        // What was emptied need not be read first.
        let cleared = inner.storage.bulk_removals(self.id).await?.cleared;
        if cleared > self.applied() {
            return self.empty(cleared).await;
        }
        let handed = handed.and_then(|written| written.after(self.applied()));
        let mut next = match handed {
            // What storage has beyond them nobody has looked at.
            Some(documents) => Next {
                changes: Changes::Handed(documents),
                more: true,
                last: true,
            },
            None => self.read(inner).await?,
        };
        // Asked after the changes: what emptied or purged the index meanwhile is found, and what was read is dropped as far
        // as it is not before that.
        let steps = inner.storage.bulk_removals(self.id).await?;
        if steps.cleared > self.applied() {
            return self.empty(steps.cleared).await;
        }
        if let Some(removal) = steps.removal.filter(|one| self.applied() < one.last) {
            next.end_before(removal.first);
            if next.changes.len() == 0 {
                return self.remove(inner, removal).await;
            }
        }
        let Next {
            changes,
            more,
            last,
        } = next;
        let step = FollowerStep {
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

    /// Takes all documents out up to the clear that has the number `cleared`.
    async fn empty(&self, cleared: i64) -> Result<FollowerStep, OperationError> {
        let index = Arc::clone(&self.index);
        blocking(move || index.clear(cleared)).await?;
        self.applied.store(cleared, Ordering::Release);
        Ok(FollowerStep {
            changes: 0,
            more: true,
        })
    }

    /// Takes out what a purge took out of storage: all of it before the step ends and its result is published, though the
    /// rows in storage may follow for a while yet.
    async fn remove(
        &self,
        inner: &IndexingState,
        removal: Removal,
    ) -> Result<FollowerStep, OperationError> {
        let limit = inner.batches.removed;
        let (mut after, mut changes) = (None, 0);
        loop {
            inner.still_open()?;
            let ordinals = inner
                .storage
                .removed_ordinals(self.id, removal, after, limit);
            let ordinals = ordinals.await?;
            let is_last = ordinals.len() < limit;
            after = ordinals.last().copied().or(after);
            changes += ordinals.len();
            let deleted = |ordinal| DocumentChange {
                ordinal,
                texts_changed: true,
                document: None,
            };
            // Until the last of them is in, a restart begins with the first again.
            let batch = Batch {
                changes: ordinals.into_iter().map(deleted).collect(),
                watermark: if is_last {
                    removal.last
                } else {
                    self.applied()
                },
            };
            let index = Arc::clone(&self.index);
            blocking(move || index.apply_part(batch)).await?;
            if is_last {
                self.applied.store(removal.last, Ordering::Release);
                return Ok(FollowerStep {
                    changes,
                    more: true,
                });
            }
        }
    }

    /// The next changes that storage has.
    async fn read(&self, inner: &IndexingState) -> Result<Next, OperationError> {
        let portions = self.portions.load(Ordering::Relaxed);
        let (mut rows, mut bytes, mut more) = (Vec::<StoredDocument>::new(), 0, true);
        let sizes = inner.batches;
        let rows_max = portions * sizes.portion.documents;
        while more && rows.len() < rows_max && bytes < sizes.batch_bytes {
            let after = rows.last().map_or(self.applied(), |row| row.seq);
            let page = inner.storage.changes_after(self.id, after, sizes.portion);
            let page = page.await?;
            more = page.more;
            bytes += page
                .documents
                .iter()
                .map(|row| row.body.len())
                .sum::<usize>();
            rows.extend(page.documents);
        }
        let next = if more { 2 * portions } else { 1 };
        self.portions
            .store(next.min(sizes.portions_max), Ordering::Relaxed);
        Ok(Next {
            changes: Changes::Read(latest(rows)),
            more,
            last: !more,
        })
    }

    /// Reads the numbers of all documents, which the index does not keep.
    pub async fn load(&self, inner: &IndexingState) -> Result<(), OperationError> {
        let mut after = None;
        loop {
            inner.still_open()?;
            let page = inner
                .storage
                .live_documents(self.id, after, inner.batches.loaded);
            let rows = page.await?.documents;
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
fn change(scope: &FeedScope, row: StoredDocument, settled: i64) -> DocumentChange {
    let texts_changed = row.text_seq > settled;
    let document = match (row.deleted, texts_changed) {
        (true, _) => None,
        (false, true) => parsed(scope.doc_type, &row),
        (false, false) => read(
            &row,
            Document::from_stored_in_brief(scope.doc_type, &row.body),
        ),
    };
    DocumentChange {
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
