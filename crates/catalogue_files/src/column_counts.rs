//! How full the columns of a file are, and what they are taken as.

use crate::bounds::EXAMPLE_CHARACTERS_MAX;
use crate::documents::columns_taken::ColumnsTaken;
use crate::mapping::profile::ColumnProfile;
use crate::mapping::target::Target;
use crate::report::result::{ColumnReport, ImportResult};
use crate::rows::Row;
use crate::rows::columns::FileColumns;
use crate::values::texts::cut;
use serde_json::Value;

/// Counts of filled cells, and an example of each column.
#[derive(Clone, Debug, Default)]
pub struct ColumnCounts {
    columns: Vec<(u64, String)>,
}

impl ColumnCounts {
    /// Adds a row.
    pub fn add(&mut self, row: &Row) {
        for (column, value) in &row.cells {
            if self.columns.len() <= *column {
                self.columns.resize(column + 1, (0, String::new()));
            }
            let (filled, example) = &mut self.columns[*column];
            *filled += 1;
            if example.is_empty() {
                *example = match value {
                    Value::String(text) => cut(text.trim(), EXAMPLE_CHARACTERS_MAX),
                    other => cut(&other.to_string(), EXAMPLE_CHARACTERS_MAX),
                };
            }
        }
    }

    /// Adds the columns to a result.
    pub fn describe(
        &self,
        taken: &ColumnsTaken<'_>,
        columns: &FileColumns,
        result: &mut ImportResult,
    ) {
        for (index, name) in columns.names().iter().enumerate() {
            let (filled, example) = self.columns.get(index).cloned().unwrap_or_default();
            let is_dropped = taken.is_dropped(index, name);
            let targets = match taken.naming.profile {
                ColumnProfile::Findwell if !is_dropped => vec![name.clone()],
                _ => targets(taken, index),
            };
            if is_dropped {
                result.dropped_columns.push(name.clone());
            } else if taken.naming.profile != ColumnProfile::Findwell
                && taken.is_extra(index)
                && filled > 0
            {
                result.extra_columns.push(name.clone());
            }
            result.columns.push(ColumnReport {
                column: name.clone(),
                targets,
                filled,
                example: Some(example).filter(|example| !is_dropped && !example.is_empty()),
            });
        }
    }
}

fn targets(taken: &ColumnsTaken<'_>, column: usize) -> Vec<String> {
    let mut targets: Vec<String> = Vec::new();
    for column_use in taken.uses(column) {
        let name = match column_use.target {
            Target::Nothing => continue,
            _ => column_use.target.name().to_owned(),
        };
        if !targets.contains(&name) {
            targets.push(name);
        }
    }
    targets
}
