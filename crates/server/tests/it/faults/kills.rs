//! 1. What an answer acknowledged survives `kill -9` at any moment of feeding, of a run and its close, and of writes of
//!    the configuration and of keys; what was not acknowledged is there as a whole or not at all.
//! 2. After the restart shoppers find exactly what storage holds.

use super::data::Store;
use super::disk::Disk;
use super::expected::{Outcome, done};
use super::feeder::Feeder;
use super::owner::Owner;
use super::random::Random;
use super::runner::Runner;
use crate::harness::{Binary, eventually};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Data directories that are tried at the same time, and kills in each.
const DIRECTORIES: u64 = 5;
const KILLS: u64 = 20;
/// Answers, or steps of the disk, after which the server is killed at the latest.
const ANSWERS: usize = 24;
const STEPS: usize = 400;
/// The same for a server that was told to stop.
const STOPPING_STEPS: usize = 100;

#[test]
fn a_hundred_kills_lose_nothing_that_was_acknowledged() {
    std::thread::scope(|scope| {
        for seed in 0..DIRECTORIES {
            scope.spawn(move || {
                let result = std::panic::catch_unwind(|| kill_again_and_again(seed));
                if let Err(panic) = result {
                    eprintln!("the seed was {seed}");
                    std::panic::resume_unwind(panic);
                }
            });
        }
    });
}

#[test]
fn a_first_start_may_be_killed_at_any_step() {
    let disk = Disk::new();
    let mut step = 0;
    loop {
        disk.kill_after(step);
        let server = disk.try_serve();
        let alive = server.is_some();
        drop(server);
        disk.spare();
        if alive {
            break;
        }
        step += 1;
        // Every start goes on where the last one was killed, and so has fewer steps to do.
        assert!(step < 500, "a start has an end");
    }
    assert!(step > 3, "a start has steps");
    let store = Store::create(disk.path());
    let server = disk.serve();
    store.make_indices(&server.client);
    let mut feeder = Feeder::new(Random::new(9));
    done(|| feeder.send(&store, &server.client));
    feeder.settle(&store, &server.client);
}

fn kill_again_and_again(seed: u64) {
    let disk = Disk::new();
    let store = Store::create(disk.path());
    let mut random = Random::new(seed);
    let mut world = World {
        feeder: Feeder::new(Random::new(seed + 1_000)),
        runner: Runner::new(Random::new(seed + 2_000)),
        owner: Owner::new(Random::new(seed + 3_000)),
    };
    let server = disk.serve();
    store.make_indices(&server.client);
    server.kill();
    let mut answers = 0;
    for _ in 0..KILLS {
        if random.once_in(4) {
            // Starting again writes too: it may be cut off as well.
            disk.kill_after(random.below(40) as u64);
            drop(disk.try_serve());
            disk.spare();
        }
        let server = disk.serve();
        world.settle(&store, &server, &disk);
        answers += world.live(&store, server, &disk, &mut random);
        disk.spare();
    }
    let server = disk.serve();
    world.settle(&store, &server, &disk);
    assert!(answers as u64 > KILLS * 3, "only {answers} answers");
}

/// Everybody who writes, each into a part of the store that nobody else writes.
struct World {
    feeder: Feeder,
    runner: Runner,
    owner: Owner,
}

impl World {
    fn settle(&mut self, store: &Store, server: &Binary, disk: &Disk) {
        self.feeder.settle(store, &server.client);
        self.runner.settle(store, &server.client);
        self.owner.settle(store, &server.client, disk.path());
    }

    /// Lets everybody write until the server is dead; tells how many answers came.
    fn live(
        &mut self,
        store: &Store,
        mut server: Binary,
        disk: &Disk,
        random: &mut Random,
    ) -> usize {
        let client = server.client.clone();
        let (answers, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let while_it_lives = |act: &mut dyn FnMut() -> Outcome| {
            while act() == Outcome::Done {
                answers.fetch_add(1, Ordering::SeqCst);
            }
            ended.fetch_add(1, Ordering::SeqCst);
        };
        // Some kills come from outside, others in the midst of a step of the disk, or while the server stops.
        let way = random.below(4);
        let by_step = way < 2;
        if by_step {
            disk.kill_after(random.below(STEPS) as u64);
        }
        let count = random.below(ANSWERS);
        let Self {
            feeder,
            runner,
            owner,
        } = self;
        std::thread::scope(|scope| {
            scope.spawn(|| while_it_lives(&mut || feeder.act(store, &client)));
            scope.spawn(|| while_it_lives(&mut || runner.act(store, &client)));
            scope.spawn(|| while_it_lives(&mut || owner.act(store, &client, disk.path())));
            eventually("the server is to die", || {
                let enough = !by_step && answers.load(Ordering::SeqCst) >= count;
                enough || server.has_ended() || ended.load(Ordering::SeqCst) == 3
            });
            if way == 2 && !server.has_ended() {
                disk.kill_after(random.below(STOPPING_STEPS) as u64);
                server.stop();
            }
            server.kill();
        });
        answers.into_inner()
    }
}
