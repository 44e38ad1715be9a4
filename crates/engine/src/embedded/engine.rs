//! The folder of all indexes: opens each one, and creates it again when it is damaged.

use super::index::EmbeddedIndex;
use super::memo::MemoBudget;
use super::scale::{Scale, Shipped, Small};
use super::write::{copying, generations};
use crate::embedded::write::damage::is_damage;
use crate::{Engine, EngineError, ExistingIndex, Files, Index, IndexSpec, SharedIndexes};
use domain::CacheUsage;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes that the memos of all open indexes may take together.
const MEMO_BYTES_MAX: usize = 512 * 1024 * 1024;

/// The engine over all indexes in one folder.
pub struct EmbeddedEngine {
    folder: PathBuf,
    memos: Arc<MemoBudget>,
    indexes: &'static dyn OpensIndexes,
}

/// Opens and creates indexes of one [`Scale`]. Used as `dyn`, so that the code for each scale is compiled in this crate.
trait OpensIndexes: Send + Sync {
    fn open(
        &self,
        spec: &IndexSpec,
        folder: PathBuf,
        memos: &Arc<MemoBudget>,
    ) -> Result<Option<Arc<dyn Index>>, EngineError>;

    fn create(
        &self,
        spec: &IndexSpec,
        folder: PathBuf,
        building: bool,
        memos: &Arc<MemoBudget>,
    ) -> Result<Arc<dyn Index>, EngineError>;
}

impl<S: Scale> OpensIndexes for S {
    fn open(
        &self,
        spec: &IndexSpec,
        folder: PathBuf,
        memos: &Arc<MemoBudget>,
    ) -> Result<Option<Arc<dyn Index>>, EngineError> {
        let index = EmbeddedIndex::<S>::open(spec, folder, memos)?;
        Ok(index.map(|index| Arc::new(index) as Arc<dyn Index>))
    }

    fn create(
        &self,
        spec: &IndexSpec,
        folder: PathBuf,
        building: bool,
        memos: &Arc<MemoBudget>,
    ) -> Result<Arc<dyn Index>, EngineError> {
        let index = EmbeddedIndex::<S>::create(spec, folder, building, memos)?;
        Ok(Arc::new(index))
    }
}

/// An index with its folder.
type IndexInFolder = (Arc<dyn Index>, PathBuf);

impl EmbeddedEngine {
    /// The engine of the indexes in `folder`, which is created when the first one is opened.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            memos: MemoBudget::new(MEMO_BYTES_MAX),
            indexes: &Shipped,
        }
    }

    /// An engine for tests whose sizes are so small that a few dozen documents take the code paths of a large index.
    /// Results are the same.
    pub fn small(folder: PathBuf) -> Self {
        Self {
            indexes: &Small,
            ..Self::new(folder)
        }
    }

    /// Limits the memos of indexes that are opened from now on to `bytes_max` bytes.
    #[must_use]
    pub fn with_memos(self, bytes_max: usize) -> Self {
        Self {
            memos: MemoBudget::new(bytes_max),
            ..self
        }
    }

    fn folder_of(&self, spec: &IndexSpec) -> PathBuf {
        self.folder.join(spec.id.to_string())
    }

    /// The highest usable generation, or else why the highest one is damaged, if it is.
    ///
    /// Errors: a generation that is not damaged could not be read now; all are left unchanged.
    fn usable(
        &self,
        spec: &IndexSpec,
    ) -> Result<Result<IndexInFolder, Option<String>>, EngineError> {
        let mut damage = None;
        let all = generations::numbered(&self.folder_of(spec))
            .map_err(EngineError::during("find an index"))?;
        for (generation, folder) in all {
            match self.indexes.open(spec, folder.clone(), &self.memos) {
                Ok(Some(index)) => return Ok(Ok((index, folder))),
                Ok(None) => {}
                Err(error) if !is_damage(&error) => return Err(error),
                Err(error) => {
                    let cause = error.source.to_string();
                    tracing::warn!(index = %spec.id, generation, %cause, "an index is damaged");
                    damage.get_or_insert(cause);
                }
            }
        }
        Ok(Err(damage))
    }

    fn create(&self, spec: &IndexSpec, building: bool) -> Result<IndexInFolder, EngineError> {
        let folder = generations::next(&self.folder_of(spec))
            .map_err(EngineError::during("find an index"))?;
        let index = self
            .indexes
            .create(spec, folder.clone(), building, &self.memos)?;
        Ok((index, folder))
    }

    fn keep_only(&self, spec: &IndexSpec, folder: &Path) -> Result<(), EngineError> {
        generations::keep_only(&self.folder_of(spec), folder)
            .map_err(EngineError::during("remove old generations of an index"))
    }
}

impl Engine for EmbeddedEngine {
    fn open(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        let Ok((index, folder)) = self.usable(spec)? else {
            tracing::info!(index = %spec.id, "no index on disk that can be used, building it from storage");
            return self.renew(spec);
        };
        self.keep_only(spec, &folder)?;
        Ok(index)
    }

    fn renew(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        let (index, folder) = self.create(spec, false)?;
        self.keep_only(spec, &folder)?;
        Ok(index)
    }

    fn rebuild(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError> {
        Ok(self.create(spec, true)?.0)
    }

    fn files(&self) -> Option<&dyn Files> {
        Some(self)
    }

    fn shared(&self) -> Option<&dyn SharedIndexes> {
        None
    }

    fn discard(&self, index: domain::IndexId) -> Result<(), EngineError> {
        match std::fs::remove_dir_all(self.folder.join(index.to_string())) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(EngineError::during("delete an index")(error))
            }
            _ => Ok(()),
        }
    }

    fn searches_at_once(&self) -> Option<usize> {
        None
    }

    fn caches(&self) -> Vec<(&'static str, CacheUsage)> {
        vec![("engine", self.memos.usage())]
    }
}

impl Files for EmbeddedEngine {
    fn kept(&self) -> Result<Vec<domain::IndexId>, EngineError> {
        let failed = EngineError::during("list the indexes");
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed)?,
        };
        let number = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse().ok();
        Ok(entries
            .filter_map(|entry| number(entry.ok()?))
            .map(domain::IndexId)
            .collect())
    }

    fn copy(&self, spec: &IndexSpec, to: &Path) -> Result<bool, EngineError> {
        copying::copy(spec, &self.folder_of(spec), to)
    }

    fn copy_from(&self, spec: &IndexSpec, folder: &Path) -> Result<bool, EngineError> {
        let failed = EngineError::during("find an index");
        let own = self.folder_of(spec);
        if copying::has_complete(spec, &own)? {
            return Ok(false);
        }
        let to = generations::next(&own).map_err(failed)?;
        let copied = copying::copy(spec, &folder.join(spec.id.to_string()), &to);
        if copied.is_err() {
            copying::remove(&to);
        }
        copied
    }

    fn existing(&self, spec: &IndexSpec) -> Result<ExistingIndex, EngineError> {
        Ok(match self.usable(spec)? {
            Ok((index, _)) => ExistingIndex::Usable(index),
            Err(Some(damage)) => ExistingIndex::Damaged(damage),
            Err(None) => ExistingIndex::None,
        })
    }
}
