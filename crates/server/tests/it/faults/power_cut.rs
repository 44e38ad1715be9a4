//! 1. When a response is sent, everything that it acknowledges was flushed to the disk.
//! 2. What was acknowledged survives a power cut at any moment, when the disk loses everything that was not flushed, or
//!    keeps any part of it; what was not acknowledged is there completely or not at all.
//! 3. After it an index is never broken and never ahead of storage: shoppers find exactly what storage holds.

use super::data::Store;
use super::disk::Disk;
use super::expected::{Outcome, must_succeed};
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

/// Rounds of writes in the recording.
const ROUNDS: usize = 6;
/// Cuts that are tried, besides one after each response.
const CUTS: usize = 60;

/// What was acknowledged at one moment.
#[derive(Clone)]
struct World {
    feeder: Feeder,
    runner: Runner,
    owner: Owner,
}

/// A recorded run of a server: the store, the trace of its files, and what was acknowledged by each response.
struct Recording {
    store: Store,
    trace: Trace,
    /// What was acknowledged from each response on, by the number of records up to it.
    acknowledgements: Vec<(usize, World)>,
    /// How often a nonempty index was left.
    indexes_left: AtomicUsize,
}

#[test]
fn acknowledged_writes_are_flushed_and_survive_a_power_cut() {
    let recording = Recording::record();
    let responses = recording.trace.responses();
    // Rows of deleted documents are removed in batches, so the log of the database may be in the middle of one when a
    // response is sent. No response acknowledged that batch, and the cuts below, after each response, lose it.
    let mut in_a_batch = 0;
    for (at, count) in responses.iter().enumerate() {
        let is_durable = |name: &str| {
            !name.starts_with("/indexes/") && !name.ends_with("-shm") && name != "/findwell.lock"
        };
        let mut unflushed = recording.trace.unflushed(*count, is_durable);
        in_a_batch += usize::from(unflushed == ["/findwell.db-wal"]);
        unflushed.retain(|name| name != "/findwell.db-wal");
        assert_eq!(unflushed, [""; 0], "when response {at} was sent");
    }
    assert!(in_a_batch * 10 < responses.len(), "{in_a_batch} responses");
    let mut random = Random::new(11);
    let start = recording.acknowledgements[0].0;
    let by_chance = (0..CUTS).map(|_| (start + random.below(recording.trace.len() - start), false));
    let after_responses = responses.iter().filter(|count| **count >= start);
    let cuts: Vec<(usize, bool)> = by_chance
        .chain(after_responses.map(|count| (*count, true)))
        .collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((count, all_is_lost)) = cuts.get(next.fetch_add(1, Ordering::SeqCst))
                {
                    recording.cut_after(*count, *all_is_lost);
                }
            });
        }
    });
    let left = recording.indexes_left.into_inner();
    assert!(
        left * 2 > cuts.len(),
        "{left} of {} indexes were left",
        cuts.len()
    );
}

impl Recording {
    fn record() -> Self {
        let disk = Disk::new();
        let server = disk.serve_traced();
        let client = &server.client;
        // The commands go through the server, so that its trace contains everything.
        let store = Store::create(disk.path());
        store.create_indexes(client);
        let mut world = World {
            feeder: Feeder::new(Random::new(1)),
            runner: Runner::new(Random::new(2)),
            owner: Owner::new(Random::new(3)),
        };
        let mut acknowledgements = vec![(disk.traced(), world.clone())];
        let mut record = |write: &dyn Fn(&mut World) -> Outcome| {
            must_succeed(|| write(&mut world));
            acknowledgements.push((disk.traced(), world.clone()));
        };
        for _ in 0..ROUNDS {
            record(&|world| world.feeder.send(&store, client));
            record(&|world| world.owner.tune(&store, client));
            record(&|world| world.runner.open(&store, client));
            record(&|world| world.runner.send(&store, client));
            record(&|world| world.runner.touch(&store, client));
            record(&|world| world.owner.create_key(&store, disk.path()));
            record(&|world| world.feeder.delete(&store, client));
            record(&|world| world.runner.close(&store, client));
            record(&|world| world.feeder.reprice(&store, client));
            record(&|world| world.owner.rename(&store, client));
        }
        record(&|world| world.feeder.clear(&store, client));
        record(&|world| world.feeder.send(&store, client));
        world.feeder.settle(&store, client);
        // Stopping checkpoints the log of the database, which is a moment of its own.
        assert_eq!(server.terminate(), 0);
        let trace = Trace::read(&disk.trace(), disk.path());
        assert_trace_is_complete(&trace, disk.path());
        let responses = trace.responses();
        let acknowledgements = acknowledgements.into_iter().map(|(bytes, world)| {
            let records = trace.records_in(bytes);
            let response = responses.iter().rfind(|at| **at <= records);
            (*response.expect("a response was traced"), world)
        });
        let acknowledgements = acknowledgements.collect();
        Self {
            store,
            trace,
            acknowledgements,
            indexes_left: AtomicUsize::new(0),
        }
    }

    /// The state that may be found if the power fails after `count` records.
    fn acknowledged(&self, count: usize) -> World {
        let at = self
            .acknowledgements
            .iter()
            .rposition(|(records, _)| *records <= count);
        let at = at.expect("the store was created");
        let mut world = self.acknowledgements[at].1.clone();
        if let Some((_, next)) = self.acknowledgements.get(at + 1) {
            world.feeder.may_become(&next.feeder);
            world.runner.may_become(&next.runner);
            world.owner.may_become(&next.owner);
        }
        world
    }

    /// Cuts the power after `count` records; what was not flushed is lost, all of it or at random.
    fn cut_after(&self, count: usize, all_is_lost: bool) {
        let dir = TempDir::new().expect("a directory");
        let mut random = Random::new(count as u64);
        let survives = || !all_is_lost && random.once_in(2);
        self.trace.restore(count, dir.path(), survives);
        let meta = std::fs::read_to_string(dir.path().join("indexes/1/1/meta.json"));
        if meta.is_ok_and(|meta| meta.contains("segment_id")) {
            self.indexes_left.fetch_add(1, Ordering::SeqCst);
        }
        // Shown only if the comparison fails.
        eprintln!("the power fails after {count} records; all is lost: {all_is_lost}");
        let mut serve = command(dir.path(), &["serve", "--listen", "127.0.0.1:0"]);
        serve.stdout(Stdio::piped()).stderr(Stdio::null());
        let server = Binary::of(serve.spawn().expect("the binary runs"));
        let mut world = self.acknowledged(count);
        world.feeder.settle(&self.store, &server.client);
        world.runner.settle(&self.store, &server.client);
        world.owner.settle(&self.store, &server.client, dir.path());
        must_succeed(|| world.feeder.send(&self.store, &server.client));
        world.feeder.settle(&self.store, &server.client);
    }
}

/// Checks the trace itself: if everything survives, the files are those that the server left. The lists of an index are
/// skipped, because the library that moves them into place calls the system without the C library.
fn assert_trace_is_complete(trace: &Trace, root: &Path) {
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
