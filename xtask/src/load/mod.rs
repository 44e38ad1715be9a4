//! `load`: many shops with shoppers, feeds and configuration writes, beside a tenant and visitors who attack; measures
//! the responses to each, and whether memory grows.

mod configurations;
mod feeds;
mod hostile_tenant;
mod hostile_visitor;
mod memory;
pub mod pace;
pub mod record;
mod report;
pub mod sender;
mod shop;
mod shoppers;

use crate::capacity::setup::{Running, Setup, Span};
use crate::failure::{Failure, Outcome};
use crate::process::{Server, named_or_built};
use crate::stopwatch::Stopwatch;
use memory::Memory;
use pace::Pace;
use record::Records;
use sender::Sender;
use shop::Shop;
use std::path::PathBuf;
use std::time::Duration;

/// Options of `load`.
#[derive(clap::Args)]
pub struct Options {
    /// Minutes for which requests are sent, once the catalogues are there
    #[arg(long, default_value_t = 5, value_name = "N")]
    minutes: u64,
    /// Shops with a small catalogue each
    #[arg(long, default_value_t = 200, value_name = "N")]
    shops: usize,
    /// Searches a second of all shoppers together; suggestions are half as many, feeds and attacks a tenth
    #[arg(long, default_value_t = 30.0, value_name = "N")]
    rate: f64,
    /// Nodes on PostgreSQL, instead of one with its data in a file
    #[arg(long, value_name = "N")]
    nodes: Option<usize>,
    /// With --nodes: their indexes are on the node of OpenSearch that runs
    #[arg(long, requires = "nodes")]
    shared: bool,
    /// Binary that is measured, instead of the release binary that is built first
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Milliseconds that the 95th percentile of searches and blocks must stay under; 0 to disable
    #[arg(long, default_value_t = 250, value_name = "MS")]
    slowest: u64,
}

/// Number of sending threads, by kind.
const SEARCHING: usize = 6;
const SUGGESTING: usize = 3;
const FEEDING: usize = 4;
const CONFIGURING: usize = 2;
const ATTACKING: usize = 4;

/// State shared by all threads.
struct World {
    /// Those of all nodes.
    addresses: Vec<String>,
    shops: Vec<Shop>,
    hostile: Shop,
    clock: Stopwatch,
    until: Duration,
    rate: f64,
}

impl World {
    /// The send times of the worker `at` of `of`; all of them together send `rate` requests a second.
    fn pace(&self, rate: f64, at: usize, of: usize) -> Pace<'_> {
        Pace::new(&self.clock, self.until, rate, (at, of))
    }

    /// The client of the worker `at`, which stays with its node.
    fn sender(&self, at: usize) -> Sender {
        Sender::new(&self.addresses[at % self.addresses.len()])
    }
}

/// A kind of worker: how many there are, and what one of them does until the load is over.
type Kind = (usize, fn(&World, usize) -> Records);

const KINDS: [Kind; 6] = [
    (SEARCHING, |world, at| {
        shoppers::search(world, at, SEARCHING)
    }),
    (SUGGESTING, |world, at| {
        shoppers::suggest(world, at, SUGGESTING)
    }),
    (FEEDING, |world, at| feeds::feed(world, at, FEEDING)),
    (CONFIGURING, |world, at| {
        configurations::save(world, at, CONFIGURING)
    }),
    (ATTACKING, |world, at| {
        hostile_tenant::attack(world, at, ATTACKING)
    }),
    (ATTACKING, |world, at| {
        hostile_visitor::attack(world, at, ATTACKING)
    }),
];

/// Runs the load and prints the results.
///
/// # Errors
///
/// When the server cannot be started or filled, when memory grows, when any response is 500, or when the responses to
/// the shops are too slow.
pub fn run(options: &Options) -> Outcome<()> {
    if options.minutes == 0 || options.shops == 0 || options.rate <= 0.0 {
        return Err(Failure::new(
            "--minutes, --shops and --rate must be above 0",
        ));
    }
    let setup = match (options.nodes, options.shared) {
        (None, _) => Setup::File,
        (Some(0), _) => return Err(Failure::new("--nodes must be above 0")),
        (Some(nodes), false) => Setup::Postgres(nodes),
        (Some(nodes), true) => Setup::OpenSearch(nodes),
    };
    let binary = named_or_built(options.binary.as_deref())?;
    let running = Running::start(setup, &binary, &[])?;
    let world = fill(&running, options)?;
    let span = Span::begin(&running);
    let (records, memory) = serve(&running.nodes[0], &world);
    let [nodes, database, cluster] = span.used(&running).processors;
    println!(
        "{}: processors were busy for {nodes:.0} s (nodes) + {database:.0} s (database) + {cluster:.0} s (cluster)",
        setup.name()
    );
    report::print(&records, &memory, world.until);
    verdict(&records, &memory, options)
}

fn fill(running: &Running, options: &Options) -> Outcome<World> {
    let server = &running.nodes[0];
    let watch = Stopwatch::start();
    let shops = (0..options.shops)
        .map(|number| Shop::create(server, number))
        .collect::<Outcome<Vec<_>>>()?;
    let hostile = Shop::create(server, options.shops)?;
    shops.iter().try_for_each(Shop::wait_until_found)?;
    let seconds = watch.elapsed().as_secs_f64();
    println!("{} shops are open after {seconds:.1} s", shops.len());
    Ok(World {
        addresses: running
            .nodes
            .iter()
            .map(|node| node.address().to_owned())
            .collect(),
        shops,
        hostile,
        clock: Stopwatch::start(),
        until: Duration::from_secs(options.minutes * 60),
        rate: options.rate,
    })
}

fn serve(server: &Server, world: &World) -> (Records, Memory) {
    std::thread::scope(|scope| {
        let workers: Vec<_> = KINDS
            .iter()
            .flat_map(|(count, work)| (0..*count).map(move |at| (at, work)))
            .map(|(at, work)| scope.spawn(move || work(world, at)))
            .collect();
        let memory = Memory::watch(server, &world.clock, world.until);
        let mut all = Records::default();
        for worker in workers {
            // A worker that panicked has printed why; its missing measurements are reported.
            match worker.join() {
                Ok(records) => all.merge(records),
                Err(_) => all.lose_a_worker(),
            }
        }
        (all, memory)
    })
}

fn verdict(records: &Records, memory: &Memory, options: &Options) -> Outcome<()> {
    let mut wrong = records.failures();
    wrong.extend(memory.growth_failure());
    if options.slowest > 0 {
        wrong.extend(records.slower_than(Duration::from_millis(options.slowest)));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Failure::new(wrong.join("\n")))
}
