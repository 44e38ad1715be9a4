//! What other servers on the database have done, as far as it concerns the indexes of this one: changes to apply, runs after
//! which average lengths are computed anew, and how far the others have come.

use super::Indexing;
use super::follower::blocking;
use crate::OperationError;
use crate::snapshots::open_index::OpenIndex;
use domain::{IndexId, StoreId};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use storage::{IndexPosition, NodeProgress};

/// How long a server that is gone may come back with its indexes: until then, deletions that it has not applied stay.
pub(crate) const COMES_BACK_WITHIN: Duration = Duration::from_secs(24 * 3_600);

/// How long the shared indexes of an earlier version are kept for its servers, which may be back.
const USED_WITHIN: Duration = Duration::from_secs(3_600);

/// What was heard of other servers.
#[derive(Default)]
pub(super) struct Following {
    /// Last change and runs of each index that were heard of.
    heard: Mutex<HashMap<IndexId, (i64, i64)>>,
    /// The longest lag of another server behind each index.
    lags: Mutex<HashMap<IndexId, Duration>>,
}

impl Following {
    /// Returns how far another server lags behind an index.
    pub fn lag_of_others(&self, index: IndexId) -> Duration {
        self.lags.lock().get(&index).copied().unwrap_or_default()
    }
}

impl Indexing {
    /// Applies what others have changed of an index of an open store; opens one that is new.
    pub(crate) fn follow(&self, position: &IndexPosition) {
        let (index, now) = (position.index, (position.sequence, position.completed_runs));
        let before = self.state.following.heard.lock().insert(index, now);
        let task = self.state.find(index);
        let is_behind = task.as_ref().is_none_or(|task| task.applied() < now.0);
        // An index whose numbers end with some that no document has never gets there: it is looked at once.
        if is_behind && before.is_none_or(|before| before.0 != now.0) {
            self.changed(&position.store, index);
        }
        if let Some(task) = task
            && before.is_some_and(|before| before.1 != now.1)
        {
            task.freeze();
        }
    }

    /// Follows the indexes of a store at once, for a run that has closed; returns whether its end was noticed by that, now or
    /// before, so that average lengths are computed once.
    pub(super) async fn follows_run(&self, store: &StoreId, index: IndexId) -> bool {
        let is_heard = (self.state.following.heard.lock()).contains_key(&index);
        is_heard && self.follow_now(store).await.is_ok()
    }

    /// Follows the indexes of a store at once.
    pub(super) async fn follow_now(&self, store: &StoreId) -> Result<(), OperationError> {
        let storage = &self.state.shared.storage;
        if storage.is_on_server() {
            let stores = std::slice::from_ref(store);
            for position in storage.index_positions(stores).await? {
                self.follow(&position);
            }
        }
        Ok(())
    }

    /// Forgets what was heard of indexes that are not open any more.
    pub(crate) fn forget_closed(&self) {
        let open: HashSet<IndexId> = self.state.all().iter().map(|task| task.id()).collect();
        let mut heard = self.state.following.heard.lock();
        heard.retain(|index, _| open.contains(index));
    }

    /// Returns how far the open indexes have come.
    pub(crate) fn progress_of_indexes(&self) -> Vec<NodeProgress> {
        let progress = |index: IndexId| NodeProgress {
            index,
            applied: self.passed(index),
            lag: self.state.shared.progress.lag(index),
        };
        let tasks = self.state.all();
        tasks.iter().map(|task| progress(task.id())).collect()
    }

    /// Replaces what is known of the lags of other servers.
    pub(crate) fn heard_lags(&self, lags: Vec<(IndexId, Duration)>) {
        *self.state.following.lags.lock() = lags.into_iter().collect();
    }

    /// Returns the number of the last change that no index on any server needs from storage any more; 0 while the index is
    /// closed here or rebuilt.
    pub(crate) async fn passed_everywhere(&self, index: IndexId) -> Result<i64, OperationError> {
        let (own, storage) = (self.passed(index), &self.state.shared.storage);
        if own == 0 || !storage.is_on_server() {
            return Ok(own);
        }
        let all = storage.applied_everywhere(index, COMES_BACK_WITHIN).await?;
        Ok(all.map_or(own, |all| all.min(own)))
    }

    /// Returns the indexes that have files on this machine.
    pub(super) async fn kept(&self) -> Result<Vec<IndexId>, OperationError> {
        let engine = std::sync::Arc::clone(&self.state.shared.engine);
        let kept = tokio::task::spawn_blocking(move || {
            engine.files().map_or(Ok(Vec::new()), |files| files.kept())
        });
        let kept = kept.await.map_err(OperationError::internal)?;
        kept.map_err(OperationError::internal)
    }

    /// Deletes the files of indexes that the database does not have any more; returns their number.
    ///
    /// Errors: if they cannot be listed or deleted now.
    pub(crate) async fn discard_unknown(&self) -> Result<usize, OperationError> {
        // Before the rows are read: an index has a row before it has files.
        let kept = self.kept().await?;
        let rows = self.state.shared.storage.all_indices().await?;
        let known: HashSet<IndexId> = rows.into_iter().map(|row| row.id).collect();
        let mut discarded = 0;
        for index in kept {
            if !known.contains(&index) && self.state.find(index).is_none() {
                self.discard(index).await?;
                discarded += 1;
            }
        }
        Ok(discarded)
    }

    /// Returns the version of the form of the indexes that this server shares with others, if it shares any.
    pub(crate) fn shared_format(&self) -> Option<u32> {
        self.state.shared.writers.format()
    }

    /// Deletes the shared indexes of earlier versions which no server has used for an hour.
    ///
    /// Errors: if they cannot be deleted now.
    pub(crate) async fn discard_earlier(&self) -> Result<(), OperationError> {
        if self.shared_format().is_none() {
            return Ok(());
        }
        let shared = Arc::clone(&self.state.shared);
        let used = shared.storage.search_formats(USED_WITHIN).await?;
        let deleted = blocking(move || {
            let indexes = shared.engine.shared();
            indexes.map_or(Ok(0), |indexes| indexes.discard_earlier(&used))
        })
        .await?;
        if deleted > 0 {
            tracing::info!(deleted, "indexes of earlier versions were deleted");
        }
        Ok(())
    }
}
