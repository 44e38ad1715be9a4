//! The file of an import: from the disk, or from standard input through a temporary file.

use crate::cli::outcome::CommandError;
use crate::imports::folder;
use std::fs::File;
use std::io;
use std::path::Path;

/// What stands for standard input.
const STANDARD_INPUT: &str = "-";

/// The file of an import.
#[derive(Debug)]
pub struct ImportFile {
    file: File,
    /// Its name.
    pub name: String,
}

impl ImportFile {
    /// Opens a file; `-` is standard input, whose bytes go into a temporary file of the data directory.
    pub fn open(path: &Path, data: &Path) -> Result<Self, CommandError> {
        let failed =
            |error: io::Error| CommandError::failed(format!("{}: {error}", path.display()));
        if path.as_os_str() == STANDARD_INPUT {
            let mut file = folder(data)
                .and_then(tempfile::tempfile_in)
                .map_err(failed)?;
            io::copy(&mut io::stdin().lock(), &mut file).map_err(failed)?;
            return Ok(Self {
                file,
                name: STANDARD_INPUT.to_owned(),
            });
        }
        let file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.is_dir() {
            return Err(failed(io::Error::other("is a directory")));
        }
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok(Self {
            file,
            name: name.to_string_lossy().into_owned(),
        })
    }

    /// Returns another handle of the file.
    pub fn try_clone(&self) -> Result<File, CommandError> {
        self.file
            .try_clone()
            .map_err(|error| CommandError::failed(format!("{}: {error}", self.name)))
    }
}
