//! The one file of a zip archive, stored or deflated.

use crate::bounds::ZIP_DIRECTORY_BYTES_MAX;
use crate::error::{FileError, FileErrorCode, ReadError};
use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use zip::{CompressionMethod, ZipArchive};

/// Signature of the record that ends an archive, its length without a comment, and the longest comment.
const END_MAGIC: [u8; 4] = *b"PK\x05\x06";
const END_BYTES: usize = 22;
const COMMENT_BYTES_MAX: usize = 65_535;

/// Where the file of an archive lies.
#[derive(Clone, Copy, Debug)]
pub struct ZipEntry {
    start: u64,
    packed: u64,
    bytes: u64,
    crc: u32,
    deflated: bool,
}

/// Finds the one file of an archive.
pub fn find(file: &File) -> Result<ZipEntry, ReadError> {
    check_directory(file)?;
    let mut archive = ZipArchive::new(BufReader::new(file.try_clone()?)).map_err(damaged)?;
    let mut found = None;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(damaged)?;
        let name = entry.name().map_err(damaged)?.into_owned();
        if name.starts_with("xl/") {
            let message = "a spreadsheet; save it as CSV and import that";
            return Err(FileError::new(FileErrorCode::Spreadsheet, message).into());
        }
        if entry.is_dir() || name.starts_with("__MACOSX/") || name.ends_with(".DS_Store") {
            continue;
        }
        if found.is_some() {
            return Err(entries("an archive with several files; pack only the catalogue").into());
        }
        if entry.encrypted() {
            let message = "the archive is encrypted";
            return Err(FileError::new(FileErrorCode::ArchiveEncrypted, message).into());
        }
        let deflated = match entry.compression() {
            CompressionMethod::Stored => false,
            method if method == CompressionMethod::DEFLATE => true,
            _ => {
                return Err(entries("the archive is packed by another method than deflate").into());
            }
        };
        found = Some(ZipEntry {
            start: entry.data_start().unwrap_or(0),
            packed: entry.compressed_size(),
            bytes: entry.size(),
            crc: entry.crc32(),
            deflated,
        });
    }
    found.ok_or_else(|| entries("an archive without a file").into())
}

/// Fails for a directory that would take much memory.
fn check_directory(file: &File) -> Result<(), ReadError> {
    let mut file = file.try_clone()?;
    let length = file.metadata()?.len();
    let tail = length.min((END_BYTES + COMMENT_BYTES_MAX) as u64);
    file.seek(SeekFrom::Start(length - tail))?;
    let mut bytes = Vec::new();
    file.take(tail).read_to_end(&mut bytes)?;
    let cut = || FileError::new(FileErrorCode::Truncated, "the archive is cut off");
    let end = (0..bytes.len().saturating_sub(END_BYTES - 1))
        .rev()
        .find(|at| bytes[*at..].starts_with(&END_MAGIC))
        .ok_or_else(cut)?;
    let size = bytes[end + 12..end + 16].try_into().map_err(|_| cut())?;
    if u32::from_le_bytes(size) > ZIP_DIRECTORY_BYTES_MAX {
        return Err(entries("an archive with very many files; pack only the catalogue").into());
    }
    Ok(())
}

fn entries(message: &str) -> FileError {
    FileError::new(FileErrorCode::ArchiveEntries, message)
}

fn damaged(error: zip::result::ZipError) -> ReadError {
    FileError::new(FileErrorCode::Malformed, format!("the archive: {error}")).into()
}

impl ZipEntry {
    /// Returns the unpacked bytes of the entry in `archive`.
    pub fn open(self, mut archive: File) -> io::Result<Box<dyn Read>> {
        archive.seek(SeekFrom::Start(self.start))?;
        let packed = BufReader::with_capacity(1 << 16, archive).take(self.packed);
        let reader: Box<dyn Read> = if self.deflated {
            Box::new(DeflateDecoder::new(packed))
        } else {
            Box::new(packed)
        };
        Ok(Box::new(CheckedReader {
            inner: reader,
            entry: self,
            crc: Crc::new(),
            read: 0,
        }))
    }
}

/// Compares length and checksum at the end.
struct CheckedReader {
    inner: Box<dyn Read>,
    entry: ZipEntry,
    crc: Crc,
    read: u64,
}

impl Read for CheckedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let broken = || FileError::new(FileErrorCode::Malformed, "the archive is damaged");
        let read = self
            .inner
            .read(buffer)
            .map_err(|error| match error.kind() {
                io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => broken().into(),
                _ => error,
            })?;
        self.crc.update(&buffer[..read]);
        self.read += read as u64;
        if read == 0 && !buffer.is_empty() {
            if self.read < self.entry.bytes {
                let cut = FileError::new(FileErrorCode::Truncated, "the archive is cut off");
                return Err(cut.into());
            }
            if self.crc.sum() != self.entry.crc || self.read != self.entry.bytes {
                return Err(broken().into());
            }
        }
        Ok(read)
    }
}
