//! `SpooledFile`: a file without a name, which leaves room on the disk.

use crate::imports::{FileWithRoom, check_room};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;

/// A file that is being received. It is gone when it is dropped, and when the process ends.
pub struct SpooledFile(FileWithRoom);

impl SpooledFile {
    /// Creates a file in `folder`.
    ///
    /// Errors: `StorageFull` where less than 1 GiB is free.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        check_room(&file, 0)?;
        Ok(Self(FileWithRoom::new(file)))
    }

    /// Returns the file, to be read from its start.
    pub fn into_file(self) -> io::Result<File> {
        let mut file = self.0.into_inner();
        file.rewind()?;
        Ok(file)
    }
}

impl Write for SpooledFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
