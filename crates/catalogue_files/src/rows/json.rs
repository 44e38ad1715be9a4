//! Rows of JSON: the objects of an array, of an array in an object, or one object a line.

use super::columns::FileColumns;
use super::json_scanner::JsonScanner;
use super::{Row, RowItem, Rows, UnreadableRow, is_empty};
use crate::bounds::ROW_BYTES_MAX;
use crate::error::{FileError, FileErrorCode, ReadError};
use crate::report::codes;
use serde_json::{Map, Value};
use std::io::BufRead;

/// Names of the array that is the catalogue, where an object has several.
const CATALOGUE_KEYS: [&str; 4] = ["products", "items", "data", "documents"];
/// Bytes of an array that show what it holds.
const PREFIX_BYTES: usize = 256;

/// Reads the objects of an array.
pub struct JsonRows<R> {
    scanner: JsonScanner<R>,
    number: u64,
    is_first: bool,
    is_over: bool,
    is_inside_object: bool,
    text: Vec<u8>,
}

impl<R: BufRead> JsonRows<R> {
    /// Reads the text from its start; `key` is the key of the array, if the text is an object.
    pub fn open(input: R, key: Option<&str>) -> Result<Self, ReadError> {
        let mut rows = Self {
            scanner: JsonScanner::new(input),
            number: 0,
            is_first: true,
            is_over: false,
            is_inside_object: key.is_some(),
            text: Vec::new(),
        };
        if let Some(wanted) = key {
            rows.scanner.expect(b'{')?;
            loop {
                let key = object_key(&mut rows.scanner, &mut rows.text)?;
                let is_array = rows.scanner.skip_white_space()? == Some(b'[');
                if key == wanted && is_array {
                    break;
                }
                rows.scanner.value(&mut rows.text, 0)?;
                rows.scanner.expect(b',')?;
            }
        }
        rows.scanner.expect(b'[')?;
        Ok(rows)
    }

    /// Reads what follows the array, so that a text that is cut off there is noticed.
    fn finish(&mut self) -> Result<(), ReadError> {
        self.is_over = true;
        while self.is_inside_object {
            match self.scanner.skip_white_space()? {
                Some(b'}') => {
                    self.scanner.take()?;
                    self.is_inside_object = false;
                }
                _ => {
                    self.scanner.expect(b',')?;
                    object_key(&mut self.scanner, &mut self.text)?;
                    self.scanner.value(&mut self.text, 0)?;
                }
            }
        }
        match self.scanner.skip_white_space()? {
            None => Ok(()),
            Some(_) => Err(self
                .scanner
                .malformed("text after the end of the JSON text")),
        }
    }
}

impl<R: BufRead> Rows for JsonRows<R> {
    fn next_row(&mut self, columns: &mut FileColumns) -> Result<Option<RowItem>, ReadError> {
        if self.is_over {
            return Ok(None);
        }
        if self.scanner.skip_white_space()? == Some(b']') {
            self.scanner.take()?;
            self.finish()?;
            return Ok(None);
        }
        if !self.is_first {
            self.scanner.expect(b',')?;
        }
        self.is_first = false;
        self.scanner.skip_white_space()?;
        let line = self.scanner.line;
        self.number += 1;
        if !self.scanner.value(&mut self.text, ROW_BYTES_MAX)? {
            return Ok(Some(too_large(self.number, line)));
        }
        match serde_json::from_slice(&self.text) {
            Ok(Value::Object(fields)) => row(self.number, line, fields, columns).map(Some),
            Ok(_) => {
                let message = "not an object".to_owned();
                Ok(Some(unreadable(
                    self.number,
                    line,
                    codes::MALFORMED_LINE,
                    message,
                )))
            }
            Err(error) => {
                let error = FileError::new(FileErrorCode::Malformed, format!("JSON: {error}"));
                Err(error.on_line(line).into())
            }
        }
    }
}

/// Reads one object a line.
pub struct NdjsonRows<R> {
    input: R,
    line: u64,
    number: u64,
    text: Vec<u8>,
}

impl<R: BufRead> NdjsonRows<R> {
    /// Reads the text from its start.
    pub fn new(input: R) -> Self {
        Self {
            input,
            line: 0,
            number: 0,
            text: Vec::new(),
        }
    }

