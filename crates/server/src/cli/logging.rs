//! The log: one line per event, on stderr, as text or as JSON, without keys.

use super::outcome::Ending;
use super::redaction::Redacting;
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// The form of the log's lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// Time, level, message and `name=value` pairs.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

impl LogFormat {
    /// The form that `text` names.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "text" => Some(Self::Text),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// The kit of the tool server warns of every client's mistake, which is no fault of the service. A filter that names
/// the kit says otherwise.
const QUIET: &str = "rmcp=error";

/// Starts the log with `filter`.
///
/// Errors: wrong usage when the filter is none.
pub fn start(filter: &str, format: LogFormat) -> Result<(), Ending> {
    let filter = EnvFilter::try_new(format!("{QUIET},{filter}"))
        .map_err(|error| Ending::usage(format!("--log {filter}: {error}")))?;
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
