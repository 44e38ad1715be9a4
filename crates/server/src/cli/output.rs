//! Output of commands: results on stdout, everything else on stderr.

use super::outcome::CommandError;
use serde::Serialize;
use std::fmt::Display;
use std::io::Write;

/// Prints a line of the result.
///
/// Errors: stdout is closed, so that the result would be lost.
pub fn result(line: impl Display) -> Result<(), CommandError> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}")
        .and_then(|()| stdout.flush())
        .map_err(|error| CommandError::failed(format!("cannot write to stdout: {error}")))
}

/// Prints a result as JSON.
pub fn json(value: &impl Serialize) -> Result<(), CommandError> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| CommandError::failed(format!("the result does not serialise: {error}")))?;
    result(text)
}

/// Prints a message for people.
pub fn note(text: impl Display) {
    // If stderr is closed, the message is lost.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
