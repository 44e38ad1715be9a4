//! Runs tests of several nodes out of the suite of the server.

use crate::failure::{Failure, Outcome};
use crate::workspace;
use std::process::Command;

/// What runs.
pub const WHAT: &str = "cargo test";

/// Returns the command that runs those tests whose names contain one of `filters`, one after the other; they fail where PostgreSQL
/// is not installed. Further arguments are those of the test program.
pub fn tests(filters: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command
        .args(["test", "-p", "server", "--test", "it", "--"])
        .args(filters)
        .arg("--test-threads=1")
        .env("FINDWELL_POSTGRES", "required")
        .current_dir(workspace::root());
    command
}

/// Runs a command to its end.
///
/// # Errors
///
/// It cannot be run, or fails.
pub fn succeed(command: &mut Command) -> Outcome<()> {
    let what = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(Failure::of(&what))?;
    match status.success() {
        true => Ok(()),
        false => Err(Failure::new(format!("{what}: {status}"))),
    }
}
