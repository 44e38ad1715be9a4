//! What an import did: counts, and every rejected line with its number.

use crate::cli::outcome::{Ending, ExitStatus};
use crate::cli::output;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

/// The answer to one block.
#[derive(Debug, Deserialize)]
pub struct BlockResponse {
    accepted: u64,
    clipped: u64,
    stale: Vec<String>,
    rejected: Vec<RejectedDocument>,
}

#[derive(Debug, Deserialize)]
struct RejectedDocument {
    index: usize,
    id: Option<String>,
    code: String,
    field: Option<String>,
    message: String,
}

/// A line that did not go in.
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

/// What an import did so far.
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
    /// Kept only for the JSON report; the other one is told line by line.
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
    /// An empty report.
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

    /// Adds a line that is no document.
    pub fn unreadable(&mut self, line: u64, message: String) {
        self.received += 1;
        self.reject(RejectedLine {
            line,
            id: None,
            code: "invalid_document".to_owned(),
            field: None,
            message,
        });
    }

    /// Adds what became of the block whose documents stood on `lines`.
    ///
    /// Errors: the answer speaks of a document that the block does not have.
    pub fn block(&mut self, lines: &[u64], answer: BlockResponse) -> Result<(), Ending> {
        self.received += lines.len() as u64;
        self.accepted += answer.accepted;
        self.clipped += answer.clipped;
        self.stale += answer.stale.len() as u64;
        for document in answer.rejected {
            let Some(line) = lines.get(document.index) else {
                return Err(Ending::failed("the server's answer is not understood"));
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
            "{} in, {} rejected",
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

    /// Tells how much went in.
    pub fn tell_figures(&self) {
        output::note(format_args!(
            "{} documents read, {} accepted, {} older than what is stored, {} rejected; {} clipped",
            self.received, self.accepted, self.stale, self.rejected_count, self.clipped
        ));
    }

    /// Prints the JSON report where one is wanted; the status says whether everything went in.
    pub fn finish(self) -> Result<ExitStatus, Ending> {
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
