//! The uses of all columns met so far, and the cells of a row in the order in which they count.

use crate::error::FileError;
use crate::mapping::column_use::{ColumnNaming, ColumnUse, GroupLabel};
use crate::mapping::table::is_never_stored;
use crate::mapping::target::Target;
use crate::rows::Row;
use crate::rows::columns::FileColumns;
use crate::values::lists::{at_mark, code_values};
use crate::values::texts::{at_path, text_of};
use serde_json::Value;

/// The uses of all columns met so far.
#[derive(Debug)]
pub struct ColumnsTaken<'a> {
    /// How columns are taken.
    pub naming: ColumnNaming<'a>,
    uses: Vec<Vec<ColumnUse>>,
    /// FileColumns that are attributes within a cell.
    from_attributes: Vec<bool>,
}

/// A cell that something takes.
#[derive(Clone, Debug)]
pub struct TakenCell<'a> {
    /// Its column.
    pub column: usize,
    /// As what it is taken.
    pub column_use: &'a ColumnUse,
    /// Its value.
    pub value: &'a Value,
}

impl<'a> ColumnsTaken<'a> {
    /// Creates the uses of no columns.
    pub fn new(naming: ColumnNaming<'a>) -> Self {
        Self {
            naming,
            uses: Vec::new(),
            from_attributes: Vec::new(),
        }
    }

    /// Returns the uses of a column.
    pub fn uses(&self, column: usize) -> &[ColumnUse] {
        self.uses.get(column).map_or(&[], Vec::as_slice)
    }

    /// Learns the uses of the columns that are new.
    pub fn update(&mut self, columns: &FileColumns) {
        for index in self.uses.len()..columns.names().len() {
            if self.from_attributes.len() <= index {
                self.from_attributes.resize(index + 1, false);
            }
            let mut uses = self.naming.uses(columns.name(index));
            if uses.is_empty() && self.from_attributes[index] {
                uses = vec![feature(columns.name(index))];
            }
            self.uses.push(uses);
        }
    }

    /// Adds the attributes within a cell, such as `color=Black,size=M`, as cells of their own.
    ///
    /// Errors: there are too many columns.
    pub fn expand(&mut self, row: &mut Row, columns: &mut FileColumns) -> Result<(), FileError> {
        self.update(columns);
        let mut added = Vec::new();
        for (column, value) in &row.cells {
            let uses = self.uses(*column);
            if uses
                .iter()
                .any(|taken| taken.target == Target::AdditionalAttributes)
                && let Some(text) = text_of(value)
            {
                added.extend(code_values(&text));
            }
        }
        for (code, text) in added {
            let index = columns.index(&code)?;
            if self.from_attributes.len() <= index {
                self.from_attributes.resize(index + 1, false);
                self.from_attributes[index] = true;
            }
            let values = at_mark(&text, '|').into_iter().map(Value::String);
            let value = Value::Array(values.collect());
            if !crate::rows::is_empty(&value) {
                row.cells.push((index, value));
            }
        }
        self.update(columns);
        Ok(())
    }

    /// Returns the cells of a row that something takes, by target, those that count first at the front.
    pub fn cells<'b>(&'b self, row: &'b Row) -> Vec<TakenCell<'b>> {
        let mut cells = Vec::with_capacity(row.cells.len());
        for (column, value) in &row.cells {
            for column_use in self.uses(*column) {
                let value = match column_use.path.is_empty() {
                    true => Some(value),
                    false => at_path(value, &column_use.path),
                };
                if let Some(value) = value.filter(|value| !crate::rows::is_empty(value)) {
                    cells.push(TakenCell {
                        column: *column,
                        column_use,
                        value,
                    });
                }
            }
        }
        // Stable, so that a column that occurs twice counts in the order of the file.
        cells.sort_by(|a, b| {
            let (a, b) = (a.column_use, b.column_use);
            a.target.cmp(&b.target).then(a.rank.cmp(&b.rank))
        });
        cells
    }

    /// Returns whether a column is kept in `extra`.
    pub fn is_extra(&self, column: usize) -> bool {
        let uses = self.uses(column);
        uses.is_empty() || uses.iter().any(|taken| taken.target == Target::Extra)
    }

    /// Returns whether a column is left out on purpose.
    pub fn is_dropped(&self, column: usize, name: &str) -> bool {
        let uses = self.uses(column);
        let is_dropped = |taken: &ColumnUse| taken.target == Target::Nothing;
        !uses.is_empty() && uses.iter().all(is_dropped) || uses.is_empty() && is_never_stored(name)
    }

    /// Returns whether any column is taken as one of `targets`.
    pub fn has(&self, targets: &[Target]) -> bool {
        let mut uses = self.uses.iter().flatten();
        uses.any(|taken| targets.contains(&taken.target))
    }
}

fn feature(code: &str) -> ColumnUse {
    ColumnUse {
        target: Target::Feature,
        rank: u32::MAX,
        label: Some(GroupLabel::Text(code.to_owned())),
        split: None,
        path: Vec::new(),
        unit: None,
    }
}

/// Returns the cells that are taken as a target.
pub fn of_target<'a, 'b>(
    cells: &'a [TakenCell<'b>],
    target: &'a Target,
) -> impl Iterator<Item = &'a TakenCell<'b>> {
    cells
        .iter()
        .filter(move |cell| cell.column_use.target == *target)
}

/// Returns the text of the first cell that is taken as a target.
pub fn first_text(cells: &[TakenCell<'_>], target: &Target) -> Option<String> {
    of_target(cells, target).find_map(|cell| text_of(cell.value))
}
