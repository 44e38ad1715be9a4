//! `Closing`: whether the service closes, for tasks in the background.

use crate::OperationError;
use domain::StoreId;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// Pause before failed work is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// Whether the service closes; clones share it.
#[derive(Clone, Default)]
pub(crate) struct Closing(Arc<watch::Sender<bool>>);

impl Closing {
    /// Begins to close.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Returns whether the service closes.
    pub fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Fails with `Unavailable` once the service is closing.
    pub fn ensure_open(&self) -> Result<(), OperationError> {
        if self.has_begun() {
            return Err(OperationError::unavailable("the service is closing"));
        }
        Ok(())
    }

    /// Waits for `time`; returns whether the service closes in the meantime.
    pub async fn begins_within(&self, time: Duration) -> bool {
        let mut closing = self.0.subscribe();
        let closed = closing.wait_for(|closing| *closing);
        timeout(time, closed).await.is_ok()
    }

    /// Runs `work` for a store in the background. There is no second notification, so it is retried until it succeeds
    /// or the service closes: the next start reads everything from storage.
    pub fn retry_until_done<W>(
        &self,
        store: &StoreId,
        failing: &'static str,
        work: impl Fn(StoreId) -> W + Send + 'static,
    ) where
        W: Future<Output = Result<(), OperationError>> + Send,
    {
        let (closing, store) = (self.clone(), store.clone());
        tokio::spawn(async move {
            while let Err(error) = work(store.clone()).await {
                // A store that was closed in the meantime has nothing left to do.
                let gone = matches!(error, OperationError::NotFound { .. });
                if gone || closing.has_begun() {
                    return;
                }
                tracing::error!(%store, error = ?error, "{failing}");
                if closing.begins_within(RETRY).await {
                    return;
                }
            }
        });
    }
}
