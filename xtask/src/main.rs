//! Tasks around the product: `tidy` checks the house rules, `evaluate` measures relevance, `import-all` loads real
//! catalogues, `load` serves many shops and attackers at once, `dist` builds what ships.

mod catalogue;
mod client;
mod dist;
mod evaluate;
mod failure;
mod import_all;
mod load;
mod process;
mod stopwatch;
mod tidy;
mod workspace;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The command line of `cargo xtask`.
#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tasks around the product")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Checks the rules of the house that the compiler does not know.
    Tidy,
    /// Measures relevance on judged questions through the HTTP interface.
    Evaluate(evaluate::Options),
    /// Feeds every products file of a folder by `findwell import` and searches each once.
    ImportAll(import_all::Options),
    /// Serves shoppers, feeds and configuration writes of many shops, and attackers beside them.
    Load(load::Options),
    /// Builds the binary as it ships, and its debug information in a file beside it.
    Dist,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Tidy => tidy::run(),
        Task::Evaluate(options) => evaluate::run(&options),
        Task::ImportAll(options) => import_all::run(&options),
        Task::Load(options) => load::run(&options),
        Task::Dist => dist::run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
