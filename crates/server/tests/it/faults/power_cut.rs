//! 1. When an answer leaves, everything that it acknowledges was flushed to the disk.
//! 2. What was acknowledged survives a power cut at any moment, when the disk loses all that was not flushed, or keeps
//!    any part of it; what was not acknowledged is there as a whole or not at all.
//! 3. After it an index is never broken and never ahead of storage: shoppers find exactly what storage holds.

use super::data::Store;
use super::disk::Disk;
use super::expected::{Outcome, done};
use super::feeder::Feeder;
use super::owner::Owner;
use super::random::Random;
use super::runner::Runner;
use super::trace::Trace;
use crate::harness::{Binary, command};
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// Rounds of writes in the story.
const ROUNDS: usize = 6;
/// Cuts that are tried, beside one after each answer.
const CUTS: usize = 60;

/// What was acknowledged at one moment.
#[derive(Clone)]
struct World {
    feeder: Feeder,
    runner: Runner,
    owner: Owner,
}

/// A server's life, written down: the store, what its files went through, and what was acknowledged with each answer.
struct Story {
    store: Store,
    trace: Trace,
    /// What was acknowledged from each answer on, by the number of records up to it.
    chapters: Vec<(usize, World)>,
    /// How often an index was left that holds something.
    indexes_left: AtomicUsize,
}

#[test]
fn what_was_acknowledged_was_flushed_and_survives_a_power_cut() {
    let story = Story::tell();
    let answers = story.trace.answers();
    // Rows of removed documents follow in portions, so the log of the database may be in the midst of one when an answer
    // leaves. Nobody was told of that one, and the cuts below, after each answer, lose it.
    let mut in_a_portion = 0;
    for (at, count) in answers.iter().enumerate() {
        let truth = |name: &str| {
            !name.starts_with("/indexes/") && !name.ends_with("-shm") && name != "/findwell.lock"
        };
        let mut unflushed = story.trace.unflushed(*count, truth);
        in_a_portion += usize::from(unflushed == ["/findwell.db-wal"]);
        unflushed.retain(|name| name != "/findwell.db-wal");
        assert_eq!(unflushed, [""; 0], "when answer {at} left");
    }
    assert!(in_a_portion * 10 < answers.len(), "{in_a_portion} answers");
    let mut random = Random::new(11);
    let start = story.chapters[0].0;
    let by_chance = (0..CUTS).map(|_| (start + random.below(story.trace.len() - start), false));
    let after_answers = answers.iter().filter(|count| **count >= start);
    let cuts: Vec<(usize, bool)> = by_chance
        .chain(after_answers.map(|count| (*count, true)))
        .collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((count, all_is_lost)) = cuts.get(next.fetch_add(1, Ordering::SeqCst))
                {
                    story.cut_after(*count, *all_is_lost);
                }
            });
        }
    });
    let left = story.indexes_left.into_inner();
    assert!(
        left * 2 > cuts.len(),
        "{left} of {} indexes were left",
        cuts.len()
    );
}

