//! The folder of indexes: opens each one, and makes it anew where what is on disk cannot be trusted.

use super::damage::is_damage;
use super::index::EmbeddedIndex;
use super::{copying, generations};
use crate::{Engine, EngineError, Index, IndexSpec};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All indexes below one folder.
pub struct EmbeddedEngine {
    folder: PathBuf,
}

impl EmbeddedEngine {
    /// The engine whose indexes lie in `folder`, which is made when the first one is opened.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn folder_of(&self, spec: &IndexSpec) -> PathBuf {
        self.folder.join(spec.id.to_string())
    }

    /// The highest generation that can be used.
    ///
    /// Errors: one that is not damaged could not be read now; all are left as they are.
    fn usable(&self, spec: &IndexSpec) -> Result<Option<EmbeddedIndex>, EngineError> {
        let all = generations::numbered(&self.folder_of(spec))
            .map_err(EngineError::during("look for an index"))?;
        for (generation, folder) in all {
            match EmbeddedIndex::open(spec, folder) {
                Ok(Some(index)) => return Ok(Some(index)),
                Ok(None) => {}
                Err(error) if !is_damage(&error) => return Err(error),
                Err(error) => {
                    let cause = error.source.to_string();
                    tracing::warn!(index = %spec.id, generation, %cause, "an index is damaged");
                }
            }
        }
        Ok(None)
    }

    fn create(&self, spec: &IndexSpec, building: bool) -> Result<EmbeddedIndex, EngineError> {
        let folder = generations::next(&self.folder_of(spec))
            .map_err(EngineError::during("look for an index"))?;
        EmbeddedIndex::create(spec, folder, building)
    }

    fn keep_only(&self, spec: &IndexSpec, index: &EmbeddedIndex) -> Result<(), EngineError> {
        generations::keep_only(&self.folder_of(spec), index.folder())
            .map_err(EngineError::during("remove former states of an index"))
    }
}

impl Engine for EmbeddedEngine {
    fn open(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        let Some(index) = self.usable(spec)? else {
            tracing::info!(index = %spec.id, "no index on disk that can be used, building it from storage");
            return self.renew(spec);
        };
        self.keep_only(spec, &index)?;
        Ok(Arc::new(index))
    }

    fn renew(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        let index = self.create(spec, false)?;
        self.keep_only(spec, &index)?;
        Ok(Arc::new(index))
    }

    fn rebuild(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        Ok(Arc::new(self.create(spec, true)?))
    }

    fn copy(&self, spec: &IndexSpec, to: &Path) -> Result<bool, EngineError> {
        copying::copy(spec, &self.folder_of(spec), to)
    }
}
