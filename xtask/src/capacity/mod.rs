//! `capacity`: what one machine does with its data in a file, and with one and two nodes on PostgreSQL: documents and
//! searches a second, processor time of each, memory. The table of `docs/scale.md`.

mod setup;
mod work;

use crate::failure::{Failure, Outcome};
use crate::load::record::{Record, Records};
use crate::process::{Server, build};
use setup::{Running, Setup, Span};
use std::path::{Path, PathBuf};
use std::time::Duration;
use work::Catalogue;

const MIB: u64 = 1024 * 1024;

/// Options of `capacity`.
#[derive(clap::Args)]
pub struct Options {
    /// Stores
    #[arg(long, default_value_t = 20, value_name = "N")]
    stores: usize,
    /// Products of each
    #[arg(long, default_value_t = 5_000, value_name = "N")]
    products: usize,
    /// Seconds for which is searched
    #[arg(long, default_value_t = 20, value_name = "N")]
    seconds: u64,
    /// Nodes on PostgreSQL that are measured, beside one with its data in a file
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2], value_name = "N")]
    nodes: Vec<usize>,
    /// Binary that is measured, instead of the release binary that is built first
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// Measures every setup and prints a table.
///
/// # Errors
///
/// When a request fails, or PostgreSQL is not installed.
pub fn run(options: &Options) -> Outcome<()> {
    if options.stores == 0 || options.products == 0 || options.nodes.contains(&0) {
        return Err(Failure::new(
            "--stores, --products and --nodes must be above 0",
        ));
    }
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build(&[])?,
    };
    println!("{} stores of {} products", options.stores, options.products);
    println!(
        "| setup | products a second | searchable after | processor, nodes + database, a product | searches a second | 50th, 95th | processor, nodes + database, a search | memory of each node |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let on_server = options.nodes.iter().map(|nodes| Setup::Postgres(*nodes));
    for setup in [Setup::File].into_iter().chain(on_server) {
        println!("{}", measure(setup, &binary, options)?);
    }
    Ok(())
}

fn measure(setup: Setup, binary: &Path, options: &Options) -> Outcome<String> {
    let running = Running::start(setup, binary)?;
    let catalogues = (0..options.stores)
        .map(|number| Catalogue::create(&running, number, options.products))
        .collect::<Outcome<Vec<_>>>()?;
    let span = Span::begin(&running);
    work::feed(&running, &catalogues)?;
    let [acknowledged, ..] = span.seconds(&running);
    for catalogue in &catalogues {
        catalogue.wait_until_found(&running)?;
    }
    let [found, nodes_fed, database_fed] = span.seconds(&running);
    // The first searches fill caches that all others use.
    work::search(
        &running,
        &catalogues,
        Duration::from_secs(options.seconds / 4),
    );
    let span = Span::begin(&running);
    let records = work::search(&running, &catalogues, Duration::from_secs(options.seconds));
    let [searched, nodes, database] = span.seconds(&running);
    let record = only(&records)?;
    let products = (options.stores * options.products) as f64;
    let searches = record.succeeded() as f64;
    let memory: Vec<String> = running.nodes.iter().map(resident).collect();
    let ms = |percent: usize| record.percentile(percent).unwrap_or_default().as_secs_f64() * 1e3;
    Ok(format!(
        "| {} | {:.0} | {:.1} s | {:.0} + {:.0} µs | {:.0} | {:.1}, {:.1} ms | {:.0} + {:.0} µs | {} MiB |",
        setup.name(),
        products / acknowledged,
        found,
        nodes_fed / products * 1e6,
        database_fed / products * 1e6,
        searches / searched,
        ms(50),
        ms(95),
        nodes / searches * 1e6,
        database / searches * 1e6,
        memory.join(", ")
    ))
}

/// Returns the searches, if all were served.
fn only(records: &Records) -> Outcome<&Record> {
    let failures = records.failures();
    if !failures.is_empty() {
        return Err(Failure::new(failures.join("\n")));
    }
    let mut all = records.iter();
    let (_, record) = all.next().ok_or_else(|| Failure::new("no search"))?;
    if let Some((status, count)) = record.failed().next() {
        return Err(Failure::new(format!(
            "{count} searches failed with {status}"
        )));
    }
    Ok(record)
}

fn resident(node: &Server) -> String {
    let bytes = node.resident_memory();
    bytes.map_or_else(|| "?".to_owned(), |bytes| (bytes / MIB).to_string())
}