impl Story {
    fn tell() -> Self {
        let disk = Disk::new();
        let server = disk.serve_traced();
        let client = &server.client;
        // The commands go through the server, so that its trace holds everything.
        let store = Store::create(disk.path());
        store.make_indices(client);
        let mut world = World {
            feeder: Feeder::new(Random::new(1)),
            runner: Runner::new(Random::new(2)),
            owner: Owner::new(Random::new(3)),
        };
        let mut chapters = vec![(disk.traced(), world.clone())];
        let mut tell = |write: &dyn Fn(&mut World) -> Outcome| {
            done(|| write(&mut world));
            chapters.push((disk.traced(), world.clone()));
        };
        for _ in 0..ROUNDS {
            tell(&|world| world.feeder.send(&store, client));
            tell(&|world| world.owner.tune(&store, client));
            tell(&|world| world.runner.open(&store, client));
            tell(&|world| world.runner.send(&store, client));
            tell(&|world| world.runner.touch(&store, client));
            tell(&|world| world.owner.make_key(&store, disk.path()));
            tell(&|world| world.feeder.delete(&store, client));
            tell(&|world| world.runner.close(&store, client));
            tell(&|world| world.feeder.reprice(&store, client));
            tell(&|world| world.owner.rename(&store, client));
        }
        tell(&|world| world.feeder.clear(&store, client));
        tell(&|world| world.feeder.send(&store, client));
        world.feeder.settle(&store, client);
        // Stopping brings the log of the database home, which is a moment of its own.
        assert_eq!(server.terminate(), 0);
        let trace = Trace::read(&disk.trace(), disk.path());
        told_in_full(&trace, disk.path());
        let answers = trace.answers();
        let chapters = chapters.into_iter().map(|(bytes, world)| {
            let told = trace.records_in(bytes);
            let answer = answers.iter().rfind(|at| **at <= told);
            (*answer.expect("an answer was traced"), world)
        });
        let chapters = chapters.collect();
        Self {
            store,
            trace,
            chapters,
            indexes_left: AtomicUsize::new(0),
        }
    }

    /// What may be found when the power fails after `count` records.
    fn acknowledged(&self, count: usize) -> World {
        let at = self.chapters.iter().rposition(|(told, _)| *told <= count);
        let at = at.expect("the store was made");
        let mut world = self.chapters[at].1.clone();
        if let Some((_, next)) = self.chapters.get(at + 1) {
            world.feeder.perhaps(&next.feeder);
            world.runner.perhaps(&next.runner);
            world.owner.perhaps(&next.owner);
        }
        world
    }

    /// Lets the power fail after `count` records; what was not flushed is lost, all of it or by chance.
    fn cut_after(&self, count: usize, all_is_lost: bool) {
        let dir = TempDir::new().expect("a directory");
        let mut random = Random::new(count as u64);
        let survives = || !all_is_lost && random.once_in(2);
        self.trace.restore(count, dir.path(), survives);
        let meta = std::fs::read_to_string(dir.path().join("indexes/1/1/meta.json"));
        if meta.is_ok_and(|meta| meta.contains("segment_id")) {
            self.indexes_left.fetch_add(1, Ordering::SeqCst);
        }
        // Shown only when the comparison fails.
        eprintln!("the power fails after {count} records; all is lost: {all_is_lost}");
        let mut serve = command(dir.path(), &["serve", "--listen", "127.0.0.1:0"]);
        serve.stdout(Stdio::piped()).stderr(Stdio::null());
        let server = Binary::of(serve.spawn().expect("the binary runs"));
        let mut world = self.acknowledged(count);
        world.feeder.settle(&self.store, &server.client);
        world.runner.settle(&self.store, &server.client);
        world.owner.settle(&self.store, &server.client, dir.path());
        done(|| world.feeder.send(&self.store, &server.client));
        world.feeder.settle(&self.store, &server.client);
    }
}

/// The device itself: when everything survives, the files are those that the server left. The lists of an index are
/// passed over, because the library that moves them into place asks the system without the C library.
fn told_in_full(trace: &Trace, root: &Path) {
    let rebuilt = TempDir::new().expect("a directory");
    trace.restore(trace.len(), rebuilt.path(), || true);
    let mut compared = 0;
    for dir in ["", "indexes/1/1", "indexes/2/1"] {
        for entry in std::fs::read_dir(root.join(dir)).expect("a directory") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root).expect("below the root");
            let passed_over = [".json", "-shm", ".sock"];
            let passed_over = passed_over
                .iter()
                .any(|end| name.to_string_lossy().ends_with(end));
            if path.is_file() && !passed_over {
                let copy = std::fs::read(rebuilt.path().join(name)).unwrap_or_default();
                assert!(
                    std::fs::read(&path).expect("a file") == copy,
                    "{}",
                    name.display()
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared} files were compared");
}
