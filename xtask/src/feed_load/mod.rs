//! `feed-load`: feeds a catalogue of 818,763 products over HTTP beside searches, feeds it again unchanged by touches,
//! and feeds ten stores at once; measures speed, memory, searches, and the time until changes are searchable.

mod busy;
pub mod catalogue;
mod meanwhile;
pub mod store;
mod verdict;

use crate::failure::{Failure, Outcome};
use crate::process::{Server, UNLIMITED};
use crate::stopwatch::{pause, poll};
use catalogue::Catalogue;
use meanwhile::{Measured, Probes};
use std::path::PathBuf;
use std::time::Duration;
use store::Store;
use verdict::Results;

/// Options of `feed-load`.
#[derive(clap::Args)]
pub struct Options {
    /// Folder of test data, with `openfoodfacts-2019/products-all.ndjson.gz` in it.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Products that are fed at most, for a short run.
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    products: usize,
    /// Binary that is measured, instead of the release binary that is built first.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// Connections of the connector.
const CONNECTIONS: usize = 4;
/// Stores that feed at once, and products of each at most.
const STORES: usize = 10;
const PRODUCTS_EACH: usize = 10_000;
/// Time for which searches are measured beside other work, and left to the server to merge its index.
const REFERENCE: Duration = Duration::from_secs(60);
/// Longest time until everything that was sent is found.
const FOUND_MAX: Duration = Duration::from_secs(600);

/// Measures the feed and prints the results; without data it prints SKIPPED and succeeds.
///
/// # Errors
///
/// When a request fails, or a bound is missed.
pub fn run(options: &Options) -> Outcome<()> {
    let Some(data) = options.data.as_deref() else {
        println!("SKIPPED: no --data DIR was given");
        return Ok(());
    };
    let Some(catalogue) = Catalogue::read(data, options.products)? else {
        println!("SKIPPED: {} has no openfoodfacts-2019", data.display());
        return Ok(());
    };
    let server = match &options.binary {
        Some(binary) => Server::start_binary(binary.clone(), &UNLIMITED)?,
        None => Server::start()?,
    };
    let store = Store::create(&server, "large")?;
    println!(
        "{} products over {CONNECTIONS} connections",
        catalogue.len()
    );
    let bench = Bench {
        server,
        store,
        catalogue,
    };
    let first = bench.feed()?;
    println!("{}", first.line("fed", bench.catalogue.len()));
    pause(REFERENCE);
    let reference = bench.reference();
    println!("{}", reference.line("searched beside busy cores", 0));
    let unchanged = bench.touch()?;
    println!("{}", unchanged.line("touched", bench.catalogue.len()));
    let stores = bench.feed_stores()?;
    let each = PRODUCTS_EACH.min(bench.catalogue.len());
    println!("{}", stores.line("fed to ten stores", each * STORES));
    println!("requests rejected for lag: {}", bench.store.rejected());
    Results {
        first,
        reference,
        unchanged,
        stores,
    }
    .verdict()
}

/// The server, the store and what is fed to it.
struct Bench {
    server: Server,
    store: Store,
    catalogue: Catalogue,
}

impl Bench {
    fn probes<'a>(&'a self, changed: &'a [&'a Store]) -> Probes<'a> {
        Probes {
            server: &self.server,
            searched: &self.store,
            queries: &self.catalogue.queries,
            changed,
        }
    }

    /// Feeds the whole catalogue in one run.
    fn feed(&self) -> Outcome<Measured> {
        let run = self.store.open_run("first")?;
        let blocks = self.catalogue.blocks(usize::MAX, Some(&run));
        let changed = [&self.store];
        let (fed, measured) = self.probes(&changed).during(|| {
            self.store
                .feed_all("/products/bulk", &blocks, CONNECTIONS)?;
            self.wait_until_found()
        });
        fed?;
        // The product that changes meanwhile is not of this run, but newer than it.
        self.store.close_run(&run, self.catalogue.len(), 0, 0)?;
        Ok(measured)
    }

    fn wait_until_found(&self) -> Outcome<()> {
        let sender = self.store.sender();
        let wanted = self.catalogue.len() as u64;
        let found = poll(FOUND_MAX, || match self.store.total(&sender) {
            Ok(total) => (total >= wanted).then_some(Ok(())),
            Err(failure) => Some(Err(failure)),
        });
        found.unwrap_or_else(|| Err(Failure::new("not all products were found in time")))
    }

    /// Searches while other threads keep all cores busy.
    fn reference(&self) -> Measured {
        self.probes(&[])
            .during(|| busy::keep_cores_busy(REFERENCE))
            .1
    }

    /// Touches the whole catalogue in another run.
    fn touch(&self) -> Outcome<Measured> {
        let run = self.store.open_run("second")?;
        let touches = self.catalogue.touches(&run);
        let (touched, measured) = self
            .probes(&[])
            .during(|| self.store.feed_all("/touch", &touches, CONNECTIONS));
        touched?;
        // That product is all that is left over from the first run.
        self.store.close_run(&run, 0, self.catalogue.len(), 1)?;
        Ok(measured)
    }

    /// Feeds several stores at once, over one connection each.
    fn feed_stores(&self) -> Outcome<Measured> {
        let stores = (0..STORES)
            .map(|at| Store::create(&self.server, &format!("store {at}")))
            .collect::<Outcome<Vec<_>>>()?;
        let blocks = self.catalogue.blocks(PRODUCTS_EACH, None);
        let changed: Vec<&Store> = stores.iter().collect();
        let (fed, measured) = self.probes(&changed).during(|| {
            std::thread::scope(|scope| {
                let feeding: Vec<_> = stores
                    .iter()
                    .map(|store| scope.spawn(|| store.feed_all("/products/bulk", &blocks, 1)))
                    .collect();
                let joined = feeding.into_iter().map(|thread| {
                    let panicked = |_| Err(Failure::new("a feed panicked"));
                    thread.join().unwrap_or_else(panicked)
                });
                joined
                    .collect::<Vec<Outcome<()>>>()
                    .into_iter()
                    .collect::<Outcome<()>>()
            })
        });
        fed?;
        Ok(measured)
    }
}
