//! 1. When the disk is full from any step of any write on, there are two responses: a success that lasts, or an error
//!    in its envelope without a partial effect. Shoppers notice nothing.
//! 2. Once there is space again everything that was acknowledged is found, and new writes succeed, without help and
//!    without a restart; after a restart too.
//! 3. A server that finds a full disk at its start exits with a message, and starts once there is space; one that is stopped
//!    on a full disk ends.

use super::data::Store;
use super::disk::Disk;
use super::expected::{Outcome, must_succeed, outcome};
use super::feeder::Feeder;
use super::owner::{Owner, reindex};
use super::random::Random;
use super::runner::Runner;
use crate::harness::{Binary, command, eventually, outcome as outcome_of};
use serde_json::json;
use std::process::Stdio;
use std::time::Duration;

/// How long a server on a full disk takes to stop at the most.
const STOP_MAX: Duration = Duration::from_secs(30);
/// Shops that divide the steps: the first one tries steps 0, 8, 16 and so on.
const SHOPS: u64 = 8;
/// A run of the tests tries every third step of every write, each run other ones; all with `FINDWELL_STEPS=all`.
const TRIED: u64 = 3;

#[test]
fn a_disk_that_is_full_from_any_step_on_loses_nothing() {
    divided_among_shops(|first| {
        let mut shop = Shop::open(first);
        for write in WRITES {
            shop.check_steps(write, first);
        }
    });
}

#[test]
fn a_server_does_not_start_on_a_full_disk_and_does_afterwards() {
    divided_among_shops(check_start_on_a_full_disk);
}

/// Runs `work` for each shop concurrently, because failing starts and writes take their time.
fn divided_among_shops(work: impl Fn(u64) + Sync) {
    std::thread::scope(|scope| {
        for first in 0..SHOPS {
            let work = &work;
            scope.spawn(move || work(first));
        }
    });
}

/// The steps for the shop whose first one is `first`.
fn steps_from(first: u64) -> impl Iterator<Item = u64> {
    (first..).step_by(usize::try_from(SHOPS).expect("a small number"))
}

/// Those of them that this run tries.
fn tried_from(first: u64) -> Box<dyn Iterator<Item = u64>> {
    if std::env::var_os("FINDWELL_STEPS").is_some_and(|steps| steps == "all") {
        return Box::new(steps_from(first));
    }
    let skipped = (u64::from(std::process::id()) + first) % TRIED;
    let skipped = usize::try_from(skipped).expect("a small number");
    Box::new(
        steps_from(first)
            .skip(skipped)
            .step_by(usize::try_from(TRIED).expect("a small number")),
    )
}

fn check_start_on_a_full_disk(first: u64) {
    let disk = Disk::new();
    for count in steps_from(first) {
        disk.fill_after(count);
        // Whatever it created, the next start continues from there.
        let started = disk.try_serve();
        if count < SHOPS {
            assert!(started.is_none(), "a start needs more than {count} steps");
            // By now the disk is full from the first step on.
            let outcome = outcome_of(disk.command().stderr(Stdio::piped()));
            assert_eq!(outcome.status, 1, "{outcome:?}");
            assert!(outcome.stderr.contains("error: "), "{outcome:?}");
        }
        drop(started);
        if disk.free() == 0 {
            break;
        }
        assert!(count < 500, "a start has an end");
    }
    let store = Store::create(disk.path());
    let server = disk.serve();
    store.create_indexes(&server.client);
    let mut feeder = Feeder::new(Random::new(0));
    must_succeed(|| feeder.send(&store, &server.client));
    feeder.settle(&store, &server.client);
}

#[test]
fn an_import_continues_once_there_is_space() {
    let shop = Shop::open(0);
    let file = shop.disk.path().join("products.ndjson");
    let lines = (0..1_200)
        .map(|id| format!("{{\"id\": \"{id}\", \"name\": \"Bota {id}\", \"priceInclTax\": 1}}\n"));
    std::fs::write(&file, lines.collect::<String>()).expect("written");
    shop.disk.fill_after(60);
    let arguments = [
        "import",
        "--store",
        &shop.store.id,
        "--language",
        "es",
        "--type",
        "products",
    ];
    let file = file.to_str().expect("a path");
    let mut import = command(shop.disk.path(), &[&arguments[..], &[file]].concat());
    std::thread::scope(|scope| {
        let import = scope.spawn(|| outcome_of(&mut import));
        eventually("the disk is full", || shop.disk.failed_steps() > 3);
        shop.disk.free();
        assert_eq!(import.join().expect("it ends").status, 0);
    });
    assert_eq!(
        shop.store.consistent(&shop.server.client, "es").len(),
        1_200
    );
}

