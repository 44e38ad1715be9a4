//! Opening and closing a service with its jobs.

use crate::maintenance::jobs::{last_uses, releases, timer};
use crate::{OperationError, Service, ServiceOptions};
use engine::{EmbeddedEngine, Engine};
use std::path::Path;
use std::sync::Arc;

/// Returns the engine of the indexes under a data directory, none of which is open.
pub(crate) fn engine_in(data_dir: &Path) -> Arc<dyn Engine> {
    Arc::new(EmbeddedEngine::new(data_dir.join("indexes")))
}

impl Service {
    /// Opens storage and indexes under the data directory, and starts the indexer and the jobs.
    ///
    /// Errors: if the directory, the database, the indexes or the master key cannot be opened.
    pub async fn open(options: ServiceOptions) -> Result<Self, OperationError> {
        let engine = engine_in(&options.data_dir);
        Self::open_over(options, engine).await
    }

    /// As [`Service::open`], with the indexes of `engine` instead of those under the data directory.
    ///
    /// Errors: as [`Service::open`].
    pub async fn open_over(
        options: ServiceOptions,
        engine: Arc<dyn Engine>,
    ) -> Result<Self, OperationError> {
        let service = Self::without_jobs(options, engine).await?;
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
