//! The report of an import: counts, and the rejected lines with their numbers.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output;
use domain::error_codes;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

/// The response to a block.
#[derive(Debug, Deserialize)]
pub struct BlockResponse {
    accepted: u64,
    clipped: u64,
    stale: Vec<String>,
    rejected: Vec<ReportedRejection>,
}

#[derive(Debug, Deserialize)]
struct ReportedRejection {
    index: usize,
    id: Option<String>,
    code: String,
    field: Option<String>,
    message: String,
}

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
}

#[derive(Serialize)]
struct ImportCounts<'a> {
    received: u64,
    accepted: u64,
    clipped: u64,
    stale: u64,
    rejected: &'a [RejectedLine],
}

impl Report {
    /// Creates an empty report.
    pub fn new(as_json: bool, bar: ProgressBar) -> Self {
        Self {
            bar,
            as_json,
            received: 0,
            accepted: 0,
            clipped: 0,
            stale: 0,
            rejected_count: 0,
            rejected: Vec::new(),
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
    pub fn block(&mut self, lines: &[u64], response: BlockResponse) -> Result<(), CommandError> {
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

    /// Prints the counts.
    pub fn print_counts(&self) {
        output::note(format_args!(
            "{} documents read, {} accepted, {} older than what is stored, {} rejected; {} clipped",
            self.received, self.accepted, self.stale, self.rejected_count, self.clipped
        ));
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
            })?;
        }
        Ok(if complete {
            ExitStatus::Done
        } else {
            ExitStatus::Incomplete
        })
    }
}