#[test]
fn connectors_may_read_while_the_disk_is_full() {
    let shop = Shop::open(2);
    let client = "prestashop/1.4.0; platform=9.1.4; php=8.2.35";
    shop.disk.fill_after(0);
    for path in ["/connect", "/plan"] {
        let call = shop.store.feed(&shop.server.client, "GET", path);
        call.header("X-Svc-Client", client).send().ok();
    }
    assert!(shop.disk.free() > 0, "its header could not be kept");
}

#[test]
fn a_log_that_cannot_be_checkpointed_waits_for_space() {
    let mut shop = Shop::open(3);
    let mut failed = 0;
    // A job may checkpoint the log while the disk has space, between two saves; then it has to grow once more.
    let checkpointed = (0..4).any(|growth| {
        grow_log(&shop, growth);
        saves_until_checkpointed(&mut shop, &mut failed)
    });
    assert!(checkpointed, "the log is never checkpointed");
    assert!(failed > 10, "only {failed} steps failed");
    shop.server = shop.disk.serve_after(&mut shop.server);
    shop.owner
        .settle(&shop.store, &shop.server.client, shop.disk.path());
}

/// Grows the log of the database by two blocks to just below the size at which it is checkpointed.
fn grow_log(shop: &Shop, growth: usize) {
    let filler = "x".repeat(19_000);
    for block in 0..2 {
        let documents: Vec<_> = (0..390)
            .map(|id| json!({"id": format!("{growth}-{block}-{id}"), "name": "Silla", "priceInclTax": 1, "filler": filler}))
            .collect();
        let body = json!({"language": "en", "documents": documents});
        // On a busy machine the index lags behind the first block, and the second one has to wait.
        eventually("a block is accepted", || {
            let call = shop
                .store
                .feed(&shop.server.client, "POST", "/products/bulk");
            let reply = call.json(&body).send();
            reply.status != 503 && reply.ok().data()["accepted"] == 390
        });
    }
}

/// Saves with a disk that is full after more and more steps, until a save checkpoints the log; returns whether one did.
fn saves_until_checkpointed(shop: &mut Shop, failed: &mut u64) -> bool {
    (20..10_000).step_by(60).any(|at| {
        let before = shop.disk.steps();
        shop.disk.fill_after(at);
        shop.owner.tune(&shop.store, &shop.server.client);
        *failed += shop.disk.free();
        shop.owner
            .check(&shop.store, &shop.server.client, shop.disk.path());
        shop.disk.steps() > before + 1_000 && at > 1_000 && shop.disk.failed_steps() == 0
    })
}

#[test]
fn a_server_that_stops_on_a_full_disk_has_lost_nothing() {
    let mut shop = Shop::open(1);
    for count in 0.. {
        for write in &WRITES[..3] {
            must_succeed(|| write.1(&mut shop));
        }
        shop.check();
        // What is left to do is to checkpoint the log of the database.
        shop.disk.fill_after(count * 5);
        shop.server.stop_within(STOP_MAX);
        let failed = shop.disk.free();
        shop.restart();
        if failed == 0 {
            break;
        }
        assert!(count < 100, "a stop has an end");
    }
}

/// A write in a shop.
type Write = fn(&mut Shop) -> Outcome;

