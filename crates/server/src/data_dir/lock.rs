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
    /// It has no database.
    #[error("the data directory {dir} has no data; is it the one of the server?")]
    NoData {
        /// The directory.
        dir: PathBuf,
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
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(dir.join(FILE_NAME))
            .map_err(unusable)?;
        let mut lock = Self { file };
        lock.try_lock(dir)?;
        write_holder(&mut lock.file).map_err(unusable)?;
        Ok(lock)
    }

    /// Returns whether a server or a command has ever used `dir`.
    pub fn exists_in(dir: &Path) -> bool {
        dir.join(FILE_NAME).exists()
    }

    /// Takes the lock of `dir` and changes no file. None is taken where no server has ever run.
    pub fn take_to_read(dir: &Path) -> Result<Option<Self>, DirError> {
        let file = match File::open(dir.join(FILE_NAME)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => {
                let dir = dir.to_owned();
                return Err(DirError::Unusable { dir, source });
            }
        };
        let mut lock = Self { file };
        lock.try_lock(dir)?;
        Ok(Some(lock))
    }

    fn try_lock(&mut self, dir: &Path) -> Result<(), DirError> {
        let dir = dir.to_owned();
        match self.file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                // The process id only improves the message.
                let _ = self.file.read_to_string(&mut pid);
                let holder = match pid.trim() {
                    "" => String::new(),
                    pid => format!(" (process {pid})"),
                };
                Err(DirError::InUse { dir, holder })
            }
            Err(TryLockError::Error(source)) => Err(DirError::Unusable { dir, source }),
        }
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
