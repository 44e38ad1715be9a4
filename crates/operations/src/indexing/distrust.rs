//! The database has another past than the one that the indexes followed: it was restored, or a standby took over. Its numbers
//! may count other changes, so each index is built anew: open ones beside what is searched, others when they are opened.

use super::Indexing;
use super::progress::Rebuild;
use crate::OperationError;
use crate::snapshots::open_index::OpenIndex;

impl Indexing {
    /// Deletes all indexes, before any is opened.
    ///
    /// Errors: if they cannot be listed or deleted now.
    pub(crate) async fn discard_all(&self) -> Result<(), OperationError> {
        for index in self.kept().await? {
            self.discard(index).await?;
        }
        Ok(())
    }

    /// Builds all indexes anew, each in its turn.
    ///
    /// Errors: if they cannot be listed; nothing was done.
    pub(crate) async fn distrust_all(&self) -> Result<(), OperationError> {
        let kept = self.kept().await?;
        self.state.shared.distrusted.begin(kept);
        for task in self.state.all() {
            self.state.shared.distrusted.end(task.id());
            drop(self.rebuild(task.row()));
        }
        Ok(())
    }

    /// Returns whether every index was built from the database as it is; a rebuild that failed begins again.
    pub(crate) fn trusts_all(&self) -> bool {
        let mut trusted = self.state.shared.distrusted.is_empty();
        for task in self.state.all() {
            match self.last_rebuild(task.id()) {
                None | Some(Rebuild::Done) => {}
                Some(Rebuild::UnderWay { .. }) => trusted = false,
                Some(Rebuild::Failed(_)) => {
                    trusted = false;
                    drop(self.rebuild(task.row()));
                }
            }
        }
        trusted
    }
}
