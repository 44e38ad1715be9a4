//! An index that follows storage: applies the changes after its watermark, in batches.

use super::rejections::{self, Rejections};
use super::shared::Shared;
use super::written::{Written, WrittenDocument};
use crate::OperationError;
use domain::document::DocType;
use domain::feed::FeedScope;
use domain::{Document, IndexId};
use engine::{Batch, BatchOutcome, DocumentChange, EngineError, Index, IndexSpec, LocalIndex};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use storage::{IndexRow, PageSize, Removal, StoredDocument};

/// An index with the number of the last change that it has applied.
pub(super) struct Follower {
    id: IndexId,
    scope: FeedScope,
    /// The index.
    pub index: Arc<dyn Index>,
    /// Number of the last change that is searchable; above the watermark if only numeric fields changed.
    applied: AtomicI64,
    /// Most portions of the next batch: doubled whenever a batch did not reach the last change.
    portions: AtomicUsize,
    /// Documents that the engine rejects.
    pub rejections: Arc<Rejections>,
}

/// Result of one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FollowerStep {
    /// Number of changes that were applied.
    pub changes: usize,
    /// Whether storage may have more changes.
    pub more: bool,
}

/// The changes of the next batch.
struct Next {
    changes: Changes,
    /// Whether storage may have more changes.
    more: bool,
    /// Whether the index may treat them as the last changes for now.
    last: bool,
}

impl Next {
    /// Drops the changes from number `first` on, which remain in storage.
    fn end_before(&mut self, first: i64) {
        match &mut self.changes {
            Changes::Read(rows) => rows.retain(|row| row.seq < first),
            Changes::HandedOver(documents) => documents.retain(|document| document.seq < first),
        }
        self.more = true;
        self.last = false;
    }
}

/// Changes, ordered by number.
enum Changes {
    /// Read from storage.
    Read(Vec<StoredDocument>),
    /// Handed over by a block.
    HandedOver(Vec<WrittenDocument>),
}

impl Changes {
    fn len(&self) -> usize {
        match self {
            Self::Read(rows) => rows.len(),
            Self::HandedOver(documents) => documents.len(),
        }
    }

    /// Returns the number of the last change.
    fn last(&self) -> Option<i64> {
        match self {
            Self::Read(rows) => rows.last().map(|row| row.seq),
            Self::HandedOver(documents) => documents.last().map(|document| document.seq),
        }
    }

