//! Opens stores when the service starts, so that their first search does not wait.

use super::Snapshots;
use crate::OperationError;
use domain::StoreId;
use std::time::Duration;
use tokio::time::sleep;

/// Most stores that are opened when the service starts.
const WARM_STORES_MAX: usize = 64;

/// Time after which storage that did not respond is asked again.
const STORAGE_WAIT: Duration = Duration::from_secs(1);

/// Progress of opening stores at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Warming {
    /// Stores that are open or could not be opened.
    pub done: usize,
    /// Stores to open.
    pub of: usize,
}

impl Warming {
    /// Returns whether all are done.
    pub fn is_over(&self) -> bool {
        self.done >= self.of
    }
}

impl Snapshots {
    /// Returns the progress of opening stores at the start.
    pub fn warming(&self) -> Warming {
        *self.serving.warming.borrow()
    }

    /// Opens the first stores in the background, one after the other, until the limit of open indexes is reached.
    ///
    /// Errors: if the stores cannot be read from storage.
    pub(crate) async fn warm(&self) -> Result<(), OperationError> {
        let stores = self.serving.storage.stores().await?;
        self.warm_stores(stores.into_iter().map(|store| store.id).collect());
        Ok(())
    }

    fn warm_stores(&self, mut stores: Vec<StoreId>) {
        stores.truncate(WARM_STORES_MAX);
        let of = stores.len();
        let report = |done| self.serving.warming.send_replace(Warming { done, of });
        report(0);
        let snapshots = self.clone();
        tokio::spawn(async move {
            for (done, store) in stores.into_iter().enumerate() {
                if snapshots.serving.closing.has_begun() || snapshots.serving.stores.is_full() {
                    break;
                }
                snapshots.open_first(&store).await;
                let done = done + 1;
                snapshots.serving.warming.send_replace(Warming { done, of });
            }
            snapshots
                .serving
                .warming
                .send_replace(Warming { done: of, of });
        });
    }

    /// Opens a store, or logs why it cannot be opened. While storage does not respond it tries again.
    async fn open_first(&self, store: &StoreId) {
        while let Err(error) = self.of(store).await {
            // Storage is closed if the service stops while a store is being opened; that is no error.
            if self.serving.closing.has_begun() {
                return;
            }
            tracing::error!(%store, error = ?error, "a store cannot be opened");
            if self.serving.storage.ping().await.is_ok() {
                return;
            }
            sleep(STORAGE_WAIT).await;
        }
    }
}
