//! Compares storage with an index: documents that the index lacks, has in excess, or has in an older state.

use super::Indexing;
use super::follower::{blocking, parsed, spec};
use super::state::IndexingState;
use super::worker::IndexTask;
use crate::OperationError;
use crate::message;
use crate::runtime::closing::Closing;
use crate::snapshots::open_store::OpenStore;
use engine::{Engine, ExistingIndex, Index, Snapshot};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use storage::{IndexRow, PageSize, Storage, StoredDocument};

/// Page of documents that are compared at once.
const COMPARED: PageSize = PageSize {
    documents: 2_000,
    bytes: 8 * 1024 * 1024,
};

/// Differences between storage and an index, as ids of documents; as ordinals if the id is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Why a file of the index is damaged, if one is.
    pub damaged: Option<String>,
    /// In storage, not in the index.
    pub missing: Vec<String>,
    /// In the index, not in storage.
    pub surplus: Vec<String>,
    /// In both, but in different states.
    pub outdated: Vec<String>,
    /// In storage, but rejected by the engine, each with its reason.
    pub rejected: Vec<(String, String)>,
}

impl Differences {
    /// Returns whether there are no differences.
    pub fn are_none(&self) -> bool {
        *self == Self::default()
    }

    /// Tells documents that turned out to be rejected apart from those that only seemed to be missing or outdated.
    pub fn with_rejected(mut self, rejected: Vec<(String, String)>) -> Self {
        let ids: HashSet<&str> = rejected.iter().map(|(id, _)| id.as_str()).collect();
        for list in [&mut self.missing, &mut self.outdated] {
            list.retain(|id| !ids.contains(id.as_str()));
        }
        self.rejected = rejected;
        self
    }

    /// Returns whether nothing is left that a new index would put right: it rejects the same documents.
    pub fn are_rejections(&self) -> bool {
        let Self {
            damaged,
            missing,
            surplus,
            outdated,
            rejected: _,
        } = self;
        damaged.is_none()
            && [missing, surplus, outdated]
                .iter()
                .all(|ids| ids.is_empty())
    }
}

impl Indexing {
    /// Compares storage with the index of `row`, which is brought up to date first. Changes that arrive in the meantime
    /// are ignored.
    ///
    /// Errors: if storage or the index is not available.
    pub async fn differences(&self, row: &IndexRow) -> Result<Differences, OperationError> {
        let open = self.state.wake(&row.store, row.id).await?;
        let task = (self.state).find(row.id).ok_or(OperationError::NotFound {
            what: message::noun::index,
        })?;
        self.state.compare(row, &open, &task).await
    }
}

impl IndexingState {
    async fn compare(
        &self,
        row: &IndexRow,
        open: &OpenStore,
        task: &IndexTask,
    ) -> Result<Differences, OperationError> {
        let (serving, snapshot, applied) = task.caught_up(open.published()).await?;
        let comparison = Comparison {
            storage: &self.shared.storage,
            row,
            index: Arc::clone(&serving.index),
            snapshot,
            applied,
            verifies: self.shared.engine.files().is_some(),
            closing: Some(&self.shared.closing),
        };
        let rejections = &serving.rejections;
        comparison.run(|ordinal| rejections.reason(ordinal)).await
    }
}

/// Compares storage with the index of `row` as it is on disk, which stays as it is. One that does not exist has applied
/// nothing yet.
///
/// Errors: if storage or the index cannot be read.
pub(super) async fn unchanged(
    storage: &Storage,
    engine: &Arc<dyn Engine>,
    row: &IndexRow,
) -> Result<Differences, OperationError> {
    let (engine, spec) = (Arc::clone(engine), spec(row, false));
    let existing = blocking(move || {
        let files = engine.files();
        files.map_or(Ok(ExistingIndex::None), |files| files.existing(&spec))
    });
    let index = match existing.await? {
        ExistingIndex::Usable(index) => index,
        ExistingIndex::None => return Ok(Differences::default()),
        ExistingIndex::Damaged(damage) => {
            return Ok(Differences {
                damaged: Some(damage),
                ..Differences::default()
            });
        }
    };
    let comparison = Comparison {
        storage,
        row,
        snapshot: index.snapshot(),
        applied: index.watermark(),
        index,
        verifies: true,
        closing: None,
    };
    comparison.run(|_| None).await
}

