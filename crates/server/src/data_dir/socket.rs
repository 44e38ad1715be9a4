//! Where the socket of a running server stands, also in directories with long names.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

const FILE_NAME: &str = "findwell.sock";
/// The system takes addresses of sockets up to 107 bytes on Linux, 103 elsewhere.
const ADDRESS_BYTES_MAX: usize = 100;

/// A path by which the socket can be bound or reached.
#[derive(Debug)]
pub struct SocketPath {
    path: PathBuf,
    /// Keeps the directory open while the short path goes through it.
    _dir: Option<File>,
}

impl SocketPath {
    /// The socket of the data directory `dir`.
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

    /// The path.
    pub fn as_path(&self) -> &Path {
        &self.path
    }
}
