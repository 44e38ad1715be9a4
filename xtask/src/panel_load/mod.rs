//! `panel-load`: measures what people wait for in the control panel: sliders, drafts and watched queries on a large
//! catalogue, lists of very many records and stores, and what the removal of a store costs others.

mod catalogue;
mod owner;
mod ranking;
mod records;
mod removal;
mod timings;

use crate::failure::{Failure, Outcome};
use crate::feed_load::catalogue::LANGUAGE;
use crate::feed_load::store::Store;
use crate::process::{Server, UNLIMITED, named_or_built};
use crate::stopwatch::{Stopwatch, poll};
use owner::Owner;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;
use timings::Timings;

/// Options of `panel-load`.
#[derive(clap::Args)]
pub struct Options {
    /// Products of the catalogue, at least 10,000
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    products: usize,
    /// Stores of the account, 60 to 17,000
    #[arg(long, default_value_t = 2_000, value_name = "N")]
    stores: usize,
    /// Binary that is measured, instead of the release binary that is built first
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Measure only what the removal of a store costs others; needs a C compiler, and takes ten minutes
    #[arg(long)]
    removal: bool,
}

const PRODUCTS_MIN: usize = 10_000;
const STORES: RangeInclusive<usize> = 60..=17_000;
/// Connections of the connector.
const CONNECTIONS: usize = 4;
/// Longest time until everything that was sent is found.
const FOUND_MAX: Duration = Duration::from_secs(600);

/// Measures and prints the results.
///
/// # Errors
///
/// When a request fails, or a bound is missed.
pub fn run(options: &Options) -> Outcome<()> {
    if options.products < PRODUCTS_MIN || !STORES.contains(&options.stores) {
        return Err(Failure::new("--products or --stores is out of range"));
    }
    let binary = named_or_built(options.binary.as_deref())?;
    if options.removal {
        return removal::run(binary, options.products);
    }
    let server = Server::start_binary(binary, &UNLIMITED)?;
    let store = filled(&server, "large", options.products)?;
    let owner = Owner::create(&server, "load@shop.example")?;
    let mut timings = Timings::new(&server);
    let max_stores = options.stores.to_string();
    let account = owner.account()?;
    server.command(&["account", "set", &account, "--max-stores", &max_stores])?;
    ranking::sliders(&owner, store.id(), &mut timings)?;
    ranking::watched(&owner, store.id(), &mut timings)?;
    records::synonyms(&owner, store.id(), &mut timings)?;
    records::rules(&owner, store.id(), &mut timings)?;
    records::stores(&owner, options.stores, &mut timings)?;
    timings.verdict()
}

/// Creates a store with so many products, and waits until they are found.
fn filled(server: &Server, name: &str, products: usize) -> Outcome<Store> {
    let watch = Stopwatch::start();
    let store = Store::create(server, name)?;
    let blocks = catalogue::blocks(products, LANGUAGE);
    store.feed_all("/products/bulk", &blocks, CONNECTIONS)?;
    let sender = store.sender();
    let all = || {
        let total = store.total(&sender).ok()?;
        (total >= products as u64).then_some(())
    };
    poll(FOUND_MAX, all).ok_or_else(|| Failure::new("not all products are found"))?;
    let seconds = watch.elapsed().as_secs_f64();
    println!("{products} products are found after {seconds:.1} s");
    Ok(store)
}
