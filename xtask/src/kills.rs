//! `kills`: the tests of two servers on one PostgreSQL in a larger size than with each change: kills under load, kills in the
//! middle of what is written to shared indexes, and random operations that are sent again to one server.

use crate::failure::Outcome;
use crate::journeys::{succeed, tests};
use clap::Args;

/// How much is tried.
#[derive(Args)]
pub struct Options {
    /// Kills of one of two servers under load; where a node of OpenSearch runs (`cargo xtask nodes up`), as many in the middle of
    /// a bulk, a swap and a clear each, and a fifth of them while an index is closed.
    #[arg(long, default_value_t = 200)]
    rounds: u32,
    /// Random operations of eight clients.
    #[arg(long, default_value_t = 10_000)]
    operations: u32,
}

/// Runs the tests, and fails where PostgreSQL is not installed.
pub fn run(options: &Options) -> Outcome<()> {
    let filters = [
        "journeys::node_kills",
        "journeys::index_kills::a_server",
        "journeys::random_nodes",
    ];
    succeed(
        tests(&filters)
            .arg("--nocapture")
            .env("FINDWELL_KILLS", options.rounds.to_string())
            .env("FINDWELL_OPERATIONS", options.operations.to_string()),
    )
}
