//! From text to rows: the formats, and the names of columns.

pub mod columns;
pub mod csv;
pub mod delimiter;
pub mod format;
pub mod json;
pub mod json_scanner;
pub mod xml;

use crate::error::ReadError;
use columns::FileColumns;
use serde_json::Value;

/// One record of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its number, without a header, from 1.
    pub number: u64,
    /// The line on which it begins, from 1.
    pub line: u64,
    /// What it holds: columns with their values, none of them empty.
    pub cells: Vec<(usize, Value)>,
}

/// Why a row is rejected before anything is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableRow {
    /// Its number, from 1.
    pub number: u64,
    /// The line on which it begins.
    pub line: u64,
    /// The code.
    pub code: &'static str,
    /// The reason in English.
    pub message: String,
}

/// The next item of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum RowItem {
    /// A row.
    Row(Row),
    /// A row that cannot be read; the others can.
    Unreadable(UnreadableRow),
}

/// A stream of rows.
pub trait Rows {
    /// Returns the next row, or none at the end; its columns are added to `columns`.
    fn next_row(&mut self, columns: &mut FileColumns) -> Result<Option<RowItem>, ReadError>;
}

/// Returns whether a value holds nothing.
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(values) => values.iter().all(is_empty),
        Value::Object(fields) => fields.values().all(is_empty),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