/// A comparison of storage with a state of an index.
struct Comparison<'a> {
    storage: &'a Storage,
    row: &'a IndexRow,
    index: Arc<dyn Index>,
    snapshot: Arc<dyn Snapshot>,
    /// Number of the last change that the state has; later ones are ignored.
    applied: i64,
    /// Whether files are compared with their checksums.
    verifies: bool,
    /// Ends the comparison, if something can.
    closing: Option<&'a Closing>,
}

impl Comparison<'_> {
    /// Compares; `rejected` returns why the engine rejects the document with an ordinal, if it does.
    async fn run(
        self,
        rejected: impl Fn(u32) -> Option<String>,
    ) -> Result<Differences, OperationError> {
        let (damaged, prints) = self.damage_and_fingerprints().await?;
        let mut left: HashMap<u32, u64> = prints.into_iter().collect();
        let mut found = Differences {
            damaged,
            ..Differences::default()
        };
        let mut after = None;
        loop {
            self.closing.map_or(Ok(()), Closing::ensure_open)?;
            let page = self.storage.live_documents(self.row.id, after, COMPARED);
            let rows = page.await?.documents;
            let Some(last) = rows.last() else { break };
            after = Some(last.ordinal);
            for (row, print) in self.current(rows).await? {
                let kind = match (left.remove(&row.ordinal), print) {
                    _ if row.seq > self.applied => continue,
                    (None, Some(_)) => &mut found.missing,
                    (Some(held), Some(print)) if held != print => &mut found.outdated,
                    // A stored document that cannot be parsed must not be in the index.
                    (Some(_), None) => &mut found.outdated,
                    _ => continue,
                };
                match rejected(row.ordinal) {
                    Some(reason) => found.rejected.push((row.id, reason)),
                    None => kind.push(row.id),
                }
            }
        }
        self.ignore_later(&mut left).await?;
        let mut surplus: Vec<u32> = left.into_keys().collect();
        surplus.sort_unstable();
        found.surplus = surplus
            .iter()
            .map(|ordinal| format!("#{ordinal}"))
            .collect();
        Ok(found)
    }

    async fn damage_and_fingerprints(
        &self,
    ) -> Result<(Option<String>, Vec<(u32, u64)>), OperationError> {
        let (index, snapshot) = (Arc::clone(&self.index), Arc::clone(&self.snapshot));
        let verifies = self.verifies;
        blocking(move || {
            let verified = if verifies { index.verify() } else { Ok(()) };
            let damaged = verified.err().map(|error| error.to_string());
            Ok((damaged, snapshot.fingerprints()?))
        })
        .await
    }

    /// Returns stored documents with their fingerprints; none for one that cannot be parsed.
    async fn current(
        &self,
        rows: Vec<StoredDocument>,
    ) -> Result<Vec<(StoredDocument, Option<u64>)>, OperationError> {
        let (index, doc_type) = (Arc::clone(&self.index), self.row.scope.doc_type);
        blocking(move || {
            let print = |row: StoredDocument| {
                let print = parsed(doc_type, &row).map(|document| index.fingerprint(&document));
                (row, print)
            };
            Ok(rows.into_iter().map(print).collect())
        })
        .await
    }

    /// Removes from `left` what was deleted after the index was read.
    async fn ignore_later(&self, left: &mut HashMap<u32, u64>) -> Result<(), OperationError> {
        let mut after = self.applied;
        loop {
            let later = self.storage.changes_after(self.row.id, after, COMPARED);
            let rows = later.await?.documents;
            let Some(last) = rows.last() else { break };
            after = last.seq;
            for row in rows {
                left.remove(&row.ordinal);
            }
        }
        let steps = self.storage.bulk_removals(self.row.id).await?;
        if steps.cleared > self.applied {
            left.clear();
        }
        // The rows of a purge may not be swept yet.
        if let Some(removal) = steps.removal.filter(|removal| removal.last > self.applied) {
            let (mut after, limit) = (None, COMPARED.documents);
            loop {
                let removed = self
                    .storage
                    .removed_ordinals(self.row.id, removal, after, limit);
                let removed = removed.await?;
                let Some(last) = removed.last() else { break };
                after = Some(*last);
                for ordinal in removed {
                    left.remove(&ordinal);
                }
            }
        }
        Ok(())
    }
}
