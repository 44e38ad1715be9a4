//! `parity`: compares the embedded engine with the one on OpenSearch on a catalogue in a file, and measures both, on the node
//! that `nodes up` has started.

use crate::failure::{Failure, Outcome};
use crate::workspace;
use clap::Args;
use std::process::Command;

/// What is compared.
#[derive(Args)]
pub struct Options {
    /// `--language en FILE.ndjson[.gz] [--queries FILE.tsv] [--sample N] [--copies N]`
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENTS"
    )]
    arguments: Vec<String>,
}

/// Builds the comparison and runs it.
pub fn run(options: &Options) -> Outcome<()> {
    let status = Command::new(env!("CARGO"))
        .args(["run", "--release", "--quiet", "--package", "engine"])
        .args(["--example", "parity", "--"])
        .args(&options.arguments)
        .current_dir(workspace::root())
        .status()
        .map_err(Failure::of("cargo"))?;
    match status.success() {
        true => Ok(()),
        false => Err(Failure::new("the engines differ, or could not be compared")),
    }
}
