//! The folder of indexes: opens each one, and makes it anew where what is on disk cannot be trusted.

use super::index::EmbeddedIndex;
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
}

impl Engine for EmbeddedEngine {
    fn open(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        let folder = self.folder.join(spec.id.to_string());
        match EmbeddedIndex::open(spec, &folder) {
            Ok(Some(index)) => return Ok(Arc::new(index)),
            Ok(None) => {
                tracing::info!(index = %spec.id, "no index on disk, building it from storage")
            }
            Err(error) => {
                let cause = error.source.to_string();
                tracing::warn!(index = %spec.id, %cause, "index unusable, building it anew from storage");
            }
        }
        self.renew(spec)
    }

    fn renew(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        let folder = self.folder.join(spec.id.to_string());
        if folder.exists() {
            discard(&folder).map_err(EngineError::during("remove an unusable index"))?;
        }
        Ok(Arc::new(EmbeddedIndex::create(spec, &folder)?))
    }
}

/// Takes an index out of the way. It is moved first, because a merge of its former owner may still write into it.
fn discard(folder: &Path) -> std::io::Result<()> {
    let aside = folder.with_extension("discarded");
    if aside.exists() {
        std::fs::remove_dir_all(&aside)?;
    }
    std::fs::rename(folder, &aside)?;
    if let Err(error) = std::fs::remove_dir_all(&aside) {
        tracing::warn!(%error, "a discarded index is left for the next time");
    }
    Ok(())
}
