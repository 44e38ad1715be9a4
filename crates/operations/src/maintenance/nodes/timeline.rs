//! `Timeline`: the past of the database that the indexes of this server follow. After a restore or a failover the same numbers
//! may stand for other changes.

use super::Nodes;
use crate::indexing::Indexing;
use crate::{OperationError, Service};
use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use storage::Storage;

/// The file in the data directory with the past of its indexes.
const FILE: &str = "timeline";

/// Whether the warning about a database whose past is not known was logged: once is enough.
static UNKNOWN_WARNED: AtomicBool = AtomicBool::new(false);

/// The past of the database, as the indexes know it.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    file: PathBuf,
    /// What was last read of the database, which the indexes follow or are built anew for.
    heard: Mutex<Option<String>>,
    /// What the file says.
    kept: Mutex<Option<String>>,
}

impl Timeline {
    /// Returns the past of the indexes in a data directory.
    pub fn of(data_dir: &Path) -> Self {
        let file = data_dir.join(FILE);
        let kept = std::fs::read_to_string(&file).ok();
        Self {
            file,
            heard: Mutex::new(kept.clone()),
            kept: Mutex::new(kept),
        }
    }

    /// Notes what was read of the database; returns whether the indexes follow another past.
    fn has_changed(&self, now: &str) -> bool {
        let before = self.heard.lock().replace(now.to_owned());
        before.is_some_and(|before| before != now)
    }

    /// Returns whether the file says what was last heard of.
    fn is_kept(&self) -> bool {
        *self.heard.lock() == *self.kept.lock()
    }

    /// Writes down that the indexes follow what was last heard of.
    fn keep(&self) -> Result<(), OperationError> {
        let heard = self.heard.lock().clone();
        let mut kept = self.kept.lock();
        if let Some(now) = &heard
            && heard != *kept
        {
            std::fs::write(&self.file, now).map_err(OperationError::internal)?;
            kept.clone_from(&heard);
        }
        Ok(())
    }
}

impl Nodes {
    /// Deletes the indexes, none of which is open, if the database has another past than they have.
    ///
    /// Errors: if the database cannot be read, or they cannot be deleted.
    pub async fn begin_with(
        &self,
        storage: &Storage,
        indexing: &Indexing,
    ) -> Result<(), OperationError> {
        if let Some(now) = read(storage).await? {
            if self.timeline.has_changed(&now) {
                tracing::warn!(
                    "the database was restored or has moved: all indexes are built anew"
                );
                indexing.discard_all().await?;
            }
            self.timeline.keep()?;
        }
        Ok(())
    }
}

/// Reads the past of the database; `None` where this is not known, as on a server that lets nobody ask.
async fn read(storage: &Storage) -> Result<Option<String>, OperationError> {
    match storage.timeline().await {
        Err(error) if !error.is_transient() => {
            if !UNKNOWN_WARNED.swap(true, Ordering::Relaxed) {
                tracing::warn!(%error, "a restore or failover of the database will not be noticed; restart the nodes after it with empty data directories");
            }
            Ok(None)
        }
        read => Ok(read?),
    }
}

/// Builds the indexes anew, while they are searched, if the database has another past than they have.
///
/// Errors: if the database cannot be read; it is looked at again.
pub(super) async fn follow_timeline(service: &Service) -> Result<(), OperationError> {
    let timeline = &service.nodes.timeline;
    let Some(now) = read(&service.storage).await? else {
        return Ok(());
    };
    if timeline.has_changed(&now) {
        tracing::warn!(
            "the database was restored or a standby took over: all indexes are built anew"
        );
        service.indexing.distrust_all().await?;
        for store in service.snapshots.open_stores() {
            // What has the same version may be something else.
            service.snapshots.reread(&store).await?;
        }
    }
    if !timeline.is_kept() && service.indexing.trusts_all() {
        timeline.keep()?;
    }
    Ok(())
}
