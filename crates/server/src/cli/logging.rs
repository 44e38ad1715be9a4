//! The log: one line per event on stderr, as text or JSON, with keys redacted; and traces, if they are sent anywhere.

use super::outcome::CommandError;
use super::redaction::Redacting;
use super::trace_args::TraceArgs;
use crate::traces::{TraceOptions, Traces};
use std::io::IsTerminal;
use tracing::Subscriber;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

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

/// What has to stay until the process ends: dropping it sends the last traces.
#[derive(Default)]
pub struct LogGuard {
    _traces: Option<Traces>,
}

/// Starts the log with `filter`, and traces if a collector is named.
///
/// Errors: wrong usage if the filter is invalid.
pub fn start(
    filter: &str,
    format: LogFormat,
    traces: Option<&TraceArgs>,
) -> Result<LogGuard, CommandError> {
    let filter = EnvFilter::try_new(format!("{DEFAULT_DIRECTIVE},{filter}"))
        .map_err(|error| CommandError::usage(format!("--log {filter}: {error}")))?;
    match traces.and_then(TraceArgs::options) {
        Some(options) => start_with_traces(filter, format, &options),
        None => {
            tracing_subscriber::registry()
                .with(filter)
                .with(log_layer(format))
                .init();
            Ok(LogGuard::default())
        }
    }
}

/// Starts both; each decides by itself what it takes.
fn start_with_traces(
    filter: EnvFilter,
    format: LogFormat,
    options: &TraceOptions,
) -> Result<LogGuard, CommandError> {
    let (layer, traces) = crate::traces::start(options)
        .map_err(|error| CommandError::usage(format!("--otlp: {error}")))?;
    tracing_subscriber::registry()
        .with(layer)
        .with(log_layer(format).with_filter(filter))
        .init();
    Ok(LogGuard {
        _traces: Some(traces),
    })
}

/// The layer that writes lines.
fn log_layer<S>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(|| Redacting(std::io::stderr()));
    match format {
        LogFormat::Text => Box::new(lines),
        LogFormat::Json => Box::new(lines.json().flatten_event(true).with_span_list(false)),
    }
}
