//! How an import reports its progress, and how it is cancelled.

use super::failure::ImportFailure;
use std::fmt;
use std::sync::Arc;
use tokio::sync::watch;

/// How far an import has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportProgress {
    /// The file is being read, twice: rows of this time so far.
    Reading {
        /// Rows.
        rows: u64,
    },
    /// Documents are being stored.
    Storing {
        /// Documents so far, also rejected ones.
        documents: u64,
        /// All documents.
        of: u64,
        /// Documents that were accepted.
        accepted: u64,
        /// Rows that were rejected.
        rejected: u64,
    },
}

/// Follows an import and stops it.
#[derive(Clone)]
pub struct ImportControl {
    report: Arc<dyn Fn(ImportProgress) + Send + Sync>,
    cancelled: watch::Receiver<bool>,
}

/// Cancels an import. Dropping it does not.
#[derive(Clone, Debug)]
pub struct CancelImport(watch::Sender<bool>);

impl CancelImport {
    /// Stops the import: between two rows, between two blocks, or while it waits. A block that was begun is finished.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }
}

impl ImportControl {
    /// Returns the control of an import that reports to `report`, from any thread, and the means to cancel it.
    pub fn new(report: impl Fn(ImportProgress) + Send + Sync + 'static) -> (Self, CancelImport) {
        let (sender, cancelled) = watch::channel(false);
        let control = Self {
            report: Arc::new(report),
            cancelled,
        };
        (control, CancelImport(sender))
    }

    /// Reports progress.
    pub fn report(&self, progress: ImportProgress) {
        (self.report)(progress);
    }

    /// Returns whether the import was cancelled.
    pub fn is_cancelled(&self) -> bool {
        *self.cancelled.borrow()
    }

    /// Returns what `work` returns, unless the import is cancelled before.
    pub async fn unless_cancelled<T, E>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, ImportFailure>
    where
        ImportFailure: From<E>,
    {
        tokio::select! {
            biased;
            () = cancelled(self.cancelled.clone()) => Err(ImportFailure::Cancelled),
            done = work => Ok(done?),
        }
    }
}

impl fmt::Debug for ImportControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImportControl")
            .field("cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}

async fn cancelled(mut flag: watch::Receiver<bool>) {
    if flag.wait_for(|cancelled| *cancelled).await.is_err() {
        // Nobody can cancel it any more.
        std::future::pending::<()>().await;
    }
}
