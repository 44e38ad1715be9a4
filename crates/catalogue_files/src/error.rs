//! Why a file as a whole cannot be read; nothing of such a file is stored.

use std::fmt;
use std::io;

/// The stable code of an error of a whole file (`docs/import.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the codes are explained in docs/import.md")]
pub enum FileErrorCode {
    EmptyFile,
    FormatUnknown,
    HtmlPage,
    Spreadsheet,
    ArchiveEntries,
    ArchiveEncrypted,
    Truncated,
    Malformed,
    Doctype,
    QuoteOpen,
    TooLarge,
    TooManyColumns,
    TooManyRows,
    NoColumns,
    NoDocuments,
}

impl FileErrorCode {
    /// All codes.
    pub const ALL: [Self; 15] = [
        Self::EmptyFile,
        Self::FormatUnknown,
        Self::HtmlPage,
        Self::Spreadsheet,
        Self::ArchiveEntries,
        Self::ArchiveEncrypted,
        Self::Truncated,
        Self::Malformed,
        Self::Doctype,
        Self::QuoteOpen,
        Self::TooLarge,
        Self::TooManyColumns,
        Self::TooManyRows,
        Self::NoColumns,
        Self::NoDocuments,
    ];

    /// Returns the code as text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EmptyFile => "empty_file",
            Self::FormatUnknown => "format_unknown",
            Self::HtmlPage => "html_page",
            Self::Spreadsheet => "spreadsheet",
            Self::ArchiveEntries => "archive_entries",
            Self::ArchiveEncrypted => "archive_encrypted",
            Self::Truncated => "truncated",
            Self::Malformed => "malformed",
            Self::Doctype => "doctype",
            Self::QuoteOpen => "quote_open",
            Self::TooLarge => "too_large",
            Self::TooManyColumns => "too_many_columns",
            Self::TooManyRows => "too_many_rows",
            Self::NoColumns => "no_columns",
            Self::NoDocuments => "no_documents",
        }
    }
}

/// An error of a whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// Its code.
    pub code: FileErrorCode,
    /// The reason in English.
    pub message: String,
    /// The line that it is on, from 1.
    pub line: Option<u64>,
    /// The column of that line, from 1.
    pub column: Option<u64>,
    /// The columns of the file, where what they mean is the error.
    pub columns: Vec<String>,
}

impl FileError {
    /// Creates an error without a position.
    pub fn new(code: FileErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            line: None,
            column: None,
            columns: Vec::new(),
        }
    }

    /// Adds the columns of the file.
    #[must_use]
    pub fn of_columns(self, columns: Vec<String>) -> Self {
        Self { columns, ..self }
    }

    /// Adds the line.
    #[must_use]
    pub fn on_line(self, line: u64) -> Self {
        Self {
            line: Some(line),
            ..self
        }
    }

    /// Adds the column of the line.
    #[must_use]
    pub fn at_column(self, column: u64) -> Self {
        Self {
            column: Some(column),
            ..self
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code.as_str())?;
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, "line {line}, column {column}: ")?,
            (Some(line), None) => write!(f, "line {line}: ")?,
            _ => {}
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for FileError {}

/// Why reading a file ended early.
#[derive(Debug)]
pub enum ReadError {
    /// The file cannot be a catalogue.
    File(FileError),
    /// The disk, not the file.
    Io(io::Error),
    /// The caller cancelled it.
    Cancelled,
}

impl From<FileError> for ReadError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<io::Error> for ReadError {
    /// A reader inside of another one passes an error of the file through as one of input.
    fn from(error: io::Error) -> Self {
        match error.get_ref().and_then(|inner| inner.downcast_ref()) {
            Some(inner) => Self::File(FileError::clone(inner)),
            None => Self::Io(error),
        }
    }
}

impl From<FileError> for io::Error {
    fn from(error: FileError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for ReadError {}
