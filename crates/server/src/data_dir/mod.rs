//! The data directory as the server sees it: who may use it, and where its socket stands.

mod lock;
mod socket;

pub use lock::{DirError, Lock};
pub use socket::SocketPath;

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Makes the directory and what leads to it, readable by its owner only; one that exists stays as it is.
pub fn create(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}
