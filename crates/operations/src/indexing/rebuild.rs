//! Rebuilds an index beside the one that is searched, and swaps it in.

use super::follower::{Follower, blocking, spec};
use super::progress::{Rebuild, RebuildStart};
use super::state::IndexingState;
use crate::OperationError;
use crate::message;
use std::sync::Arc;
use storage::IndexRow;
use tokio::sync::watch;
use tokio::time::Instant;

impl IndexingState {
    /// Starts the rebuild of an index, or joins the one in progress.
    pub fn rebuild(self: &Arc<Self>, row: &IndexRow) -> watch::Receiver<Rebuild> {
        let wanted = (self.shared.progress).want_rebuild(row.id, row.documents.unsigned_abs());
        let (progress, receiver) = match wanted {
            RebuildStart::Joined(receiver) => return receiver,
            RebuildStart::Begun(progress, receiver) => (progress, receiver),
        };
        let (inner, row) = (Arc::clone(self), row.clone());
        tokio::spawn(async move {
            let end = match inner.build(&row, &progress).await {
                Ok(()) => Rebuild::Done,
                Err(error) => {
                    tracing::error!(index = %row.id, error = ?error, "an index could not be rebuilt");
                    Rebuild::Failed(error.to_string())
                }
            };
            progress.send_replace(end);
        });
        receiver
    }

    async fn build(
        self: &Arc<Self>,
        row: &IndexRow,
        progress: &watch::Sender<Rebuild>,
    ) -> Result<(), OperationError> {
        let _turn = self.rebuilding.take(row.store.clone()).await;
        // A new index may not be open yet.
        let open = self.wake(&row.store, row.id).await?;
        let task = self.find(row.id).ok_or(OperationError::NotFound {
            what: message::noun::index,
        })?;
        // Closing waits for this lock, so that no half of an index is written into a closed directory.
        let _opening = self.shared.opening.read().await;
        self.shared.closing.ensure_open()?;
        let (engine, spec) = (
            Arc::clone(&self.shared.engine),
            spec(row, open.current().configuration.searches_substrings()),
        );
        let index = blocking(move || engine.rebuild(&spec)).await?;
        let rebuilt = Arc::new(Follower::new(row, index));
        let filled = match self.fill(row, &rebuilt, progress).await {
            Ok(()) => task.replace(open.published(), Arc::clone(&rebuilt)).await,
            Err(error) => Err(error),
        };
        let (failed, closing) = (filled.is_err(), self.shared.closing.has_begun());
        blocking(move || {
            if failed {
                rebuilt.index.retire();
            } else if closing {
                // The task of the index has ended and released the former one.
                rebuilt.release();
            }
            Ok(())
        })
        .await?;
        filled
    }

    /// Fills a new index from storage and computes its average lengths.
    async fn fill(
        &self,
        row: &IndexRow,
        rebuilt: &Arc<Follower>,
        progress: &watch::Sender<Rebuild>,
    ) -> Result<(), OperationError> {
        loop {
            self.shared.closing.ensure_open()?;
            let started = Instant::now();
            let turn = self.shared.turn(&row.store).await;
            let step = rebuilt.catch_up(&self.shared, None).await?;
            drop(turn);
            progress.send_replace(Rebuild::UnderWay {
                documents: rebuilt.index.snapshot().facts().documents,
                of: row.documents.unsigned_abs(),
            });
            if !step.more {
                break;
            }
            // Changes of shops go first, but a shop that never stops sending must not stop the rebuild.
            self.shared.progress.wait_quiet(started.elapsed()).await;
        }
        let rebuilt = Arc::clone(rebuilt);
        blocking(move || rebuilt.freeze_averages(0.0)).await
    }
}
