//! Rebuilds an index beside the one that is searched, and swaps it in.

use super::IndexingState;
use super::follower::{Follower, blocking, spec};
use crate::OperationError;
use domain::{IndexId, StoreId};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use storage::{IndexRow, Turns};
use tokio::sync::watch;
use tokio::time::Instant;

/// Progress of a rebuild.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rebuild {
    /// It waits for its turn or is in progress.
    UnderWay {
        /// Documents that the new index holds.
        documents: u64,
        /// Documents that it will hold, as far as known.
        of: u64,
    },
    /// The new index is searched.
    Done,
    /// The rebuild failed with this error; the former index is still searched.
    Failed(String),
}

impl Rebuild {
    /// Returns whether it is over, successful or not.
    pub fn is_over(&self) -> bool {
        !matches!(self, Self::UnderWay { .. })
    }
}

/// The last rebuild of each index. One runs at a time.
pub(super) struct Rebuilds {
    last: Mutex<HashMap<IndexId, watch::Receiver<Rebuild>>>,
    turn: Turns<StoreId>,
}

impl Default for Rebuilds {
    fn default() -> Self {
        Self {
            last: Mutex::default(),
            turn: Turns::new(1),
        }
    }
}

impl Rebuilds {
    /// Returns the last rebuild of an index since the start, if any.
    pub fn last(&self, index: IndexId) -> Option<watch::Receiver<Rebuild>> {
        self.last.lock().get(&index).cloned()
    }
}

impl IndexingState {
    /// Starts the rebuild of an index, or joins the one in progress.
    pub fn rebuild(self: &Arc<Self>, row: &IndexRow) -> watch::Receiver<Rebuild> {
        let mut last = self.rebuilds.last.lock();
        if let Some(under_way) = last.get(&row.id).filter(|last| !last.borrow().is_over()) {
            return under_way.clone();
        }
        let (progress, receiver) = watch::channel(Rebuild::UnderWay {
            documents: 0,
            of: row.documents.unsigned_abs(),
        });
        last.insert(row.id, receiver.clone());
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
        let _turn = self.rebuilds.turn.take(row.store.clone()).await;
        // A new index may not be open yet.
        self.wake(&row.store, row.id).await?;
        let open = self.store(&row.store).await?;
        let task = open
            .index(row.id)
            .ok_or(OperationError::NotFound { what: "index" })?;
        // Closing waits for this lock, so that no half of an index is written into a closed directory.
        let _opening = self.opening.read().await;
        self.ensure_open()?;
        let (engine, spec) = (
            Arc::clone(&self.engine),
            spec(row, open.current().configuration.searches_substrings()),
        );
        let index = blocking(move || engine.rebuild(&spec)).await?;
        let rebuilt = Arc::new(Follower::new(row, index));
        let filled = match self.fill(row, &rebuilt, progress).await {
            Ok(()) => {
                task.replace(self, open.published(), Arc::clone(&rebuilt))
                    .await
            }
            Err(error) => Err(error),
        };
        let (failed, closing) = (filled.is_err(), *self.closing.borrow());
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
            self.ensure_open()?;
            let started = Instant::now();
            let turn = self.turn(&row.store).await;
            let step = rebuilt.catch_up(self, None).await?;
            drop(turn);
            progress.send_replace(Rebuild::UnderWay {
                documents: rebuilt.index.snapshot().facts().documents,
                of: row.documents.unsigned_abs(),
            });
            if !step.more {
                break;
            }
            // Changes of shops go first, but a shop that never stops sending must not stop the rebuild.
            self.lags.wait_quiet(started.elapsed()).await;
        }
        let rebuilt = Arc::clone(rebuilt);
        blocking(move || rebuilt.freeze_averages()).await
    }
}
