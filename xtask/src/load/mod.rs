//! `load`: many shops with shoppers, feeds and configuration writes, and beside them a tenant and visitors who attack;
//! measures what each is served, and whether memory stays.

mod choices;
mod configurations;
mod feeds;
mod hostile_tenant;
mod hostile_visitor;
mod memory;
mod pace;
mod record;
mod report;
mod sender;
mod shop;
mod shoppers;

use crate::failure::{Failure, Outcome};
use crate::process::Server;
use crate::stopwatch::Stopwatch;
use memory::Memory;
use pace::Pace;
use record::Records;
use sender::Sender;
use shop::Shop;
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
    /// Milliseconds that the 95th percentile of searches and blocks may reach; 0 to not judge them
    #[arg(long, default_value_t = 250, value_name = "MS")]
    slowest: u64,
}

/// Threads that send, of each kind.
const SEARCHING: usize = 6;
const SUGGESTING: usize = 3;
const FEEDING: usize = 4;
const CONFIGURING: usize = 2;
const ATTACKING: usize = 4;

/// What all threads know.
struct World {
    address: String,
    shops: Vec<Shop>,
    hostile: Shop,
    clock: Stopwatch,
    until: Duration,
    rate: f64,
}

impl World {
    /// When the worker `at` of `of` sends, where all of them together send `rate` requests a second.
    fn pace(&self, rate: f64, at: usize, of: usize) -> Pace<'_> {
        Pace::new(&self.clock, self.until, rate, (at, of))
    }

    /// A client of the server.
    fn sender(&self) -> Sender {
        Sender::new(&self.address)
    }
}

/// A kind of worker: how many there are, and what one of them does until the time is over.
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

/// Runs the load and prints its figures.
///
/// # Errors
///
/// When the server cannot be started or furnished, when memory grows, when anything is answered by 500, or when the
/// shops are served too slowly.
pub fn run(options: &Options) -> Outcome<()> {
    if options.minutes == 0 || options.shops == 0 || options.rate <= 0.0 {
        return Err(Failure::new("--minutes, --shops and --rate are above 0"));
    }
    let server = Server::start_with(&[])?;
    let world = furnish(&server, options)?;
    let (records, memory) = serve(&server, &world);
    report::print(&records, &memory, world.until);
    verdict(&records, &memory, options)
}

fn furnish(server: &Server, options: &Options) -> Outcome<World> {
    let watch = Stopwatch::start();
    let shops = (0..options.shops)
        .map(|number| Shop::open(server, number))
        .collect::<Outcome<Vec<_>>>()?;
    let hostile = Shop::open(server, options.shops)?;
    shops.iter().try_for_each(Shop::wait_until_found)?;
    let seconds = watch.elapsed().as_secs_f64();
    println!("{} shops are open after {seconds:.1} s", shops.len());
    Ok(World {
        address: server.address().to_owned(),
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
            // A worker that panicked has printed why; what it measured is missing, and that is told.
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
