//! The products of a file.

use crate::Outcome;
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Returns the documents of a compressed file, one on each line.
pub fn bodies(file: &Path) -> Outcome<impl Iterator<Item = Outcome<Value>>> {
    let lines = BufReader::new(MultiGzDecoder::new(File::open(file)?)).lines();
    Ok(lines.map(|line| Ok(serde_json::from_str(&line?)?)))
}