    /// Converts to changes for the engine; texts are new if they changed after `settled`.
    fn into_document_changes(self, scope: &FeedScope, settled: i64) -> Vec<DocumentChange> {
        match self {
            Self::Read(rows) => {
                let changes = rows.into_iter().map(|row| change(scope, row, settled));
                changes.collect()
            }
            Self::HandedOver(documents) => {
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
    /// Returns a follower of the index of `row`, starting at its watermark.
    pub fn new(row: &IndexRow, index: Arc<dyn Index>) -> Self {
        Self {
            id: row.id,
            scope: row.scope.clone(),
            applied: AtomicI64::new(index.watermark()),
            portions: AtomicUsize::new(1),
            rejections: Arc::default(),
            index,
        }
    }

    /// Returns whether the index is in the memory of this process, so that it has to be loaded and to catch up before it
    /// is searched.
    pub fn is_local(&self) -> bool {
        self.index.local().is_some()
    }

    /// Computes the average field lengths of a local index, and uses them if one has moved by a share. May block.
    pub fn freeze_averages(&self, moved_by: f64) -> Result<(), EngineError> {
        let local = self.index.local();
        local.map_or(Ok(()), |local| local.freeze_averages(moved_by))
    }

    /// Takes one step of a local index towards idle; returns whether it was the last. May block.
    pub fn go_idle(&self) -> Result<bool, EngineError> {
        let local = self.index.local();
        local.map_or(Ok(true), LocalIndex::go_idle)
    }

    /// Releases what only the writing of a local index needs. May block.
    pub fn release(&self) {
        if let Some(local) = self.index.local() {
            local.release();
        }
    }

    /// Returns the number of the last change that is searchable.
    pub fn applied(&self) -> i64 {
        self.applied.load(Ordering::Acquire)
    }

    /// Takes over what other servers have applied to an index that they share; returns false if there is none any more. Only
    /// one task at a time may call this.
    pub async fn reread(&self) -> Result<bool, OperationError> {
        let index = Arc::clone(&self.index);
        let exists = blocking(move || index.reread()).await?;
        self.applied
            .store(self.index.watermark(), Ordering::Release);
        Ok(exists)
    }

    /// Returns whether storage has changes that are not applied yet.
    pub async fn is_behind(&self, shared: &Shared) -> Result<bool, OperationError> {
        let steps = shared.storage.bulk_removals(self.id).await?;
        let removed = steps.removal.map_or(0, |removal| removal.last);
        if steps.cleared.max(removed) > self.applied() {
            return Ok(true);
        }
        let first = PageSize {
            documents: 1,
            bytes: 1,
        };
        let next = shared.storage.changes_after(self.id, self.applied(), first);
        Ok(!next.await?.documents.is_empty())
    }

    /// Applies the next batch: the changes that were `handed` over if they are the next ones, else those of storage.
    /// Only one task at a time may call this.
    pub async fn catch_up(
        &self,
        shared: &Shared,
        handed: Option<Written>,
    ) -> Result<FollowerStep, OperationError> {
        // Changes before a clear need not be read.
        let cleared = shared.storage.bulk_removals(self.id).await?.cleared;
        if cleared > self.applied() {
            return self.empty(cleared).await;
        }
        let handed = handed.and_then(|written| written.after(self.applied()));
        let mut next = match handed {
            // Whether storage has more is unknown.
            Some(documents) => Next {
                changes: Changes::HandedOver(documents),
                more: true,
                last: true,
            },
            None => self.read(shared).await?,
        };
        // Read after the changes, so that a clear or purge in the meantime is found; the changes that are not before it
        // are dropped.
        let steps = shared.storage.bulk_removals(self.id).await?;
        if steps.cleared > self.applied() {
            return self.empty(steps.cleared).await;
        }
        if let Some(removal) = steps.removal.filter(|one| self.applied() < one.last) {
            next.end_before(removal.first);
            if next.changes.len() == 0 {
                return self.remove(shared, removal).await;
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
        let scope = self.scope.clone();
        // A document that the index did not take has to be written whole, also when only its numbers changed.
        let has_all = self.rejections.is_empty();
        self.write(shared, last, move |index| Batch {
            changes: changes.into_document_changes(
                &scope,
                if has_all {
                    texts_settled(index)
                } else {
                    i64::MIN
                },
            ),
            watermark,
        })
        .await?;
        self.applied.store(watermark, Ordering::Release);
        Ok(step)
    }

    /// Writes the batch that `batch` makes, the `last` one for now or not. What the engine rejects is logged and counted,
    /// and holds up nothing.
    async fn write(
        &self,
        shared: &Shared,
        last: bool,
        batch: impl FnOnce(&dyn Index) -> Batch + Send + 'static,
    ) -> Result<(), OperationError> {
        let index = Arc::clone(&self.index);
        let (rejections, total) = (Arc::clone(&self.rejections), Arc::clone(&shared.rejected));
        let rejected = blocking(move || {
            let batch = batch(index.as_ref());
            rejections.forget(batch.changes.iter().map(|change| change.ordinal));
            let BatchOutcome { rejected } = match index.local() {
                Some(local) if !last => local.apply_part(batch),
                _ => index.apply(batch),
            }?;
            // Counted where it is written, because whoever waits for it may go away.
            total.fetch_add(rejected.len() as u64, Ordering::Relaxed);
            rejections.keep(&rejected);
            Ok(rejected)
        })
        .await?;
        rejections::log(self.id, &rejected);
        Ok(())
    }

    /// Removes all documents up to the clear with the number `cleared`.
    async fn empty(&self, cleared: i64) -> Result<FollowerStep, OperationError> {
        let index = Arc::clone(&self.index);
        blocking(move || index.clear(cleared)).await?;
        self.rejections.clear();
        self.applied.store(cleared, Ordering::Release);
        Ok(FollowerStep {
            changes: 0,
            more: true,
        })
    }

    /// Removes the documents of a purge, all of them before the result of the step is published, even if their rows in
    /// storage are not swept yet.
    async fn remove(
        &self,
        shared: &Shared,
        removal: Removal,
    ) -> Result<FollowerStep, OperationError> {
        let limit = shared.batches.removed;
        let (mut after, mut changes) = (None, 0);
        loop {
            shared.closing.ensure_open()?;
            let ordinals = shared
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
            // Until the last one is applied, a restart begins with the first again.
            let batch = Batch {
                changes: ordinals.into_iter().map(deleted).collect(),
                watermark: if is_last {
                    removal.last
                } else {
                    self.applied()
                },
            };
            self.write(shared, false, move |_| batch).await?;
            if is_last {
                self.applied.store(removal.last, Ordering::Release);
                return Ok(FollowerStep {
                    changes,
                    more: true,
                });
            }
        }
    }

    /// Reads the next changes from storage.
    async fn read(&self, shared: &Shared) -> Result<Next, OperationError> {
        let portions = self.portions.load(Ordering::Relaxed);
        let (mut rows, mut bytes, mut more) = (Vec::<StoredDocument>::new(), 0, true);
        let sizes = shared.batches;
        let rows_max = portions * sizes.portion.documents;
        while more && rows.len() < rows_max && bytes < sizes.batch_bytes {
            let after = rows.last().map_or(self.applied(), |row| row.seq);
            let page = shared.storage.changes_after(self.id, after, sizes.portion);
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

    /// Loads the numeric fields of all documents, which a local index does not store.
    pub async fn load(&self, shared: &Shared) -> Result<(), OperationError> {
        let mut after = None;
        loop {
            shared.closing.ensure_open()?;
            let page = shared
                .storage
                .live_documents(self.id, after, shared.batches.loaded);
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
                index.local().map_or(Ok(()), |local| local.load(changes))
            })
            .await?;
        }
    }
}

/// Returns the number of the last change whose texts need not be written again: only their numbers did not change.
fn texts_settled(index: &dyn Index) -> i64 {
    index.local().map_or(i64::MIN, LocalIndex::settled)
}

/// Keeps the last change of each document: one that changed between two portions is in both.
fn latest(mut rows: Vec<StoredDocument>) -> Vec<StoredDocument> {
    let mut seen = HashSet::with_capacity(rows.len());
    rows.reverse();
    rows.retain(|row| seen.insert(row.ordinal));
    rows.reverse();
    rows
}

/// Returns the specification of the index of `row`, with the substrings of names if `partial` is set.
pub(super) fn spec(row: &IndexRow, partial: bool) -> IndexSpec {
    IndexSpec {
        id: row.id,
        identity: format!("{}/{}/{}", row.store, row.id, row.created_at.0),
        doc_type: row.scope.doc_type,
        language: row.scope.language.clone(),
        partial,
    }
}

/// Converts a stored document to a change for the engine; its texts are new if they changed after `settled`.
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

/// Parses the document of a row; `None`, with a log message, if it is invalid.
pub(super) fn parsed(doc_type: DocType, row: &StoredDocument) -> Option<Document> {
    read(row, Document::from_stored(doc_type, &row.body))
}

fn read(row: &StoredDocument, document: Result<Document, String>) -> Option<Document> {
    // Thousands are in memory until they are written, and their bodies are in storage.
    document
        .map(Document::without_body)
        .map_err(
            |reason| tracing::error!(id = row.id, %reason, "a stored document cannot be parsed"),
        )
        .ok()
}

/// Runs work of an index on a thread that may block.
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
    //! 1. A batch holds only the last change of each document, in the order of changes.

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