    /// Reads a line into the buffer; returns whether all of it fits, or none at the end.
    fn read_line(&mut self) -> Result<Option<bool>, ReadError> {
        self.text.clear();
        let mut all = true;
        let mut any = false;
        loop {
            let input = self.input.fill_buf()?;
            if input.is_empty() {
                break;
            }
            any = true;
            let end = input.iter().position(|byte| *byte == b'\n');
            let piece = &input[..end.unwrap_or(input.len())];
            all = all && self.text.len() + piece.len() <= ROW_BYTES_MAX;
            if all {
                self.text.extend_from_slice(piece);
            }
            let read = end.map_or(input.len(), |end| end + 1);
            self.input.consume(read);
            if end.is_some() {
                break;
            }
        }
        self.line += u64::from(any);
        Ok(any.then_some(all))
    }
}

impl<R: BufRead> Rows for NdjsonRows<R> {
    fn next_row(&mut self, columns: &mut FileColumns) -> Result<Option<RowItem>, ReadError> {
        while let Some(all) = self.read_line()? {
            if all && self.text.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            self.number += 1;
            if !all {
                return Ok(Some(too_large(self.number, self.line)));
            }
            return match serde_json::from_slice(&self.text) {
                Ok(Value::Object(fields)) => row(self.number, self.line, fields, columns).map(Some),
                Ok(_) => {
                    let message = "not an object".to_owned();
                    let code = codes::MALFORMED_LINE;
                    Ok(Some(unreadable(self.number, self.line, code, message)))
                }
                Err(error) => {
                    let message = format!("malformed JSON: {error}");
                    let code = codes::MALFORMED_LINE;
                    Ok(Some(unreadable(self.number, self.line, code, message)))
                }
            };
        }
        Ok(None)
    }
}

/// Returns the key of the array of objects that is the catalogue of an object.
pub fn catalogue_key(input: impl BufRead) -> Result<String, ReadError> {
    let mut scanner = JsonScanner::new(input);
    let mut text = Vec::new();
    let mut keys = Vec::new();
    scanner.expect(b'{')?;
    if scanner.skip_white_space()? != Some(b'}') {
        loop {
            let key = object_key(&mut scanner, &mut text)?;
            scanner.value(&mut text, PREFIX_BYTES)?;
            let prefix = text
                .strip_prefix(b"[")
                .unwrap_or_default()
                .trim_ascii_start();
            if text.first() == Some(&b'[') && matches!(prefix.first(), Some(b'{' | b']')) {
                keys.push(key);
            }
            match scanner.skip_white_space()? {
                Some(b'}') => break,
                _ => scanner.expect(b',')?,
            }
        }
    }
    let named = CATALOGUE_KEYS
        .iter()
        .find(|name| keys.iter().any(|key| key == *name));
    match (named, keys.len()) {
        (Some(name), _) => Ok((*name).to_owned()),
        (None, 1) => Ok(keys.remove(0)),
        _ => {
            let message = "a JSON object without a list of products";
            Err(FileError::new(FileErrorCode::FormatUnknown, message).into())
        }
    }
}

/// Reads a key of an object and the colon after it.
fn object_key<R: BufRead>(
    scanner: &mut JsonScanner<R>,
    text: &mut Vec<u8>,
) -> Result<String, ReadError> {
    match scanner.skip_white_space()? {
        Some(b'"') => {}
        Some(_) => return Err(scanner.malformed("expected a key")),
        None => return Err(scanner.truncated()),
    }
    let all = scanner.value(text, ROW_BYTES_MAX)?;
    let key = serde_json::from_slice(text).ok().filter(|_| all);
    let key = key.ok_or_else(|| scanner.malformed("expected a key"))?;
    scanner.expect(b':')?;
    Ok(key)
}

fn row(
    number: u64,
    line: u64,
    fields: Map<String, Value>,
    columns: &mut FileColumns,
) -> Result<RowItem, ReadError> {
    let mut cells = Vec::with_capacity(fields.len());
    for (name, value) in fields {
        let column = columns.index(&name)?;
        if !is_empty(&value) {
            cells.push((column, value));
        }
    }
    Ok(RowItem::Row(Row {
        number,
        line,
        cells,
    }))
}

fn unreadable(number: u64, line: u64, code: &'static str, message: String) -> RowItem {
    RowItem::Unreadable(UnreadableRow {
        number,
        line,
        code,
        message,
    })
}

/// Returns the rejection of a row that is too large.
pub fn too_large(number: u64, line: u64) -> RowItem {
    let message = format!("a row of more than {ROW_BYTES_MAX} bytes");
    unreadable(number, line, codes::ROW_TOO_LARGE, message)
}
