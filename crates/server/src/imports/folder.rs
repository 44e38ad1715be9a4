//! The folder of the files of imports, in the data directory.

use rustix::fs::fstatvfs;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Bytes of the disk that files of imports leave free: the database is on it, too.
const RESERVE_BYTES: u64 = 1 << 30;
/// Name of the folder in the data directory.
const FOLDER: &str = "imports";

/// Returns the folder of the data directory `data`, which nobody else can read; created if it is missing.
pub fn folder(data: &Path) -> io::Result<PathBuf> {
    let folder = data.join(FOLDER);
    match DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(io::Error::new(
            error.kind(),
            format!("{}: {error}", folder.display()),
        )),
        _ => Ok(folder),
    }
}

/// Looks whether `bytes` more fit on the disk of `place`, a folder or a file on it.
///
/// Errors: `StorageFull` where less than 1 GiB would stay free.
pub fn check_room(place: &File, bytes: u64) -> io::Result<()> {
    let room = fstatvfs(place)?;
    let free = room.f_bavail.saturating_mul(room.f_frsize);
    match free < bytes.saturating_add(RESERVE_BYTES) {
        true => Err(io::ErrorKind::StorageFull.into()),
        false => Ok(()),
    }
}
