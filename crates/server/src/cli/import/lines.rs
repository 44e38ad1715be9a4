//! Reads the lines of a plain or gzip file, with their numbers and a maximum length.

use super::Position;
use domain::bytes_without_byte_order_mark;
use domain::limits::BLOCK_BYTES_MAX;
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::atomic::Ordering;

/// The first bytes of a gzip file.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// An open file.
pub struct ImportSource {
    /// Its lines.
    pub lines: Lines,
    /// Its size in bytes.
    pub bytes: u64,
    /// Bytes read so far.
    pub position: Position,
}

impl ImportSource {
    /// Reads `file` from its start.
    pub fn new(mut file: File) -> io::Result<Self> {
        file.seek(SeekFrom::Start(0))?;
        let metadata = file.metadata()?;
        let position = Position::default();
        let mut plain = BufReader::new(CountingReader {
            file,
            position: position.clone(),
        });
        let compressed = plain.fill_buf()?.starts_with(&GZIP_MAGIC);
        let reader: Box<dyn BufRead + Send> = if compressed {
            Box::new(BufReader::new(MultiGzDecoder::new(plain)))
        } else {
            Box::new(plain)
        };
        Ok(Self {
            lines: Lines { reader, number: 0 },
            bytes: metadata.len(),
            position,
        })
    }
}

struct CountingReader {
    file: File,
    position: Position,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.position.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// One line.
pub struct ImportLine {
    /// Its number, from 1.
    pub number: u64,
    /// Its bytes; `None` if it is longer than a block may be.
    pub bytes: Option<Vec<u8>>,
}

/// An iterator over the lines.
pub struct Lines {
    reader: Box<dyn BufRead + Send>,
    number: u64,
}

impl Iterator for Lines {
    type Item = io::Result<ImportLine>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_line().transpose()
    }
}

impl Lines {
    fn read_line(&mut self) -> io::Result<Option<ImportLine>> {
        let mut bytes = Vec::new();
        let mut too_long = false;
        let mut any = false;
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            any = true;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let piece = &buffer[..end.unwrap_or(buffer.len())];
            too_long |= bytes.len() + piece.len() > BLOCK_BYTES_MAX;
            if too_long {
                bytes = Vec::new();
            } else {
                bytes.extend_from_slice(piece);
            }
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        self.number += 1;
        if self.number == 1 {
            bytes = bytes_without_byte_order_mark(&bytes).to_vec();
        }
        Ok(Some(ImportLine {
            number: self.number,
            bytes: (!too_long).then_some(bytes),
        }))
    }
}
