//! Backups of the data directory while the service runs: the indexes are copied first, then the database.
//!
//! A copied index may therefore lag behind the copied database, and catches up; it is never ahead of it.

use crate::message;
use crate::statistics::search_log::SearchLog;
use crate::{OperationError, Service};
use domain::message::MessageValue;
use domain::{Caller, Message, access};
use serde::{Deserialize, Serialize};
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// What a backup holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Backup {
    /// Directory of the backup.
    pub directory: PathBuf,
    /// Number of indexes in it; a missing one is rebuilt from the database at the first start.
    pub indexes: usize,
    /// Number of indexes that are left out because their engine keeps no files on this machine.
    #[serde(default)]
    pub left_out: usize,
    /// The key file, which the backup leaves out and without which its secrets cannot be read.
    pub key_file: PathBuf,
}

/// Copies the database and the indexes into `directory`, an absolute path, which must be empty or missing.
///
/// Errors: `Conflict` if the database is on a server, which has backups of its own, or if the directory is not empty or lies
/// in the data directory. A copy that fails leaves nothing
/// behind.
pub async fn create(
    service: &Service,
    caller: &Caller,
    directory: PathBuf,
) -> Result<Backup, OperationError> {
    access::operator(caller)?;
    if service.storage.is_on_server() {
        let key_file = MessageValue::of(service.key_file.display());
        return Err(OperationError::conflict(
            message::conflict::backup_of_server(key_file),
        ));
    }
    let (data, requested) = (service.data_dir.to_path_buf(), directory);
    let directory = tokio::task::spawn_blocking(move || prepare(&data, requested))
        .await
        .map_err(OperationError::internal)??;
    match fill(service, &directory).await {
        Ok(Indexes { copied, left_out }) => Ok(Backup {
            directory,
            indexes: copied,
            left_out,
            key_file: service.key_file.to_path_buf(),
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

/// Numbers of indexes.
struct Indexes {
    copied: usize,
    left_out: usize,
}

async fn fill(service: &Service, directory: &Path) -> Result<Indexes, OperationError> {
    let indexes = copy_indexes(service, directory).await?;
    service.storage.back_up(directory).await?;
    copy_search_log(&service.search_log, directory).await?;
    Ok(indexes)
}

async fn copy_indexes(service: &Service, directory: &Path) -> Result<Indexes, OperationError> {
    let rows = service.storage.all_indices().await?;
    if !service.indexing.has_files() {
        let left_out = rows.len();
        tracing::info!(
            left_out,
            "the engine keeps no files on this machine, so no index is in the backup"
        );
        return Ok(Indexes {
            copied: 0,
            left_out,
        });
    }
    let mut copied = 0;
    for row in rows {
        let to = directory.join("indexes").join(row.id.to_string());
        copied += usize::from(service.indexing.copy(&row, to.join("1")).await?);
    }
    Ok(Indexes {
        copied,
        left_out: 0,
    })
}

/// Copies the search log. One that is damaged is left out, because everything else must be saved all the same.
async fn copy_search_log(log: &SearchLog, directory: &Path) -> Result<(), OperationError> {
    if !log.storage().is_file() {
        tracing::info!("the search log is on a server and not in the backup");
        return Ok(());
    }
    match log.storage().back_up(directory).await {
        Err(error) if error.is_damage() => {
            tracing::warn!(%error, "the search log is not in the backup");
            // It is replaced; the error itself concerns nobody else.
            let _ = log.checked::<()>(Err(error)).await;
            Ok(())
        }
        copied => log.checked(copied).await,
    }
}

/// Returns the canonical path of the directory, which is created if it is missing.
fn prepare(data: &Path, directory: PathBuf) -> Result<PathBuf, OperationError> {
    let unusable = |error: io::Error| {
        let directory = MessageValue::of(directory.display());
        OperationError::conflict(message::conflict::directory_unusable(
            directory,
            error.to_string(),
        ))
    };
    let conflict = |reason: Message| {
        let directory = MessageValue::of(directory.display());
        OperationError::conflict(message::conflict::directory(directory, reason))
    };
    let data = data.canonicalize().map_err(OperationError::internal)?;
    // For a directory that does not exist yet, its nearest existing ancestor decides.
    let existing = directory.ancestors().find(|ancestor| ancestor.exists());
    let existing = existing.map_or_else(|| directory.canonicalize(), Path::canonicalize);
    if existing.map_err(unusable)?.starts_with(&data) {
        return Err(conflict(message::conflict::in_data_directory()));
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&directory)
        .map_err(unusable)?;
    let mut entries = fs::read_dir(&directory).map_err(unusable)?;
    if entries.next().is_some() {
        return Err(conflict(message::conflict::directory_not_empty()));
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
