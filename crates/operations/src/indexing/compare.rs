//! Compares storage with an index: documents that the index lacks, has in excess, or has in an older state.

use super::Indexing;
use super::follower::{blocking, parsed};
use super::state::IndexingState;
use super::worker::IndexTask;
use crate::OperationError;
use crate::message;
use crate::snapshots::open_store::OpenStore;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use storage::{IndexRow, PageSize, StoredDocument};

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
        let index = Arc::clone(&serving.index);
        let (verified, has_files) = (Arc::clone(&index), self.shared.engine.files().is_some());
        let (damaged, prints) = blocking(move || {
            let verified = if has_files { verified.verify() } else { Ok(()) };
            let damaged = verified.err().map(|error| error.to_string());
            Ok((damaged, snapshot.fingerprints()?))
        })
        .await?;
        let mut left: HashMap<u32, u64> = prints.into_iter().collect();
        let mut found = Differences {
            damaged,
            ..Differences::default()
        };
        let mut after = None;
        loop {
            self.shared.closing.ensure_open()?;
            let page = self.shared.storage.live_documents(row.id, after, COMPARED);
            let rows = page.await?.documents;
            let Some(last) = rows.last() else { break };
            after = Some(last.ordinal);
            let (index, doc_type) = (Arc::clone(&index), row.scope.doc_type);
            let current = blocking(move || {
                let print = |row: StoredDocument| {
                    let print = parsed(doc_type, &row).map(|document| index.fingerprint(&document));
                    (row, print)
                };
                Ok(rows.into_iter().map(print).collect::<Vec<_>>())
            });
            for (row, print) in current.await? {
                let kind = match (left.remove(&row.ordinal), print) {
                    _ if row.seq > applied => continue,
                    (None, Some(_)) => &mut found.missing,
                    (Some(held), Some(print)) if held != print => &mut found.outdated,
                    // A stored document that cannot be parsed must not be in the index.
                    (Some(_), None) => &mut found.outdated,
                    _ => continue,
                };
                match serving.rejections.reason(row.ordinal) {
                    Some(reason) => found.rejected.push((row.id, reason)),
                    None => kind.push(row.id),
                }
            }
        }
        self.ignore_later(row, applied, &mut left).await?;
        let mut surplus: Vec<u32> = left.into_keys().collect();
        surplus.sort_unstable();
        found.surplus = surplus
            .iter()
            .map(|ordinal| format!("#{ordinal}"))
            .collect();
        Ok(found)
    }

    /// Removes from `left` what was deleted after the index was read.
    async fn ignore_later(
        &self,
        row: &IndexRow,
        applied: i64,
        left: &mut HashMap<u32, u64>,
    ) -> Result<(), OperationError> {
        let mut after = applied;
        loop {
            let later = self.shared.storage.changes_after(row.id, after, COMPARED);
            let rows = later.await?.documents;
            let Some(last) = rows.last() else { break };
            after = last.seq;
            for row in rows {
                left.remove(&row.ordinal);
            }
        }
        let steps = self.shared.storage.bulk_removals(row.id).await?;
        if steps.cleared > applied {
            left.clear();
        }
        // The rows of a purge may not be swept yet.
        if let Some(removal) = steps.removal.filter(|removal| removal.last > applied) {
            let (mut after, limit) = (None, COMPARED.documents);
            loop {
                let removed = self
                    .shared
                    .storage
                    .removed_ordinals(row.id, removal, after, limit);
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
