//! 1. What a response acknowledged survives `kill -9` at any moment of feeding, of a run and its close, and of writes
//!    of the configuration (ranking, synonyms, the store's name) and of keys; what was not acknowledged is there
//!    completely or not at all.
//! 2. After the restart shoppers find exactly what storage holds.

use super::data::Store;
use super::disk::Disk;
use super::expected::{Outcome, must_succeed};
use super::feeder::Feeder;
use super::owner::Owner;
use super::random::Random;
use super::runner::Runner;
use crate::harness::{Binary, eventually};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Data directories that are tried concurrently, and kills in each.
const DIRECTORIES: u64 = 8;
const KILLS: u64 = 25;
/// Responses, or steps of the disk, after which the server is killed at the latest.
const RESPONSES: usize = 24;
const STEPS: usize = 400;
/// Steps of the disk after which a stopping server is killed at the latest.
const STOPPING_STEPS: usize = 100;

#[test]
fn two_hundred_kills_lose_nothing_that_was_acknowledged() {
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
        // Every start continues where the last one was killed, and so has fewer steps to do.
        assert!(step < 500, "a start has an end");
    }
    assert!(step > 3, "a start has steps");
    let store = Store::create(disk.path());
    let server = disk.serve();
    store.create_indexes(&server.client);
    let mut feeder = Feeder::new(Random::new(9));
    must_succeed(|| feeder.send(&store, &server.client));
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
    store.create_indexes(&server.client);
    server.kill();
    let mut responses = 0;
    for _ in 0..KILLS {
        if random.once_in(4) {
            // Starting again writes too: it may be interrupted as well.
            disk.kill_after(random.below(40) as u64);
            drop(disk.try_serve());
            disk.spare();
        }
        let server = disk.serve();
        world.settle(&store, &server, &disk);
        responses += world.write_until_killed(&store, server, &disk, &mut random);
        disk.spare();
    }
    let server = disk.serve();
    world.settle(&store, &server, &disk);
    assert!(responses as u64 > KILLS * 3, "only {responses} responses");
}

/// All writers, each with a part of the store that no other one writes.
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

    /// Lets all writers write until the server is dead; returns the number of responses.
    fn write_until_killed(
        &mut self,
        store: &Store,
        mut server: Binary,
        disk: &Disk,
        random: &mut Random,
    ) -> usize {
        let client = server.client.clone();
        let (responses, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let while_it_lives = |act: &mut dyn FnMut() -> Outcome| {
            while act() == Outcome::Done {
                responses.fetch_add(1, Ordering::SeqCst);
            }
            ended.fetch_add(1, Ordering::SeqCst);
        };
        // Some kills come from outside, others in the middle of a step of the disk, or while the server stops.
        let kind = random.below(4);
        let by_step = kind < 2;
        if by_step {
            disk.kill_after(random.below(STEPS) as u64);
        }
        let count = random.below(RESPONSES);
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
                let due = !by_step && responses.load(Ordering::SeqCst) >= count;
                due || server.has_ended() || ended.load(Ordering::SeqCst) == 3
            });
            if kind == 2 && !server.has_ended() {
                disk.kill_after(random.below(STOPPING_STEPS) as u64);
                server.stop();
            }
            server.kill();
        });
        responses.into_inner()
    }
}
