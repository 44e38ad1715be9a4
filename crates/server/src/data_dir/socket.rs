//! The path of the administration socket, short enough also for directories with long paths.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

const FILE_NAME: &str = "findwell.sock";
/// Maximum bytes of a socket address; Linux allows 107, other systems 103.
const ADDRESS_BYTES_MAX: usize = 100;

/// A path to bind or connect the socket.
#[derive(Debug)]
pub struct SocketPath {
    path: PathBuf,
    /// Keeps the directory open while the short path refers to it.
    _dir: Option<File>,
}

impl SocketPath {
    /// Returns the path of the socket of the data directory `dir`.
    pub fn of(dir: &Path) -> io::Result<Self> {
        let path = dir.join(FILE_NAME);
        if path.as_os_str().len() <= ADDRESS_BYTES_MAX {
            return Ok(Self { path, _dir: None });
        }
        let open = File::open(dir)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}/{FILE_NAME}", open.as_raw_fd()));
        Ok(Self {
            path,
            _dir: Some(open),
        })
    }

    /// Returns the path.
    pub fn as_path(&self) -> &Path {
        &self.path
    }
}
