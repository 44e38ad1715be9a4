//! What is found while rows are read: rejected rows, warnings, notices, skipped rows.

use super::codes;
use super::result::{ImportNotice, ImportWarning, RejectedRow};
use crate::bounds::{EXAMPLE_CHARACTERS_MAX, REJECTED_MAX, WARNING_LINES, WARNINGS_MAX};
use crate::bytes::text::TextProblems;
use crate::rows::UnreadableRow;
use crate::values::texts::cut;
use domain::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// What is found while rows are read.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Rows that were read.
    pub received: u64,
    /// The first rejected rows.
    pub rejected: Vec<RejectedRow>,
    /// Rejected rows that are not named.
    pub rejected_more: u64,
    /// Rows that were left out, by code.
    pub skipped: BTreeMap<&'static str, u64>,
    /// The earliest start or end of a sale that is still to come.
    pub next_sale_change: Option<Timestamp>,
    warnings: BTreeMap<(&'static str, Option<String>), WarningCount>,
    ambiguous: BTreeMap<String, (u64, String)>,
    notices: BTreeMap<(&'static str, String), ()>,
    is_base_missing: bool,
}

#[derive(Clone, Debug, Default)]
struct WarningCount {
    count: u64,
    lines: BTreeSet<u64>,
    example: String,
}

impl Findings {
    /// Adds a rejected row.
    pub fn reject(&mut self, row: RejectedRow) {
        if self.rejected.len() < REJECTED_MAX {
            self.rejected.push(row);
        } else {
            self.rejected_more += 1;
        }
    }

    /// Adds a row that could not be read at all.
    pub fn unreadable(&mut self, row: UnreadableRow) {
        self.reject(RejectedRow {
            line: row.line,
            row: row.number,
            id: None,
            code: row.code.to_owned(),
            field: None,
            column: None,
            message: row.message,
        });
    }

    /// Returns the number of rejected rows.
    pub fn rejected_count(&self) -> u64 {
        self.rejected.len() as u64 + self.rejected_more
    }

    /// Counts a row that is left out.
    pub fn skip(&mut self, code: &'static str) {
        *self.skipped.entry(code).or_default() += 1;
    }

    /// Adds a warning about a cell.
    pub fn warn(&mut self, code: &'static str, column: Option<&str>, line: u64, example: &str) {
        let key = (code, column.map(str::to_owned));
        if self.warnings.len() == WARNINGS_MAX && !self.warnings.contains_key(&key) {
            return;
        }
        let warning = self.warnings.entry(key).or_default();
        warning.add(line);
        if warning.example.is_empty() {
            warning.example = cut(example, EXAMPLE_CHARACTERS_MAX);
        }
    }

    /// Adds what was replaced and removed while the text was decoded.
    pub fn add_text_problems(&mut self, problems: &TextProblems) {
        for (code, problem) in [
            (codes::INVALID_BYTES, &problems.invalid_bytes),
            (codes::CONTROL_CHARACTERS, &problems.control_characters),
        ] {
            if problem.count > 0 {
                let warning = self.warnings.entry((code, None)).or_default();
                warning.count = problem.count;
                warning.lines = problem.lines.iter().copied().collect();
            }
        }
    }

    /// Counts a number whose decimal mark is a guess.
    pub fn ambiguous(&mut self, column: &str, example: &str) {
        let entry = self.ambiguous.entry(column.to_owned());
        let (count, _) = entry.or_insert_with(|| (0, cut(example, EXAMPLE_CHARACTERS_MAX)));
        *count += 1;
    }

    /// Notes that a relative address could not be resolved.
    pub fn base_missing(&mut self) {
        self.is_base_missing = true;
    }

    /// Adds a notice.
    pub fn notice(&mut self, code: &'static str, message: String) {
        self.notices.insert((code, message), ());
    }

    /// Notes an instant at which a price changes.
    pub fn sale_changes(&mut self, at: Timestamp) {
        self.next_sale_change = Some(self.next_sale_change.map_or(at, |next| next.min(at)));
    }

    /// Returns the warnings.
    pub fn warnings(&self) -> Vec<ImportWarning> {
        let all = self.warnings.iter();
        let warnings = all.map(|((code, column), counted)| ImportWarning {
            code,
            column: column.clone(),
            count: counted.count,
            lines: counted.lines.iter().copied().collect(),
            example: counted.example.clone(),
            message: codes::text(code),
        });
        warnings.collect()
    }

    /// Returns the notices.
    pub fn notices(&self) -> Vec<ImportNotice> {
        let mut notices: Vec<ImportNotice> = (self.ambiguous.iter())
            .map(|(column, (count, example))| ImportNotice {
                code: codes::AMBIGUOUS_NUMBERS,
                message: format!(
                    "{column}: {count} numbers such as {example} may be meant otherwise; --decimal says which mark is \
                     decimal"
                ),
            })
            .collect();
        if self.is_base_missing {
            notices.push(ImportNotice {
                code: codes::BASE_URL_MISSING,
                message: "addresses are relative; --base-url gives the address of the shop"
                    .to_owned(),
            });
        }
        let others = self.notices.keys().map(|(code, message)| ImportNotice {
            code,
            message: message.clone(),
        });
        notices.extend(others);
        notices
    }
}

impl WarningCount {
    /// The first lines are kept, in whatever order they come.
    fn add(&mut self, line: u64) {
        self.count += 1;
        self.lines.insert(line);
        if self.lines.len() > WARNING_LINES {
            self.lines.pop_last();
        }
    }
}
