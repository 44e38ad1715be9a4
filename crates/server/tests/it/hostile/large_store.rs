//! A store of 100,000 products, which is filled by one run and then emptied in two ways.
//!
//! 1. While the run goes on, changes that arrive beside it, to the same store and to another one, are searchable soon
//!    after their acknowledgement.
//! 2. While the 100,000 products are purged at the close of a run, and while they are deleted block by block and cleared,
//!    each block of another store is acknowledged within a second, and its searches go on.
//! 3. A purge is atomic for shoppers: they find all products, or only those that the run saw.

use super::meter::{time_max, timed};
use super::promptness::Promptness;
use super::target::{Start, Target, retrying};
use crate::harness::{Reply, eventually};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// Products of the large store.
const PRODUCTS: usize = 100_000;
/// Products of a block.
const BLOCK: usize = 500;
/// Products that are deleted before the others are cleared.
const DELETED: usize = 20_000;
/// Connections of its connector.
const CONNECTIONS: usize = 2;
/// The maximum time of one block of another store.
const BLOCK_MAX: Duration = time_max(Duration::from_secs(1));
/// How often the products are removed before a slow block counts.
const ATTEMPTS: usize = 3;

/// Calls `work` with the number of each block of the first `products`, from several connections.
fn for_each_block(products: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let blocks = products / BLOCK;
    std::thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                while let Some(block) =
                    Some(next.fetch_add(1, Ordering::SeqCst)).filter(|at| *at < blocks)
                {
                    work(block);
                }
            });
        }
    });
}

fn ids(block: usize) -> impl Iterator<Item = String> {
    (block * BLOCK..(block + 1) * BLOCK).map(|id| id.to_string())
}

/// Sends a request of the large store's connector, again while it is rejected for lack of time.
fn feed(target: &Target, path: &str, body: &Value) -> Reply {
    retrying(|| target.attacker.feed(target.client(), path, body).send()).ok()
}

fn open_run(target: &Target, name: &str) -> String {
    let run = json!({"clientRunId": name, "mode": "incremental", "types": ["products"], "languages": ["es"]});
    let opened = feed(target, "/runs", &run);
    opened.data()["runId"].as_str().expect("an id").to_owned()
}

fn close_run(target: &Target, run: &str, sent: usize) -> Reply {
    let scope =
        json!({"type": "products", "language": "es", "sent": sent, "touched": 0, "dropped": 0});
    let body = json!({"scopes": [scope], "confirmPurge": true});
    feed(target, &format!("/runs/{run}/close"), &body)
}

fn send_in_run(target: &Target, run: &str, documents: &[Value]) {
    let body = json!({"language": "es", "runId": run, "documents": documents});
    let reply = feed(target, "/products/bulk", &body);
    assert_eq!(reply.data()["accepted"], documents.len(), "{reply:?}");
}

fn fill(target: &Target) {
    let run = open_run(target, "first");
    for_each_block(PRODUCTS, |block| {
        let documents: Vec<Value> = ids(block)
            .map(|id| json!({"id": id, "name": "Sandalia"}))
            .collect();
        send_in_run(target, &run, &documents);
    });
    let closed = close_run(target, &run, PRODUCTS);
    assert_eq!(closed.data()["scopes"][0]["status"], "purged", "{closed:?}");
}

fn found(target: &Target) -> u64 {
    target.attacker.total(target.client(), "sandalia")
}

/// Purges everything by a run that sees one new product only; shoppers find everything until they find nothing else.
fn purge(target: &Target) {
    let run = open_run(target, "second");
    send_in_run(target, &run, &[json!({"id": "new", "name": "Sombrero"})]);
    let closed = close_run(target, &run, 1);
    let scope = &closed.data()["scopes"][0];
    assert!(scope["purged"].as_u64() >= Some(PRODUCTS as u64), "{scope}");
    eventually("nothing of it is found", || match found(target) {
        0 => true,
        some => {
            assert_eq!(some, PRODUCTS as u64, "a purge is atomic");
            false
        }
    });
}

/// Deletes some of the products block by block and clears the others.
fn delete_and_clear(target: &Target) {
    for_each_block(DELETED, |block| {
        let ids: Vec<String> = ids(block).collect();
        let deleted = feed(target, "/products/delete", &json!({"ids": ids}));
        assert_eq!(deleted.data()["deleted"], BLOCK, "{deleted:?}");
    });
    let cleared = feed(target, "/products/clear", &json!({}));
    let documents = &cleared.data()["cleared"][0]["documents"];
    let left = (PRODUCTS - DELETED) as u64;
    assert!(documents.as_u64() >= Some(left), "{cleared:?}");
}

/// Removes all products with `remove`, from the backup `full` again while something else on the machine may have delayed
/// another store.
fn assert_undisturbed(target: &mut Target, full: &TempDir, what: &str, remove: fn(&Target)) {
    for attempt in 1..=ATTEMPTS {
        let large: &Target = target;
        let (took, bystander) = large.with_measured_bystander(|| {
            let ((), took) = timed(|| remove(large));
            eventually("nothing is found", || found(large) == 0);
            took
        });
        let slowest = bystander.slowest_block();
        println!("{what}: {took:?}, the slowest block of another store {slowest:?}");
        if bystander.is_undisturbed(BLOCK_MAX) {
            return;
        }
        assert!(
            attempt < ATTEMPTS,
            "{what}: a block of another store takes {slowest:?}"
        );
        restart(target, full);
    }
}

fn restart(target: &mut Target, full: &TempDir) {
    target.start_from(full);
    eventually("all are found", || found(target) == PRODUCTS as u64);
}

#[test]
fn filling_and_emptying_a_large_store_disturbs_nobody() {
    let mut target = Target::started(Start {
        in_memory: true,
        ..Start::default()
    });
    let (client, store, other) = (target.client(), &target.attacker, &target.bystander);
    let (own, (beside, took)) = Promptness::meanwhile(client, store, || {
        Promptness::meanwhile(client, other, || timed(|| fill(&target)).1)
    });
    println!("{PRODUCTS} products are fed in {took:?}");
    own.assert_prompt("beside its run");
    beside.assert_prompt("in another store");
    eventually("all are found", || found(&target) == PRODUCTS as u64);
    let full = target.back_up();
    assert_undisturbed(&mut target, &full, "a purge", purge);
    restart(&mut target, &full);
    assert_undisturbed(
        &mut target,
        &full,
        "deletions and a clear",
        delete_and_clear,
    );
}
