//! Opening and closing a service with its jobs.

use crate::maintenance::jobs::{last_uses, releases, timer};
use crate::maintenance::nodes;
use crate::{DataLocations, OperationError, Service, ServiceOptions};
use engine::{EmbeddedEngine, Engine, OpenSearchEngine};
use std::path::Path;
use std::sync::Arc;

/// Returns the engine of the indexes, none of which is open: those under a data directory, or those in a search cluster.
///
/// Errors: the cluster cannot be used, with a sentence that says why.
pub(crate) async fn engine_of(
    data_dir: &Path,
    locations: &DataLocations,
) -> Result<Arc<dyn Engine>, OperationError> {
    let Some(access) = locations.search.clone() else {
        return Ok(Arc::new(EmbeddedEngine::new(data_dir.join("indexes"))));
    };
    if locations.database.is_none() {
        return Err(OperationError::internal(
            "a search cluster needs a database on a server",
        ));
    }
    let checked = tokio::task::spawn_blocking(move || {
        let engine = OpenSearchEngine::new(&access).map_err(OperationError::internal)?;
        let checked = engine.check();
        checked.map_err(|lacking| OperationError::internal(lacking.to_string()))?;
        Ok(Arc::new(engine) as Arc<dyn Engine>)
    });
    checked.await.map_err(OperationError::internal)?
}

impl Service {
    /// Opens storage and indexes under the data directory, and starts the indexer and the jobs.
    ///
    /// Errors: if the directory, the database, the indexes, the search cluster or the master key cannot be opened.
    pub async fn open(options: ServiceOptions) -> Result<Self, OperationError> {
        let engine = engine_of(&options.data_dir, &options.locations).await?;
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
        // So that the jobs are run by somebody from the start.
        nodes::follow_once(&service).await?;
        timer::start(&service);
        Ok(service)
    }

    /// Stops the jobs, waits for the writers of the indexes, and closes storage.
    pub async fn close(&self) {
        self.background.stop().await;
        let uses = async {
            if let Err(error) = last_uses::run(self).await {
                tracing::warn!(%error, "the last uses of keys were not stored");
            }
        };
        // Each waits some seconds for a database that is away: together no longer than one.
        tokio::join!(uses, self.nodes.end(&self.storage), self.search_log.close());
        self.indexing.close().await;
        self.storage.close().await;
    }
}
