//! Tasks around the product: `tidy` checks rules of the repository, `evaluate` measures relevance, `record` keeps what
//! searches return, `import-all` imports real catalogues, `import-load` an invented one of a million products, `load`
//! simulates many shops and attackers, `feed-load` measures the feed of a large catalogue, `panel-load` the control panel,
//! `dist` builds what is shipped, `module` the archive of the shop module, `nodes` starts a node of OpenSearch,
//! `parity` compares the engines on it, `kills` kills servers on one PostgreSQL, `capacity` measures one and two of them,
//! `failures` tries what happens when a part fails, `upgrade` replaces servers of an earlier version under load.

mod capacity;
mod catalogue;
mod client;
#[path = "../../crates/storage/tests/cluster/mod.rs"]
mod cluster;
mod dist;
mod evaluate;
mod failure;
mod failures;
mod feed_load;
mod import_all;
mod import_load;
mod journeys;
mod kills;
mod load;
mod module_release;
mod nodes;
mod panel_load;
mod parity;
mod process;
mod record;
mod stopwatch;
mod tidy;
mod upgrade;
mod workspace;
mod zip_archive;

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
    /// Checks rules of the repository that the compiler does not check.
    Tidy,
    /// Measures relevance on judged queries through the HTTP interface.
    Evaluate(evaluate::Options),
    /// Imports every products file of a folder with `findwell import` and searches each once.
    ImportAll(import_all::Options),
    /// Imports an invented catalogue of a million products as CSV and as one document a line: speed and memory.
    ImportLoad(import_load::Options),
    /// Simulates shoppers, feeds and configuration writes of many shops, with attackers beside them.
    Load(load::Options),
    /// Feeds a catalogue of 818,763 products over HTTP, and again unchanged, beside searches; then ten stores at once.
    FeedLoad(feed_load::Options),
    /// Measures what people wait for in the control panel, with a large catalogue and very many records and stores.
    PanelLoad(panel_load::Options),
    /// Records what a server returns for a list of searches and simulations, to compare two builds.
    Record(record::Options),
    /// Builds what is shipped: binary, debug information, shop module, Debian package, container image, checksums.
    Dist(dist::Options),
    /// Builds the archive of the shop module and the description of its release.
    Module(module_release::Options),
    /// Measures feeds and searches with the data in a file, and with nodes on PostgreSQL.
    Capacity(capacity::Options),
    /// Tries each row of the table of failures with real processes, and prints it.
    Failures,
    /// Kills servers under load and sends random operations to two of them, in a larger size than the tests do.
    Kills(kills::Options),
    /// Starts or stops a node of OpenSearch on loopback, for tests.
    Nodes(nodes::Options),
    /// Replaces servers of an earlier version one by one under load.
    Upgrade(upgrade::Options),
    /// Compares both engines on a catalogue in a file, on that node, and measures them.
    Parity(parity::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Tidy => tidy::run(),
        Task::Evaluate(options) => evaluate::run(&options),
        Task::ImportAll(options) => import_all::run(&options),
        Task::ImportLoad(options) => import_load::run(&options),
        Task::Load(options) => load::run(&options),
        Task::FeedLoad(options) => feed_load::run(&options),
        Task::PanelLoad(options) => panel_load::run(&options),
        Task::Record(options) => record::run(&options),
        Task::Failures => failures::run(),
        Task::Capacity(options) => capacity::run(&options),
        Task::Dist(options) => dist::run(&options),
        Task::Module(options) => module_release::run(&options),
        Task::Kills(options) => kills::run(&options),
        Task::Nodes(options) => nodes::run(&options),
        Task::Parity(options) => parity::run(&options),
        Task::Upgrade(options) => upgrade::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
