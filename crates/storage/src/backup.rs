//! A consistent copy of the whole database, while others write.

use crate::Storage;
use crate::database::FILE_NAME;
use crate::error::{Doing, StorageError};
use sqlx::{AnyPool, ConnectOptions, Connection};
use std::fs::{File, Permissions, rename, set_permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

impl Storage {
    /// Writes a copy into the directory `dir`, which must not contain one, and waits until it is on disk.
    ///
    /// It contains all transactions committed before the call, and each one committed during it as a whole or not at
    /// all. Only a file is copied: a server has means of its own for that.
    /// Errors: if the copy cannot be written; `dir` contains no database then.
    pub async fn back_up(&self, dir: &Path) -> Result<(), StorageError> {
        copy(&self.read, dir, FILE_NAME).await
    }
}

/// Copies the database of `pool` into the file `name` of `dir`; under another name until the copy is complete.
pub(crate) async fn copy(pool: &AnyPool, dir: &Path, name: &str) -> Result<(), StorageError> {
    let doing = "copying a database";
    let unfinished = dir.join(format!("{name}.unfinished"));
    // The connections of a read pool may not write, not even to another file, so this opens another one.
    let mut connection = pool.connect_options().connect().await.doing(doing)?;
    let copied = sqlx::query("VACUUM INTO $1")
        .bind(unfinished.to_string_lossy().into_owned())
        .execute(&mut connection)
        .await;
    // Only the result of the copy matters.
    let _ = connection.close().await;
    copied.doing(doing)?;
    let finished = tokio::task::spawn_blocking({
        let whole = dir.join(name);
        move || finish(&unfinished, &whole)
    });
    let finished = finished.await.map_err(io::Error::other);
    finished
        .and_then(|finished| finished)
        .map_err(sqlx::Error::Io)
        .doing(doing)
}

/// Restricts the copy to its owner, flushes it and renames it.
fn finish(unfinished: &Path, whole: &Path) -> io::Result<()> {
    set_permissions(unfinished, Permissions::from_mode(0o600))?;
    File::open(unfinished)?.sync_all()?;
    rename(unfinished, whole)?;
    match whole.parent() {
        Some(dir) => File::open(dir)?.sync_all(),
        None => Ok(()),
    }
}
