//! The log: one line per event on stderr, as text or JSON, with keys redacted.

use super::outcome::CommandError;
use super::redaction::Redacting;
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// The format of a log line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// Time, level, message and `name=value` pairs.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

impl LogFormat {
    /// Parses the name of a format.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "text" => Some(Self::Text),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// Silences the MCP library, which warns of every client error, unless the filter names it.
const DEFAULT_DIRECTIVE: &str = "rmcp=error";

/// Starts the log with `filter`.
///
/// Errors: wrong usage if the filter is invalid.
pub fn start(filter: &str, format: LogFormat) -> Result<(), CommandError> {
    let filter = EnvFilter::try_new(format!("{DEFAULT_DIRECTIVE},{filter}"))
        .map_err(|error| CommandError::usage(format!("--log {filter}: {error}")))?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(|| Redacting(std::io::stderr()));
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
    }
    Ok(())
}
