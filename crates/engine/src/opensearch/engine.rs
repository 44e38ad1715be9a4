//! The indexes in one cluster: opens and creates them, and says at the start what the cluster lacks.

use super::access::ClusterAccess;
use super::client::{Client, ClientError, SEARCHES_AT_ONCE};
use super::generation::{self, ClusterGeneration, GenerationMeta, discard};
use super::index::ClusterIndex;
use super::startup::{Lacking, check};
use crate::{Engine, EngineError, Files, Index, IndexSpec, SharedIndexes};
use domain::{CacheUsage, IndexId};
use std::sync::Arc;

/// The engine over indexes in a cluster of OpenSearch.
pub struct OpenSearchEngine {
    client: Arc<Client>,
}

impl OpenSearchEngine {
    /// The engine of the cluster of `access`, to which nothing is sent yet.
    ///
    /// Errors: the access is wrong.
    pub fn new(access: &ClusterAccess) -> Result<Self, ClientError> {
        let client = Arc::new(Client::new(access)?);
        Ok(Self { client })
    }

    /// Checks that the cluster can be used: version, scripts, privileges, limit of clauses.
    ///
    /// Errors: the first thing that it lacks, as a sentence for the operator.
    pub fn check(&self) -> Result<(), Lacking> {
        check(&self.client)
    }
}

impl Engine for OpenSearchEngine {
    fn open(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        let found = ClusterGeneration::in_use(&self.client, spec)
            .map_err(EngineError::during("find an index"))?;
        let Some((generation, meta)) = found else {
            return self.renew(spec);
        };
        Ok(Arc::new(ClusterIndex::open(
            spec,
            (generation, meta),
            true,
        )?))
    }

    fn renew(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        let meta = GenerationMeta::new(&self.client, spec);
        let created = || {
            let generation = ClusterGeneration::create(&self.client, spec.id, &meta)?;
            generation.use_from_now_on(spec.id, None)?;
            Ok::<_, ClientError>(generation)
        };
        let generation = created().map_err(EngineError::during("create an index"))?;
        Ok(Arc::new(ClusterIndex::open(
            spec,
            (generation, meta),
            true,
        )?))
    }

    fn rebuild(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        let meta = GenerationMeta::new(&self.client, spec);
        let generation = ClusterGeneration::create(&self.client, spec.id, &meta);
        let generation = generation.map_err(EngineError::during("create an index"))?;
        Ok(Arc::new(ClusterIndex::open(
            spec,
            (generation, meta),
            false,
        )?))
    }

    fn files(&self) -> Option<&dyn Files> {
        None
    }

    fn shared(&self) -> Option<&dyn SharedIndexes> {
        Some(self)
    }

    fn discard(&self, index: IndexId) -> Result<(), EngineError> {
        discard(&self.client, index).map_err(EngineError::during("delete an index"))
    }

    fn searches_at_once(&self) -> Option<usize> {
        // They wait for the cluster, and cost this machine little.
        Some(SEARCHES_AT_ONCE)
    }

    fn caches(&self) -> Vec<(&'static str, CacheUsage)> {
        Vec::new()
    }
}

impl SharedIndexes for OpenSearchEngine {
    fn format(&self) -> u32 {
        self.client.format
    }

    fn exists(&self, spec: &IndexSpec) -> Result<bool, EngineError> {
        let found = ClusterGeneration::in_use(&self.client, spec);
        let found = found.map_err(EngineError::during("find an index"))?;
        Ok(found.is_some())
    }

    fn discard_earlier(&self, used: &[u32]) -> Result<usize, EngineError> {
        let deleted = generation::discard_earlier(&self.client, used);
        deleted.map_err(EngineError::during("delete indexes of earlier versions"))
    }
}
