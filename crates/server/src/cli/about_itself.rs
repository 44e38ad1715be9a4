//! What the command line says about itself to shells and readers: completions and manual pages.

use super::args::{Completions, Manual, command};
use super::outcome::{CommandError, ExitStatus};
use std::fs;
use std::io::Write;

const NAME: &str = "findwell";

/// Prints the completions of a shell.
pub fn completions(of: &Completions) -> Result<ExitStatus, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(of.shell, &mut command(), NAME, &mut script);
    let written = std::io::stdout().lock().write_all(&script);
    written.map_err(|error| CommandError::failed(error.to_string()))?;
    Ok(ExitStatus::Done)
}

/// Writes `findwell.1` and a page of each command.
pub fn manual(to: &Manual) -> Result<ExitStatus, CommandError> {
    let directory = &to.directory;
    fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(command(), directory))
        .map_err(|error| CommandError::failed(format!("{}: {error}", directory.display())))?;
    Ok(ExitStatus::Done)
}
