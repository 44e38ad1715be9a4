//! A file whose container, encoding, format and profile are found out, so that its rows can be read.

use crate::bounds::{PROFILE_OBJECTS, ROW_BYTES_MAX};
use crate::bytes::container::PackedFile;
use crate::bytes::encoding::{DeclaredEncoding, survey};
use crate::bytes::text::{TextProblems, TextReader};
use crate::error::{FileError, FileErrorCode, ReadError};
use crate::mapping::profile::ColumnProfile;
use crate::mapping::table::is_name;
use crate::mapping::{field, woocommerce};
use crate::report::result::FileFacts;
use crate::rows::columns::FileColumns;
use crate::rows::csv::CsvRows;
use crate::rows::format::{FileFormat, FirstCharacters, detect};
use crate::rows::json::{JsonRows, NdjsonRows, catalogue_key};
use crate::rows::xml::XmlRows;
use crate::rows::{RowItem, Rows, delimiter};
use crate::settings::ReadSettings;
use domain::DocType;
use encoding_rs::{Encoding, UTF_8};
use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, Read};
use std::rc::Rc;

/// Bytes at the start that decide format and delimiter.
const HEAD_BYTES: u64 = ROW_BYTES_MAX as u64 + 1;

/// A file that is ready to be read.
#[derive(Debug)]
pub struct OpenedFile {
    packed: PackedFile,
    /// Unpacked bytes.
    pub bytes: u64,
    encoding: &'static Encoding,
    /// How it writes its rows.
    pub format: FileFormat,
    /// The array that is the catalogue of a JSON object.
    key: Option<String>,
    delimiter: Option<u8>,
    /// Bytes of a first line that declares the delimiter.
    declaration: usize,
    /// Whose column names it has.
    pub profile: ColumnProfile,
    /// The language that the file declares.
    pub language: Option<String>,
}

/// The rows of a file, with its columns and what was replaced in its text.
pub(crate) struct FileRows {
    pub rows: Box<dyn Rows>,
    pub columns: FileColumns,
    pub problems: Rc<RefCell<TextProblems>>,
}

impl OpenedFile {
    /// Opens a file, which is read to its end once.
    pub fn open(file: File, settings: &ReadSettings) -> Result<Self, ReadError> {
        let packed = PackedFile::open(file)?;
        let language = settings.language.split('-').next().unwrap_or_default();
        let declared = DeclaredEncoding {
            option: settings.mapping.encoding,
            charset: settings.charset.as_deref(),
            language,
        };
        let text = survey(packed.unpacked()?, declared)?;
        if text.is_blank {
            return Err(FileError::new(FileErrorCode::EmptyFile, "the file is empty").into());
        }
        let mut opened = Self {
            packed,
            bytes: text.bytes,
            encoding: text.encoding,
            format: FileFormat::Csv,
            key: None,
            delimiter: None,
            declaration: 0,
            profile: ColumnProfile::Plain,
            language: None,
        };
        let head = opened.head()?;
        match detect(&head)? {
            FirstCharacters::Xml => {
                let mut rows = XmlRows::open(opened.text()?)?;
                opened.format = rows.format();
                // A feed says what it is before its first item, whose errors are those of whoever reads it.
                drop(rows.next_row(&mut FileColumns::default()));
                opened.language = rows.language.clone();
            }
            FirstCharacters::Format(format) => opened.format = format,
        }
        match opened.format {
            FileFormat::Json if head.trim_start().starts_with('{') => {
                opened.key = Some(catalogue_key(opened.text()?)?);
            }
            FileFormat::Csv => opened.set_delimiter(&head, settings)?,
            _ => {}
        }
        opened.profile = match settings.mapping.profile {
            Some(profile) => profile,
            None => opened.detect_profile(settings.doc_type)?,
        };
        Ok(opened)
    }

    /// Returns what was found out.
    pub fn facts(&self, name: &str) -> FileFacts {
        FileFacts {
            name: name.to_owned(),
            bytes: self.packed.bytes,
            container: self.packed.container.as_str(),
            format: self.format.as_str(),
            profile: self.profile.as_str(),
            encoding: self.encoding.name(),
            delimiter: self.delimiter.map(|mark| char::from(mark).to_string()),
        }
    }

