//! Substrings of the words of names: whether the indexes of a store hold them, and rebuilding those that should.

use super::Indexing;
use super::progress::Rebuild;
use super::state::IndexingState;
use super::worker::IndexTask;
use crate::snapshots::open_index::OpenIndex;
use crate::snapshots::open_store::OpenStore;
use domain::StoreId;
use domain::relevance::SubstringIndexing;
use std::sync::Arc;
use std::time::Duration;

/// Pause before a failed rebuild is tried again, which costs more than a batch.
const RETRY_REBUILD: Duration = Duration::from_secs(30);

impl IndexingState {
    /// Rebuilds every index that lacks the substrings which the store's configuration searches.
    pub fn rebuild_without_substrings(self: &Arc<Self>, open: &Arc<OpenStore>) {
        let lacking = open.indexes().into_iter();
        let lacking = lacking.filter(|index| lacks_substrings(open, index.as_ref()));
        for task in lacking.filter_map(|index| self.find(index.id())) {
            let (state, open) = (Arc::clone(self), Arc::clone(open));
            tokio::spawn(async move { state.rebuild_until_held(&open, &task).await });
        }
    }

    async fn rebuild_until_held(self: &Arc<Self>, open: &OpenStore, task: &IndexTask) {
        // A rebuild that was in progress already may have begun without substrings.
        while lacks_substrings(open, task) {
            let mut rebuild = self.rebuild(task.row());
            let end = rebuild.wait_for(Rebuild::is_over).await;
            let failed = end.is_ok_and(|end| matches!(*end, Rebuild::Failed(_)));
            if failed && self.shared.closing.begins_within(RETRY_REBUILD).await {
                return;
            }
        }
    }

    fn building_progress(&self, open: &OpenStore) -> SubstringIndexing {
        let (mut done, mut all) = (0, 0);
        for index in open.indexes() {
            let facts = index.snapshot().facts();
            let documents = facts.documents;
            all += documents;
            done += if facts.has_substrings {
                documents
            } else {
                match self
                    .shared
                    .progress
                    .last_rebuild(index.id())
                    .map(|last| last.borrow().clone())
                {
                    Some(Rebuild::UnderWay {
                        documents: so_far, ..
                    }) => so_far.min(documents),
                    _ => 0,
                }
            };
        }
        // An index that is not swapped in yet is not done.
        SubstringIndexing::Building((done * 100).checked_div(all).unwrap_or(0).min(99))
    }
}

impl Indexing {
    /// Returns whether the indexes of a store hold substrings of names, given its saved configuration.
    pub fn substring_indexing(&self, store: &StoreId) -> SubstringIndexing {
        let Some(open) = self.state.shared.snapshots.opened(store) else {
            return SubstringIndexing::Unknown;
        };
        if open
            .indexes()
            .iter()
            .all(|index| index.snapshot().facts().has_substrings)
        {
            SubstringIndexing::Held
        } else if open.current().configuration.searches_substrings() {
            self.state.building_progress(&open)
        } else {
            SubstringIndexing::Missing
        }
    }
}

fn lacks_substrings(open: &OpenStore, index: &dyn OpenIndex) -> bool {
    open.current().configuration.searches_substrings() && !index.snapshot().facts().has_substrings
}
