//! What a command prints: results on stdout, everything else on stderr.

use super::outcome::Ending;
use serde::Serialize;
use std::fmt::Display;
use std::io::Write;

/// Prints one line of result.
///
/// Errors: stdout is gone, so that the result would be lost.
pub fn result(line: impl Display) -> Result<(), Ending> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}")
        .and_then(|()| stdout.flush())
        .map_err(|error| Ending::failed(format!("cannot write to stdout: {error}")))
}

/// Prints a result as JSON.
pub fn json(value: &impl Serialize) -> Result<(), Ending> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Ending::failed(format!("the result has no JSON form: {error}")))?;
    result(text)
}

/// Tells the person at the terminal something.
pub fn note(text: impl Display) {
    // Nobody listens to a stderr that is closed.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
