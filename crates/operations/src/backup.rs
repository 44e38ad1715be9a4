//! A copy of the data directory while the service runs: first the indexes, then the database.
//!
//! So a copied index may lack what the copied database holds, and catches up; it is never ahead of it.

use crate::{OperationError, Service};
use domain::{Caller, access};
use serde::{Deserialize, Serialize};
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// What a backup holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Backup {
    /// Where it is.
    pub directory: PathBuf,
    /// Indexes in it; one that is not is built from the database at the first start.
    pub indexes: usize,
    /// The file that it leaves out and without which its secrets cannot be read.
    pub key_file: PathBuf,
}

/// Copies database and indexes into `directory`, an absolute path, which must be empty or missing.
///
/// Errors: `Conflict` when the directory holds something or lies in the data directory; nothing is left in it when
/// the copy fails.
pub async fn create(
    service: &Service,
    caller: &Caller,
    directory: PathBuf,
) -> Result<Backup, OperationError> {
    access::operator(caller)?;
    let (data, wanted) = (service.data_dir.to_path_buf(), directory);
    let directory = tokio::task::spawn_blocking(move || prepared(&data, wanted))
        .await
        .map_err(OperationError::internal)??;
    match fill(service, &directory).await {
        Ok(indexes) => Ok(Backup {
            directory,
            indexes,
            key_file: service.data_dir.join(crate::seal::KEY_FILE),
        }),
        Err(error) => {
            let emptied = tokio::task::spawn_blocking(move || empty(&directory)).await;
            if !matches!(emptied, Ok(Ok(()))) {
                tracing::warn!("a backup that failed could not be removed");
            }
            Err(error)
        }
    }
}

async fn fill(service: &Service, directory: &Path) -> Result<usize, OperationError> {
    let indexes = directory.join("indexes");
    let mut copied = 0;
    for row in service.storage.all_indices().await? {
        let to = indexes.join(row.id.to_string()).join("1");
        copied += usize::from(service.indexing.copy(&row, to).await?);
    }
    service.storage.back_up(directory).await?;
    Ok(copied)
}

/// The directory, made if it is missing.
fn prepared(data: &Path, directory: PathBuf) -> Result<PathBuf, OperationError> {
    let unusable =
        |error: io::Error| OperationError::conflict(format!("{}: {error}", directory.display()));
    let refused =
        |reason: &str| OperationError::conflict(format!("{} {reason}", directory.display()));
    let data = data.canonicalize().map_err(OperationError::internal)?;
    // Of a directory that is not there yet, what there is of its path decides.
    let existing = directory.ancestors().find(|ancestor| ancestor.exists());
    let existing = existing.map_or_else(|| directory.canonicalize(), Path::canonicalize);
    if existing.map_err(unusable)?.starts_with(&data) {
        return Err(refused("lies in the data directory"));
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&directory)
        .map_err(unusable)?;
    let mut entries = fs::read_dir(&directory).map_err(unusable)?;
    if entries.next().is_some() {
        return Err(refused("is not empty"));
    }
    directory.canonicalize().map_err(unusable)
}

fn empty(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            fs::remove_dir_all(path)?;
        } else {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
