//! The data directory as the server sees it: who may use it, and where its socket stands.

mod lock;
mod socket;

pub use lock::{DirError, Lock};
pub use socket::SocketPath;

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;

/// Makes the directory and what leads to it, readable by its owner only; one that exists stays as it is.
pub fn create(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

/// Warns when other users of this machine can look into the directory, which holds catalogues with hidden prices.
pub fn warn_if_open(dir: &Path) {
    // A directory that cannot be looked at is refused elsewhere.
    let mode = dir.metadata().map_or(0, |data| data.permissions().mode());
    if mode & OF_OTHERS != 0 {
        let mode = format!("{:04o}", mode & 0o7777);
        tracing::warn!(dir = %dir.display(), mode, "the data directory is open to others; chmod 700 closes it");
    }
}

/// The rights of everybody but the owner.
const OF_OTHERS: u32 = 0o077;
