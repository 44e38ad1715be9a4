//! The data directory: its lock, its permissions and the path of its socket.

mod lock;
mod socket;

pub use lock::{DirError, Lock};
pub use socket::SocketPath;

use operations::{DataLocations, Service};
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;

/// Creates the directory and its parents, accessible to the owner only; an existing directory is not changed.
pub fn create(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

/// Takes the lock of a directory that has data, or whose data is on a server.
pub fn lock_data(dir: &Path, locations: &DataLocations) -> Result<Lock, DirError> {
    if !Lock::exists_in(dir) {
        // No lock file is left in a directory that was named by mistake, or on which nothing is mounted.
        require_data(dir, locations)?;
    }
    let lock = Lock::take(dir)?;
    require_data(dir, locations)?;
    Ok(lock)
}

/// Takes the lock of a directory that has data, to read it: no file changes. There is no lock where no server has ever run.
pub fn lock_data_to_read(dir: &Path, locations: &DataLocations) -> Result<Option<Lock>, DirError> {
    let lock = Lock::take_to_read(dir)?;
    require_data(dir, locations)?;
    Ok(lock)
}

fn require_data(dir: &Path, locations: &DataLocations) -> Result<(), DirError> {
    if Service::has_data(dir, locations) {
        return Ok(());
    }
    let dir = dir.to_owned();
    Err(DirError::NoData { dir })
}

/// Warns when other users can access the directory, which contains catalogues with hidden prices.
pub fn warn_if_open(dir: &Path) {
    // A directory that cannot be read fails elsewhere.
    let mode = dir.metadata().map_or(0, |data| data.permissions().mode());
    if mode & OTHERS_MASK != 0 {
        let mode = format!("{:04o}", mode & 0o7777);
        tracing::warn!(dir = %dir.display(), mode, "the data directory is open to others; chmod 700 closes it");
    }
}

/// Permission bits of everybody but the owner.
const OTHERS_MASK: u32 = 0o077;
