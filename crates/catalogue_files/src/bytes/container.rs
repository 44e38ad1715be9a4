//! Containers of a file, by content: plain, gzip, or a zip archive with exactly one file.

use super::zip_entry::{self, ZipEntry};
use crate::bounds::{
    RECEIVED_BYTES_MAX, UNPACKED_BYTES_MAX, UNPACKED_RATIO_FROM, UNPACKED_RATIO_MAX,
};
use crate::error::{FileError, FileErrorCode, ReadError};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const ZIP_MAGIC: [u8; 4] = *b"PK\x03\x04";
const EMPTY_ZIP_MAGIC: [u8; 4] = *b"PK\x05\x06";

/// What a file is packed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    Plain,
    Gzip,
    Zip,
}

impl Container {
    /// Returns its name in results.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Gzip => "gzip",
            Self::Zip => "zip",
        }
    }
}

/// A file that can be read several times from its start.
#[derive(Debug)]
pub struct PackedFile {
    file: File,
    /// Bytes as received.
    pub bytes: u64,
    /// What it is packed in.
    pub container: Container,
    entry: Option<ZipEntry>,
}

impl PackedFile {
    /// Opens a file, and finds out what it is packed in.
    ///
    /// Errors: it is empty, too large, an archive with other than one file, or a container in a container.
    pub fn open(file: File) -> Result<Self, ReadError> {
        let bytes = file.metadata()?.len();
        if bytes == 0 {
            return Err(FileError::new(FileErrorCode::EmptyFile, "the file is empty").into());
        }
        if bytes > RECEIVED_BYTES_MAX {
            return Err(too_large(format!("more than {RECEIVED_BYTES_MAX} bytes")).into());
        }
        let head = first_bytes(&mut from_start(&file)?)?;
        let (container, entry) = match head {
            head if head[..2] == GZIP_MAGIC => (Container::Gzip, None),
            ZIP_MAGIC | EMPTY_ZIP_MAGIC => (Container::Zip, Some(zip_entry::find(&file)?)),
            _ => (Container::Plain, None),
        };
        let packed = Self {
            file,
            bytes,
            container,
            entry,
        };
        packed.check_one_layer()?;
        Ok(packed)
    }

    fn check_one_layer(&self) -> Result<(), ReadError> {
        if self.container == Container::Plain {
            return Ok(());
        }
        let inner = first_bytes(&mut self.unpacked()?)?;
        if inner[..2] == GZIP_MAGIC || inner == ZIP_MAGIC {
            let message = "an archive inside of an archive; unpack it once";
            return Err(FileError::new(FileErrorCode::ArchiveEntries, message).into());
        }
        Ok(())
    }

    /// Returns the unpacked bytes, from the start. Errors of the file come as errors of input.
    pub fn unpacked(&self) -> io::Result<Box<dyn Read>> {
        let plain = from_start(&self.file)?;
        let reader: Box<dyn Read> = match (&self.entry, self.container) {
            (Some(entry), _) => entry.open(plain)?,
            (None, Container::Gzip) => Box::new(GzipReader(MultiGzDecoder::new(
                BufReader::with_capacity(1 << 16, plain),
            ))),
            (None, _) => Box::new(plain),
        };
        Ok(Box::new(BoundedReader {
            inner: reader,
            read: 0,
            packed: self.bytes,
        }))
    }
}

fn from_start(file: &File) -> io::Result<File> {
    let mut file = file.try_clone()?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

fn first_bytes(reader: &mut impl Read) -> io::Result<[u8; 4]> {
    let mut head = Vec::with_capacity(4);
    reader.take(4).read_to_end(&mut head)?;
    head.resize(4, 0);
    Ok([head[0], head[1], head[2], head[3]])
}

fn too_large(message: String) -> FileError {
    FileError::new(FileErrorCode::TooLarge, message)
}

/// Reads gzip; what is cut or broken is an error of the file.
struct GzipReader<R: Read>(MultiGzDecoder<R>);

impl<R: Read> Read for GzipReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                FileError::new(FileErrorCode::Truncated, "the gzip stream is cut off").into()
            }
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                FileError::new(FileErrorCode::Malformed, "the gzip stream is damaged").into()
            }
            _ => error,
        })
    }
}

/// Ends with an error beyond the bounds of unpacked bytes.
struct BoundedReader {
    inner: Box<dyn Read>,
    read: u64,
    packed: u64,
}

impl Read for BoundedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.read += read as u64;
        if self.read > UNPACKED_BYTES_MAX {
            return Err(too_large(format!("more than {UNPACKED_BYTES_MAX} bytes unpacked")).into());
        }
        let ratio_max = self.packed.saturating_mul(UNPACKED_RATIO_MAX);
        if self.read > UNPACKED_RATIO_FROM && self.read > ratio_max {
            let message = format!("it unpacks to more than {UNPACKED_RATIO_MAX} times its size");
            return Err(too_large(message).into());
        }
        Ok(read)
    }
}
