//! The lock of the data directory: only one process uses it at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

const FILE_NAME: &str = "findwell.lock";

/// Why the data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DirError {
    /// Another process holds it.
    #[error("the data directory {dir} is in use by another findwell{holder}")]
    InUse {
        /// The directory.
        dir: PathBuf,
        /// Which process, as the end of the sentence; empty when unknown.
        holder: String,
    },
    /// It cannot be created or written.
    #[error("the data directory {dir} cannot be used: {source}")]
    Unusable {
        /// The directory.
        dir: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// The lock of a data directory, held until it is dropped or the process ends.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock of `dir`.
    pub fn take(dir: &Path) -> Result<Self, DirError> {
        let unusable = |source| DirError::Unusable {
            dir: dir.to_owned(),
            source,
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(dir.join(FILE_NAME))
            .map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                // The process id only improves the message.
                let _ = file.read_to_string(&mut pid);
                let holder = match pid.trim() {
                    "" => String::new(),
                    pid => format!(" (process {pid})"),
                };
                let dir = dir.to_owned();
                return Err(DirError::InUse { dir, holder });
            }
            Err(TryLockError::Error(source)) => return Err(unusable(source)),
        }
        write_holder(&mut file).map_err(unusable)?;
        Ok(Self { file })
    }

    /// Returns the user id of the owner of the lock, and so of the server.
    pub fn owner(&self) -> io::Result<u32> {
        Ok(self.file.metadata()?.uid())
    }
}

fn write_holder(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}
