//! The binary `findwell`: hands its arguments to the command line of the server.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Questions, answers and documents are many small pieces that live for a moment.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    server::cli::run(std::env::args_os().collect())
}
