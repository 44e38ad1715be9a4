//! Copies the indexes that this process lacks out of another data directory, so that a new node need not build them.
//!
//! What is copied is opened, checked and brought up to date as the process's own indexes are; one that is damaged or of
//! another store is built from storage.

use super::follower::{blocking, spec};
use crate::OperationError;
use crate::message;
use domain::message::MessageValue;
use engine::Engine;
use std::path::Path;
use std::sync::Arc;
use storage::Storage;

/// Copies what `engine` lacks of the indexes in storage out of the data directory or backup `from`, by hard links where
/// possible; a server may be running on it.
///
/// Errors: `Conflict` if the engine keeps no files on this machine, or `from` has no folder of indexes. An index that cannot
/// be copied is left out.
pub(crate) async fn copy_missing(
    engine: &Arc<dyn Engine>,
    storage: &Storage,
    from: &Path,
) -> Result<(), OperationError> {
    if engine.files().is_none() {
        return Err(OperationError::conflict(
            message::conflict::no_files_to_copy(),
        ));
    }
    let folder = from.join("indexes");
    if !folder.is_dir() {
        let from = MessageValue::of(from.display());
        return Err(OperationError::conflict(
            message::conflict::no_indexes_to_copy(from),
        ));
    }
    let (mut copied, mut failed) = (0, 0);
    let rows = storage.all_indices().await?;
    let all = rows.len();
    for row in rows {
        let (engine, folder) = (Arc::clone(engine), folder.clone());
        let spec = spec(&row, false);
        let one = blocking(move || {
            let files = engine.files();
            files.map_or(Ok(false), |files| files.copy_from(&spec, &folder))
        });
        match one.await {
            Ok(was_copied) => copied += usize::from(was_copied),
            Err(error) => {
                failed += 1;
                tracing::warn!(index = %row.id, %error, "an index could not be copied, so it is built from storage");
            }
        }
    }
    tracing::info!(copied, failed, all, from = %from.display(), "copied indexes");
    Ok(())
}
