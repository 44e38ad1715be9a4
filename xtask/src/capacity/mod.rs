//! `capacity`: what one machine does with its data in a file, with one and two nodes on PostgreSQL, and with their indexes on
//! OpenSearch: documents and searches a second, processor time of each, memory. The tables and plots of `docs/scale.md`.

mod measured;
mod plot;
pub mod setup;
mod work;

use crate::failure::{Failure, Outcome};
use crate::process::named_or_built;
use measured::{HEAD, Measured, Size, measure};
use setup::Setup;
use std::path::PathBuf;

/// Options of `capacity`.
#[derive(clap::Args)]
pub struct Options {
    /// Stores and the products of each, such as 20x5000; several make rows of each
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "20x5000",
        value_name = "NxM"
    )]
    sizes: Vec<Size>,
    /// Seconds for which is searched
    #[arg(long, default_value_t = 20, value_name = "N")]
    seconds: u64,
    /// Nodes on PostgreSQL that are measured, beside one with its data in a file
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2], value_name = "N")]
    nodes: Vec<usize>,
    /// Nodes whose indexes are on the node of OpenSearch that runs (`cargo xtask nodes up --heap 2g`)
    #[arg(long, value_delimiter = ',', value_name = "N")]
    shared: Vec<usize>,
    /// Folder for plots of the processor time of a search by products, stores and nodes
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Binary that is measured, instead of the release binary that is built first
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// Measures every setup with every size, prints a table and draws the plots.
///
/// # Errors
///
/// When a request fails, PostgreSQL is not installed, or no node of OpenSearch runs where it is needed.
pub fn run(options: &Options) -> Outcome<()> {
    if options.nodes.contains(&0) || options.shared.contains(&0) {
        return Err(Failure::new("--nodes and --shared must be above 0"));
    }
    let binary = named_or_built(options.binary.as_deref())?;
    println!("{HEAD}");
    let on_server = options.nodes.iter().map(|nodes| Setup::Postgres(*nodes));
    let shared = options.shared.iter().map(|nodes| Setup::OpenSearch(*nodes));
    let setups: Vec<Setup> = [Setup::File]
        .into_iter()
        .chain(on_server)
        .chain(shared)
        .collect();
    let mut all: Vec<Measured> = Vec::new();
    for size in &options.sizes {
        for setup in &setups {
            let measured = measure(*setup, *size, &binary, options.seconds)?;
            println!("{}", measured.row());
            all.push(measured);
        }
    }
    match &options.plots {
        Some(folder) => plot::draw(folder, &all),
        None => Ok(()),
    }
}
