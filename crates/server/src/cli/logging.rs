//! The log: one line per event, on stderr.

use super::outcome::Ending;
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Starts the log with `filter`.
///
/// Errors: wrong usage when the filter is none.
pub fn start(filter: &str) -> Result<(), Ending> {
    let filter = EnvFilter::try_new(filter)
        .map_err(|error| Ending::usage(format!("--log {filter}: {error}")))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .init();
    Ok(())
}
