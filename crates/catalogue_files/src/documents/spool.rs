//! Temporary files of records, one JSON text a line; they have no name and go with the process.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::Path;

const BUFFER_BYTES: usize = 1 << 14;

/// A temporary file that is written.
#[derive(Debug)]
pub struct Spool<T> {
    file: BufWriter<File>,
    of: PhantomData<T>,
}

/// A temporary file that is read.
#[derive(Debug)]
pub struct SpoolReader<T> {
    file: BufReader<File>,
    line: Vec<u8>,
    of: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> Spool<T> {
    /// Creates a file in `folder`.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        Ok(Self {
            file: BufWriter::with_capacity(BUFFER_BYTES, file),
            of: PhantomData,
        })
    }

    /// Appends a record.
    pub fn write(&mut self, record: &T) -> io::Result<()> {
        serde_json::to_writer(&mut self.file, record)?;
        self.file.write_all(b"\n")
    }

    /// Ends writing.
    pub fn finish(self) -> io::Result<SpoolReader<T>> {
        let mut file = self.file.into_inner().map_err(|error| error.into_error())?;
        file.seek(SeekFrom::Start(0))?;
        Ok(SpoolReader {
            file: BufReader::with_capacity(BUFFER_BYTES, file),
            line: Vec::new(),
            of: PhantomData,
        })
    }
}

impl<T: DeserializeOwned> Iterator for SpoolReader<T> {
    type Item = io::Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        self.line.clear();
        match self.file.read_until(b'\n', &mut self.line) {
            Ok(0) => None,
            Ok(_) => Some(serde_json::from_slice(&self.line).map_err(io::Error::from)),
            Err(error) => Some(Err(error)),
        }
    }
}
