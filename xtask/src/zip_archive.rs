//! ZIP archives whose bytes depend on names and contents alone: no times, no owners, one compression.

use flate2::{Compression, Crc, write::DeflateEncoder};
use std::io::{self, Write};

/// 1980-01-01 in the date of a ZIP entry, the earliest one there is.
const DATE: u16 = 1 << 5 | 1;
/// Version of the format that deflate needs.
const VERSION: u16 = 20;
/// Made on Unix, so that the mode of a file counts.
const MADE_BY: u16 = 3 << 8 | VERSION;
/// A regular file that everybody may read.
const MODE: u32 = 0o100_644 << 16;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
const DEFLATED: u16 = 8;

/// Collects files in the order in which they are added.
#[derive(Default)]
pub struct ZipArchive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    entries: u16,
}

impl ZipArchive {
    /// Adds a file; `name` has forward slashes.
    ///
    /// # Errors
    ///
    /// More than 65,535 files, a name or file over the limits of the format.
    pub fn add(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(content)?;
        let packed = encoder.finish()?;
        let mut crc = Crc::new();
        crc.update(content);
        let offset = small(self.bytes.len())?;
        let entry = Entry {
            crc: crc.sum(),
            packed: small(packed.len())?,
            size: small(content.len())?,
            name: u16::try_from(name.len()).map_err(io::Error::other)?,
        };
        self.bytes.extend(0x0403_4b50_u32.to_le_bytes());
        entry.write(&mut self.bytes);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(&packed);

        self.directory.extend(0x0201_4b50_u32.to_le_bytes());
        self.directory.extend(MADE_BY.to_le_bytes());
        entry.write(&mut self.directory);
        // No comment, first disk, no internal attributes.
        self.directory.extend([0; 6]);
        self.directory.extend(MODE.to_le_bytes());
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.entries = self
            .entries
            .checked_add(1)
            .ok_or_else(|| io::Error::other("too many files"))?;
        Ok(())
    }

    /// Returns the bytes of the archive.
    ///
    /// # Errors
    ///
    /// An archive of more than 4 GiB.
    pub fn finish(mut self) -> io::Result<Vec<u8>> {
        let (start, size) = (small(self.bytes.len())?, small(self.directory.len())?);
        self.bytes.append(&mut self.directory);
        self.bytes.extend(0x0605_4b50_u32.to_le_bytes());
        self.bytes.extend([0; 4]);
        self.bytes.extend(self.entries.to_le_bytes());
        self.bytes.extend(self.entries.to_le_bytes());
        self.bytes.extend(size.to_le_bytes());
        self.bytes.extend(start.to_le_bytes());
        self.bytes.extend([0; 2]);
        Ok(self.bytes)
    }
}

/// What the header of a file and its row in the directory share.
struct Entry {
    crc: u32,
    packed: u32,
    size: u32,
    name: u16,
}

impl Entry {
    fn write(&self, bytes: &mut Vec<u8>) {
        for part in [VERSION, FLAGS, DEFLATED, 0, DATE] {
            bytes.extend(part.to_le_bytes());
        }
        for part in [self.crc, self.packed, self.size] {
            bytes.extend(part.to_le_bytes());
        }
        bytes.extend(self.name.to_le_bytes());
        bytes.extend([0; 2]);
    }
}

fn small(length: usize) -> io::Result<u32> {
    u32::try_from(length).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::ZipArchive;

    #[test]
    fn the_same_files_give_the_same_bytes() {
        let archive = || {
            let mut archive = ZipArchive::default();
            archive.add("findwell/a.php", b"<?php").expect("added");
            archive.add("findwell/b/ñ.txt", &[7; 9_000]).expect("added");
            archive.finish().expect("finished")
        };
        let bytes = archive();
        assert_eq!(bytes, archive());
        assert_eq!(bytes[..4], *b"PK\x03\x04");
        let end = bytes.len() - 22;
        assert_eq!(bytes[end..end + 4], *b"PK\x05\x06");
        assert_eq!(bytes[end + 10..end + 12], [2, 0]);
    }
}
