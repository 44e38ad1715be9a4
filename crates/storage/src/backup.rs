//! A copy of the whole database, of one moment, made while others write.

use crate::Storage;
use crate::error::{Doing, StorageError};
use sqlx::{ConnectOptions, Connection};
use std::fs::{File, Permissions, rename, set_permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Name of the copy while it is not whole.
const UNFINISHED: &str = "findwell.db.unfinished";

impl Storage {
    /// Writes a copy into the directory `dir`, which must not hold one, and waits until it is on disk.
    ///
    /// It holds everything that was committed before the call, and no half of what was committed during it.
    /// Errors: when the copy cannot be written; no database is in `dir` then.
    pub async fn back_up(&self, dir: &Path) -> Result<(), StorageError> {
        let doing = "copying the database";
        let unfinished = dir.join(UNFINISHED);
        // The readers of the pool may not even write into another file, so this is a connection of its own.
        let mut connection = self.read.connect_options().connect().await.doing(doing)?;
        let copied = sqlx::query("VACUUM INTO $1")
            .bind(unfinished.to_string_lossy().into_owned())
            .execute(&mut connection)
            .await;
        // What counts is whether the copy was written.
        let _ = connection.close().await;
        copied.doing(doing)?;
        let finished = tokio::task::spawn_blocking({
            let whole = dir.join(crate::FILE_NAME);
            move || finish(&unfinished, &whole)
        });
        let finished = finished.await.map_err(io::Error::other);
        finished
            .and_then(|finished| finished)
            .map_err(sqlx::Error::Io)
            .doing(doing)
    }
}

/// Makes the copy private and lasting, and gives it its name.
fn finish(unfinished: &Path, whole: &Path) -> io::Result<()> {
    set_permissions(unfinished, Permissions::from_mode(0o600))?;
    File::open(unfinished)?.sync_all()?;
    rename(unfinished, whole)?;
    match whole.parent() {
        Some(dir) => File::open(dir)?.sync_all(),
        None => Ok(()),
    }
}
