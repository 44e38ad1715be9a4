//! `FileWithRoom`: a file that is being written, which leaves room on the disk.

use super::folder::check_room;
use std::fs::File;
use std::io::{self, Write};

/// Bytes after which the room is looked at again.
const CHECK_BYTES: u64 = 16 << 20;

/// A file whose writes fail with `StorageFull` where less than 1 GiB would stay free.
pub struct FileWithRoom {
    file: File,
    unchecked: u64,
}

impl FileWithRoom {
    /// Returns the file, of which nothing is written yet.
    pub fn new(file: File) -> Self {
        Self { file, unchecked: 0 }
    }

    /// Returns the file itself.
    pub fn into_inner(self) -> File {
        self.file
    }
}

impl Write for FileWithRoom {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.unchecked > CHECK_BYTES {
            check_room(&self.file, 0)?;
            self.unchecked = 0;
        }
        let written = self.file.write(bytes)?;
        self.unchecked += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
