//! The format of a file, by its first characters.

use crate::bounds::ROW_BYTES_MAX;
use crate::error::{FileError, FileErrorCode};
use crate::mapping::table::is_id_name;
use serde_json::Value;

/// How a file writes its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    Csv,
    Json,
    Ndjson,
    Rss,
    Atom,
}

impl FileFormat {
    /// Returns its name in results.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Rss => "rss",
            Self::Atom => "atom",
        }
    }

    /// Returns whether its names are keys of JSON.
    pub fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::Ndjson)
    }
}

/// What the first characters say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstCharacters {
    /// XML, of a root that is not read yet.
    Xml,
    /// A format.
    Format(FileFormat),
}

/// Returns the format that a text begins with. `head` is at least its first line, or [`ROW_BYTES_MAX`] bytes of it.
pub fn detect(head: &str) -> Result<FirstCharacters, FileError> {
    let start = head.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let lower: String = start
        .chars()
        .take(64)
        .flat_map(char::to_lowercase)
        .collect();
    match start.chars().next() {
        None => Err(FileError::new(
            FileErrorCode::EmptyFile,
            "the file is empty",
        )),
        Some('<') if lower.starts_with("<html") || lower.starts_with("<!doctype html") => {
            let message = "a web page, not a catalogue; the address may ask for a password";
            Err(FileError::new(FileErrorCode::HtmlPage, message))
        }
        Some('<') => Ok(FirstCharacters::Xml),
        Some('[') => Ok(FirstCharacters::Format(FileFormat::Json)),
        Some('{') if is_document_line(start) => Ok(FirstCharacters::Format(FileFormat::Ndjson)),
        Some('{') => Ok(FirstCharacters::Format(FileFormat::Json)),
        Some(_) => Ok(FirstCharacters::Format(FileFormat::Csv)),
    }
}

/// Returns whether the first line is a whole object with an id.
fn is_document_line(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    if line.len() > ROW_BYTES_MAX {
        return false;
    }
    match serde_json::from_str(line) {
        Ok(Value::Object(fields)) => fields.keys().any(|name| is_id_name(name)),
        _ => false,
    }
}