    fn text(&self) -> Result<TextReader, ReadError> {
        Ok(TextReader::new(self.packed.unpacked()?, self.encoding))
    }

    fn head(&self) -> Result<String, ReadError> {
        let mut head = Vec::new();
        self.text()?.take(HEAD_BYTES).read_to_end(&mut head)?;
        Ok(String::from_utf8_lossy(&head).into_owned())
    }

    fn set_delimiter(&mut self, head: &str, settings: &ReadSettings) -> Result<(), ReadError> {
        let declared = delimiter::declared(head);
        if let Some((_, bytes)) = declared {
            self.declaration = bytes;
        }
        let found = declared.map(|(mark, _)| mark);
        let found = settings
            .mapping
            .delimiter
            .or(found)
            .or_else(|| delimiter::detect(head));
        let line = head.lines().next().unwrap_or_default();
        let is_named = is_name(line) || field::target(settings.doc_type, line).is_some();
        if found.is_none() && !is_named && woocommerce::english(line).is_none() {
            let message = "neither CSV with several columns, JSON nor XML";
            return Err(FileError::new(FileErrorCode::FormatUnknown, message).into());
        }
        self.delimiter = Some(found.unwrap_or(b','));
        Ok(())
    }

    fn detect_profile(&self, doc_type: DocType) -> Result<ColumnProfile, ReadError> {
        let mut file = self.rows()?;
        if self.format != FileFormat::Csv {
            for _ in 0..PROFILE_OBJECTS {
                if file.rows.next_row(&mut file.columns)?.is_none() {
                    break;
                }
            }
        }
        Ok(ColumnProfile::detect(doc_type, self.format, &file.columns))
    }

    /// Reads the rows from the start.
    pub(crate) fn rows(&self) -> Result<FileRows, ReadError> {
        let mut text = self.text()?;
        let problems = text.problems();
        let mut columns = FileColumns::default();
        let rows: Box<dyn Rows> = match self.format {
            FileFormat::Csv => {
                std::io::copy(
                    &mut (&mut text).take(self.declaration as u64),
                    &mut std::io::sink(),
                )?;
                let line = 1 + u64::from(self.declaration > 0);
                let delimiter = self.delimiter.unwrap_or(b',');
                Box::new(CsvRows::open(text, delimiter, line, &mut columns)?)
            }
            FileFormat::Json => Box::new(JsonRows::open(text, self.key.as_deref())?),
            FileFormat::Ndjson => Box::new(NdjsonRows::new(text)),
            FileFormat::Rss | FileFormat::Atom => Box::new(XmlRows::open(text)?),
        };
        Ok(FileRows {
            rows,
            columns,
            problems,
        })
    }
}

/// Returns whether a file is one document a line in our own names, judged by its first objects; such a file can be
/// imported line by line, also when it is damaged further on.
pub fn is_stream_of_documents(file: File, doc_type: DocType) -> bool {
    stream_profile(file, doc_type).unwrap_or(false)
}

fn stream_profile(file: File, doc_type: DocType) -> Result<bool, ReadError> {
    let packed = PackedFile::open(file)?;
    let mut text = TextReader::new(packed.unpacked()?, UTF_8);
    let head = String::from_utf8_lossy(text.fill_buf()?).into_owned();
    if !head.trim_start().starts_with('{') {
        return Ok(false);
    }
    let mut first = Vec::new();
    let mut again = TextReader::new(packed.unpacked()?, UTF_8).take(HEAD_BYTES);
    again.read_until(b'\n', &mut first)?;
    let first = String::from_utf8_lossy(&first);
    if !matches!(
        detect(&first),
        Ok(FirstCharacters::Format(FileFormat::Ndjson))
    ) {
        return Ok(false);
    }
    let mut columns = FileColumns::default();
    let mut rows = NdjsonRows::new(text);
    for _ in 0..PROFILE_OBJECTS {
        match rows.next_row(&mut columns) {
            Ok(Some(RowItem::Row(_) | RowItem::Unreadable(_))) => {}
            // What is damaged further on does not change what it is.
            Ok(None) | Err(_) => break,
        }
    }
    Ok(ColumnProfile::detect(doc_type, FileFormat::Ndjson, &columns) == ColumnProfile::Findwell)
}
