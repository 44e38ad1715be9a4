//! Rows of CSV as in RFC 4180, with bounds on every row.

use super::columns::{FileColumns, too_many};
use super::{Row, RowItem, Rows, UnreadableRow};
use crate::bounds::{COLUMNS_MAX, ROW_BYTES_MAX};
use crate::error::{FileError, FileErrorCode, ReadError};
use crate::report::codes;
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use serde_json::Value;
use std::io::BufRead;

/// Cells that are skipped at a time.
const SURPLUS_ENDS: usize = 64;

/// Reads the rows of a text.
pub struct CsvRows<R> {
    input: R,
    core: Reader,
    delimiter: u8,
    quotes: QuoteState,
    header: Vec<usize>,
    line: u64,
    number: u64,
    output: Vec<u8>,
    ends: Vec<usize>,
    /// Ends of cells that are more than a row may have.
    surplus_ends: Vec<usize>,
}

/// A record as it lies in the buffers.
struct CsvRecord {
    line: u64,
    cells: usize,
    bytes: usize,
    /// More bytes than a row may have; what was read of it is dropped.
    is_too_large: bool,
    /// More cells than a row may have.
    is_too_wide: bool,
}

impl<R: BufRead> CsvRows<R> {
    /// Reads the header of a text whose first line has the number `line`.
    pub fn open(
        input: R,
        delimiter: u8,
        line: u64,
        columns: &mut FileColumns,
    ) -> Result<Self, ReadError> {
        let mut rows = Self {
            input,
            core: ReaderBuilder::new().delimiter(delimiter).build(),
            delimiter,
            quotes: QuoteState::FieldStart,
            header: Vec::new(),
            line,
            number: 0,
            output: vec![0; ROW_BYTES_MAX],
            ends: vec![0; COLUMNS_MAX + 1],
            surplus_ends: vec![0; SURPLUS_ENDS],
        };
        if let Some(record) = rows.record()? {
            if record.is_too_wide || record.is_too_large || record.cells > COLUMNS_MAX {
                return Err(too_many(format!("more than {COLUMNS_MAX} columns")).into());
            }
            for index in 0..record.cells {
                let name = rows.cell(index).trim().to_owned();
                let index = columns.index(&name)?;
                rows.header.push(index);
            }
        }
        Ok(rows)
    }

    fn cell(&self, index: usize) -> String {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        String::from_utf8_lossy(&self.output[start..self.ends[index]]).into_owned()
    }

    /// Reads the next record into the buffers; empty lines are none.
    fn record(&mut self) -> Result<Option<CsvRecord>, ReadError> {
        if !self.skip_empty_lines()? {
            return Ok(None);
        }
        let mut record = CsvRecord {
            line: self.line,
            cells: 0,
            bytes: 0,
            is_too_large: false,
            is_too_wide: false,
        };
        loop {
            let input = self.input.fill_buf()?;
            if input.is_empty() && self.quotes == QuoteState::Quoted {
                return Err(quote_open(record.line).into());
            }
            let ends = match record.is_too_wide {
                true => &mut self.surplus_ends[..],
                false => &mut self.ends[record.cells..],
            };
            let output = &mut self.output[record.bytes..];
            let (result, read, written, ended) = self.core.read_record(input, output, ends);
            let delimiter = self.delimiter;
            let quotes = |state: QuoteState, byte: &u8| state.after(*byte, delimiter);
            self.quotes = input[..read].iter().fold(self.quotes, quotes);
            let lines = input[..read].iter().filter(|byte| **byte == b'\n').count();
            self.line += lines as u64;
            self.input.consume(read);
            record.bytes += written;
            if !record.is_too_wide {
                record.cells += ended;
            }
            match result {
                ReadRecordResult::Record => return Ok(Some(record)),
                ReadRecordResult::End => return Ok(None),
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => {
                    if !record.is_too_large && self.quotes == QuoteState::Quoted {
                        return Err(quote_open(record.line).into());
                    }
                    record.is_too_large = true;
                    record.bytes = 0;
                }
                ReadRecordResult::OutputEndsFull => {
                    record.is_too_wide = true;
                }
            }
        }
    }

    /// Skips line ends before a record; returns whether anything follows.
    fn skip_empty_lines(&mut self) -> Result<bool, ReadError> {
        loop {
            let input = self.input.fill_buf()?;
            if input.is_empty() {
                return Ok(false);
            }
            let empty = input.iter().take_while(|byte| **byte == b'\n').count();
            let is_done = empty < input.len();
            self.input.consume(empty);
            self.line += empty as u64;
            if is_done {
                return Ok(true);
            }
        }
    }

    fn unreadable(&self, record: &CsvRecord, code: &'static str, message: String) -> RowItem {
        RowItem::Unreadable(UnreadableRow {
            number: self.number,
            line: record.line,
            code,
            message,
        })
    }

    fn item(&self, record: &CsvRecord) -> Option<RowItem> {
        if record.is_too_large {
            let message = format!("a row of more than {ROW_BYTES_MAX} bytes");
            return Some(self.unreadable(record, codes::ROW_TOO_LARGE, message));
        }
        let mut cells = Vec::with_capacity(self.header.len());
        let counted = record
            .cells
            .checked_sub(1)
            .map_or(0, |last| self.ends[last]);
        let mut is_beyond = record.bytes > counted;
        for index in 0..record.cells {
            let text = self.cell(index);
            if text.trim().is_empty() {
                continue;
            }
            match self.header.get(index) {
                Some(column) => cells.push((*column, Value::String(text))),
                None => is_beyond = true,
            }
        }
        if is_beyond {
            let message = format!("more cells than the {} of the header", self.header.len());
            return Some(self.unreadable(record, codes::TOO_MANY_CELLS, message));
        }
        (!cells.is_empty()).then_some(RowItem::Row(Row {
            number: self.number,
            line: record.line,
            cells,
        }))
    }
}

impl<R: BufRead> Rows for CsvRows<R> {
    fn next_row(&mut self, _: &mut FileColumns) -> Result<Option<RowItem>, ReadError> {
        while let Some(record) = self.record()? {
            self.number += 1;
            if let Some(item) = self.item(&record) {
                return Ok(Some(item));
            }
            // A row of empty cells is none.
            self.number -= 1;
        }
        Ok(None)
    }
}

/// Whether the text is inside of quotes, which the parser does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuoteState {
    FieldStart,
    Unquoted,
    Quoted,
    /// After a quote inside of quotes: the end of them, or the first of two.
    AfterQuote,
}

impl QuoteState {
    fn after(self, byte: u8, delimiter: u8) -> Self {
        match (self, byte) {
            (Self::Quoted, b'"') => Self::AfterQuote,
            (Self::Quoted, _) => Self::Quoted,
            (Self::FieldStart | Self::AfterQuote, b'"') => Self::Quoted,
            (_, b'\n') => Self::FieldStart,
            (_, byte) if byte == delimiter => Self::FieldStart,
            _ => Self::Unquoted,
        }
    }
}

fn quote_open(line: u64) -> FileError {
    let message = "a quote of the row on this line is not closed";
    FileError::new(FileErrorCode::QuoteOpen, message).on_line(line)
}
