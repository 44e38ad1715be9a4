//! Opening and closing a service with its jobs.

use crate::jobs::{last_uses, releases, timer};
use crate::{OperationError, Service, ServiceOptions};

impl Service {
    /// Opens storage and indexes under the data directory, and starts the indexer and the jobs.
    ///
    /// Errors: if the directory, the database, the indexes or the master key cannot be opened.
    pub async fn open(options: ServiceOptions) -> Result<Self, OperationError> {
        let service = Self::without_jobs(options).await?;
        releases::run(&service).await?;
        timer::start(&service);
        Ok(service)
    }

    /// Stops the jobs, waits for the writers of the indexes, and closes storage.
    pub async fn close(&self) {
        self.background.stop().await;
        if let Err(error) = last_uses::run(self).await {
            tracing::warn!(%error, "the last uses of keys were not stored");
        }
        self.search_log.close().await;
        self.indexing.close().await;
        self.storage.close().await;
    }
}
