//! The binary `findwell`: hands its arguments to the command line of the server.

use std::process::ExitCode;

fn main() -> ExitCode {
    server::cli::run(std::env::args_os().collect())
}
