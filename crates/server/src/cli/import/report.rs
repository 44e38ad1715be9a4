//! The report of an import: counts, and the rejected lines with their numbers.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output;
use crate::imports::BlockResponse;
use crate::metrics::ImportedRows;
use catalogue_files::DocumentStatistics;
use catalogue_files::report::result::FieldReport;
use domain::document::is_field;
use domain::limits::UNKNOWN_FIELDS_MAX;
use domain::{DocType, error_codes};
use indicatif::ProgressBar;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashSet;

/// A rejected line.
#[derive(Debug, Serialize)]
struct RejectedLine {
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    message: String,
}

/// The report of an import so far.
#[derive(Debug)]
pub struct Report {
    /// The progress bar.
    pub bar: ProgressBar,
    as_json: bool,
    received: u64,
    accepted: u64,
    clipped: u64,
    stale: u64,
    rejected_count: u64,
    /// Kept for the JSON report only; otherwise each line is printed at once.
    rejected: Vec<RejectedLine>,
    doc_type: DocType,
    statistics: DocumentStatistics,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ImportCounts<'a> {
    received: u64,
    accepted: u64,
    clipped: u64,
    stale: u64,
    rejected: &'a [RejectedLine],
    fields: Vec<FieldReport>,
    missing_fields: Vec<&'static str>,
    unknown_fields: Vec<String>,
}

impl Report {
    /// Creates an empty report.
    pub fn new(as_json: bool, doc_type: DocType, bar: ProgressBar) -> Self {
        Self {
            bar,
            as_json,
            received: 0,
            accepted: 0,
            clipped: 0,
            stale: 0,
            rejected_count: 0,
            rejected: Vec::new(),
            doc_type,
            statistics: DocumentStatistics::default(),
        }
    }

    /// Adds a line that is not a document.
    pub fn unreadable(&mut self, line: u64, message: String) {
        self.received += 1;
        self.reject(RejectedLine {
            line,
            id: None,
            code: error_codes::INVALID_DOCUMENT.to_owned(),
            field: None,
            message,
        });
    }

    /// Adds the result of the block whose documents are on `lines`.
    ///
    /// Errors: the response refers to a document that the block does not have.
    pub fn block(
        &mut self,
        lines: &[u64],
        documents: &[Value],
        response: BlockResponse,
    ) -> Result<(), CommandError> {
        let rejected: HashSet<usize> = response.rejected.iter().map(|r| r.index).collect();
        for (index, document) in documents.iter().enumerate() {
            if let (false, Value::Object(fields)) = (rejected.contains(&index), document) {
                self.statistics.add(fields);
            }
        }
        self.received += lines.len() as u64;
        self.accepted += response.accepted;
        self.clipped += response.clipped;
        self.stale += response.stale.len() as u64;
        for document in response.rejected {
            let Some(line) = lines.get(document.index) else {
                return Err(CommandError::failed("cannot parse the server's response"));
            };
            self.reject(RejectedLine {
                line: *line,
                id: document.id,
                code: document.code,
                field: document.field,
                message: document.message,
            });
        }
        self.bar.set_message(format!(
            "{} imported, {} rejected",
            self.accepted, self.rejected_count
        ));
        Ok(())
    }

    fn reject(&mut self, line: RejectedLine) {
        self.rejected_count += 1;
        if self.as_json {
            self.rejected.push(line);
            return;
        }
        let id = line.id.map_or(String::new(), |id| format!(" (id {id})"));
        let field = line
            .field
            .map_or(String::new(), |field| format!("{field}: "));
        let text = format!(
            "line {}: {}: {field}{}{id}",
            line.line, line.code, line.message
        );
        self.bar.suspend(|| output::note(text));
    }

    /// Prints what the documents lack, and the counts.
    pub fn print_counts(&self) {
        let unknown = self.unknown_fields();
        if !unknown.is_empty() {
            let unknown = unknown.join(", ");
            output::note(format_args!("stored and not searched: {unknown}"));
        }
        let missing = self.statistics.missing(self.doc_type, false);
        if !missing.is_empty() {
            let missing = missing.join(", ");
            output::note(format_args!("hardly any product has: {missing}"));
        }
        output::note(format_args!(
            "{} documents read, {} accepted, {} older than what is stored, {} rejected; {} clipped",
            self.received, self.accepted, self.stale, self.rejected_count, self.clipped
        ));
    }

    /// Returns what became of the lines.
    pub fn rows(&self) -> ImportedRows {
        ImportedRows {
            accepted: self.accepted,
            rejected: self.rejected_count,
            skipped: 0,
        }
    }

    /// Returns the fields that nothing uses, the most frequent first.
    fn unknown_fields(&self) -> Vec<String> {
        let fields = self.statistics.fields().into_iter();
        let unknown = fields.filter(|field| !is_field(&field.field));
        unknown
            .map(|field| field.field)
            .take(UNKNOWN_FIELDS_MAX)
            .collect()
    }

    /// Prints the JSON report if requested; the status tells whether every line was imported.
    pub fn finish(self) -> Result<ExitStatus, CommandError> {
        let complete = self.rejected_count == 0;
        if self.as_json {
            output::json(&ImportCounts {
                received: self.received,
                accepted: self.accepted,
                clipped: self.clipped,
                stale: self.stale,
                rejected: &self.rejected,
                fields: self.statistics.fields(),
                missing_fields: self.statistics.missing(self.doc_type, false),
                unknown_fields: self.unknown_fields(),
            })?;
        }
        Ok(if complete {
            ExitStatus::Done
        } else {
            ExitStatus::Incomplete
        })
    }
}