/// The writes that are tried, each with a description.
const WRITES: &[(&str, Write)] = &[
    ("a block", |shop| {
        shop.feeder.send(&shop.store, &shop.server.client)
    }),
    ("a block of prices", |shop| {
        shop.feeder.reprice(&shop.store, &shop.server.client)
    }),
    ("a deletion", |shop| {
        shop.feeder.delete(&shop.store, &shop.server.client)
    }),
    ("a new run", |shop| {
        shop.runner.open(&shop.store, &shop.server.client)
    }),
    ("a block in a run", |shop| {
        shop.runner.send(&shop.store, &shop.server.client)
    }),
    ("a touch", |shop| {
        shop.runner.touch(&shop.store, &shop.server.client)
    }),
    ("a close", |shop| {
        shop.runner.close(&shop.store, &shop.server.client)
    }),
    ("relevance", |shop| {
        shop.owner.tune(&shop.store, &shop.server.client)
    }),
    ("a name", |shop| {
        shop.owner.rename(&shop.store, &shop.server.client)
    }),
    ("a key", |shop| {
        shop.owner.create_key(&shop.store, shop.disk.path())
    }),
    ("the end of a key", |shop| {
        shop.owner.deactivate_key(shop.disk.path())
    }),
    ("a new index", Shop::add_index),
    ("indexes rebuilt", |shop| {
        reindex(&shop.store, shop.disk.path())
    }),
    ("a clear", |shop| {
        shop.feeder.clear(&shop.store, &shop.server.client)
    }),
];

/// A server on a disk that fills up, and all its writers.
struct Shop {
    disk: Disk,
    store: Store,
    server: Binary,
    feeder: Feeder,
    runner: Runner,
    owner: Owner,
    languages: usize,
}

impl Shop {
    fn open(seed: u64) -> Self {
        let disk = Disk::new();
        let store = Store::create(disk.path());
        let server = disk.serve();
        store.create_indexes(&server.client);
        // An index that is not open yet could not be searched while the disk is full.
        eventually("the indexes are open", || store.is_indexed(&server.client));
        Self {
            disk,
            store,
            server,
            feeder: Feeder::new(Random::new(seed)),
            runner: Runner::new(Random::new(seed + 100)),
            owner: Owner::new(Random::new(seed + 200)),
            languages: 0,
        }
    }

    /// Tries one write with a disk that is full from ever later steps on, until no step fails.
    fn check_steps(&mut self, (name, write): &(&str, Write), first: u64) {
        for at in tried_from(first) {
            assert!(at < 2_000, "{name} has an end");
            // Shown only if something fails.
            eprintln!("{name}, the disk is full after {at} steps");
            self.prepare(name);
            self.disk.fill_after(at);
            let outcome = write(self);
            assert_ne!(outcome, Outcome::Unknown, "the server responds");
            if outcome == Outcome::Done {
                eventually("the disk is full, or the index has caught up", || {
                    self.disk.failed_steps() > 0 || self.store.is_indexed(&self.server.client)
                });
            }
            self.store.found(&self.server.client, "es");
            let failed = self.disk.free();
            if failed > 0 && (at / SHOPS).is_multiple_of(2) {
                self.restart();
            } else {
                self.check();
            }
            must_succeed(|| self.owner.tune(&self.store, &self.server.client));
            if failed == 0 {
                assert_eq!(outcome, Outcome::Done, "{name} failed with space enough");
                return;
            }
        }
    }

    fn prepare(&mut self, name: &str) {
        let client = &self.server.client;
        match name {
            "a new run" => self.runner.prepare(&self.store, client, false),
            "a block in a run" | "a touch" | "a close" => {
                self.runner.prepare(&self.store, client, true)
            }
            "the end of a key" => {
                must_succeed(|| self.owner.create_key(&self.store, self.disk.path()));
            }
            _ => {}
        }
    }

    fn check(&mut self) {
        let client = &self.server.client;
        self.feeder.check(&self.store, client);
        self.runner.check(&self.store, client);
        self.owner.check(&self.store, client, self.disk.path());
    }

    fn restart(&mut self) {
        let next = self.disk.serve_after(&mut self.server);
        self.server = next;
        let client = &self.server.client;
        self.feeder.settle(&self.store, client);
        self.runner.settle(&self.store, client);
        self.owner.settle(&self.store, client, self.disk.path());
    }

    /// Creates an index that does not exist yet.
    fn add_index(&mut self) -> Outcome {
        let languages = [
            "fr", "de", "it", "pt", "nl", "sv", "da", "fi", "no", "pl", "cs", "ro",
        ];
        let types = ["products", "categories", "brands", "pages"];
        let language = languages[self.languages / types.len() % languages.len()];
        let doc_type = types[self.languages % types.len()];
        self.languages += 1;
        let body = json!({"types": [doc_type], "languages": [{"code": language}]});
        let call = self.store.feed(&self.server.client, "POST", "/indices");
        outcome(call.json(&body).try_send().as_ref())
    }
}
