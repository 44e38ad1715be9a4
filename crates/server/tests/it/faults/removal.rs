//! 1. A deleted store whose removal is killed again and again, at any step of the disk, is removed in the end, whatever
//!    the clock says once it has begun; nothing of it can be reached meanwhile.
//! 2. Its audit records stay, with the changes that only its revisions held.
//! 3. Another store is searched, fed and changed all the while, and loses nothing that was acknowledged.

use super::data::{Documents, Store, block};
use super::disk::Disk;
use super::expected::Outcome;
use super::feeder::Feeder;
use super::owner::Owner;
use super::random::Random;
use crate::harness::{Binary, eventually, findwell};
use serde_json::{Value, json};

const DAY_S: i64 = 86_400;
const PRODUCTS: usize = 1_500;
/// Starts that are killed, and steps of the disk after which they are at the latest.
const KILLS: usize = 14;
const STEPS: usize = 90;

#[test]
fn a_removal_that_is_killed_again_and_again_ends() {
    let disk = Disk::new();
    let deleted = Store::create(disk.path());
    let kept = Store::create(disk.path());
    let mut feeder = Feeder::new(Random::new(21));
    let mut owner = Owner::new(Random::new(22));
    let server = disk.serve();
    fill(&deleted, &server);
    kept.create_indexes(&server.client);
    let trail = audit(&disk, &deleted);
    assert!(trail.len() > 12, "{}", trail.len());
    findwell(
        disk.path(),
        &["store", "delete", &deleted.id, "--name", "Shop"],
    )
    .line();
    let folders = indexes(&disk);
    server.kill();

    // Seven days later it begins; from then on the clock is earlier than when the store was deleted.
    disk.shift_clock(7 * DAY_S + 60);
    let server = disk.serve();
    eventually("the removal begins", || indexes(&disk) < folders);
    server.kill();
    disk.shift_clock(-DAY_S);
    let mut random = Random::new(23);
    for _ in 0..KILLS {
        disk.kill_after(random.below(STEPS) as u64);
        if let Some(server) = disk.try_serve() {
            unreachable(&deleted, &server);
            while feeder.act(&kept, &server.client) == Outcome::Done
                && owner.tune(&kept, &server.client) == Outcome::Done
            {}
            server.kill();
        }
        disk.spare();
    }

    let server = disk.serve();
    eventually("the store is removed", || closed(&disk) == json!([]));
    unreachable(&deleted, &server);
    assert_eq!(indexes(&disk), 2, "those of the other store");
    let found = audit(&disk, &deleted);
    let but_for_closing = found
        .iter()
        .filter(|entry| entry["operation"] != "remove_store");
    assert!(but_for_closing.eq(&trail), "{found:?}");
    feeder.settle(&kept, &server.client);
    owner.settle(&kept, &server.client, disk.path());
}

/// Gives a store products, and changes of its configuration.
fn fill(store: &Store, server: &Binary) {
    store.create_indexes(&server.client);
    for first in (0..PRODUCTS).step_by(500) {
        let documents: Documents = block("p", (first..first + 500).collect(), "Bota", 7);
        let sent = store.send(&server.client, "es", None, &documents);
        sent.expect("a response").ok();
    }
    for weight in 1..=12 {
        let body = json!({"boosts": {"name": weight}});
        let call = store.own(&server.client, "PUT", "/relevance");
        call.json(&body).send().ok();
    }
    store.consistent(&server.client, "es");
}

/// Asserts that no key of `store` is good for anything.
fn unreachable(store: &Store, server: &Binary) {
    // The server may be killed at any moment.
    let configured = store.own(&server.client, "GET", "/relevance").try_send();
    let fed = store.feed(&server.client, "GET", "/connect").try_send();
    for reply in [configured, fed].into_iter().flatten() {
        assert_eq!(reply.status, 401, "{reply:?}");
    }
}

/// The audit records of `store`, newest first.
fn audit(disk: &Disk, store: &Store) -> Vec<Value> {
    let all = findwell(disk.path(), &["audit", "list", "--json", "--limit", "1000"]).json();
    let all = all.as_array().expect("a list");
    let of_store = all.iter().filter(|entry| entry["storeId"] == store.id);
    of_store.cloned().collect()
}

/// The stores that are closed and not removed yet.
fn closed(disk: &Disk) -> Value {
    findwell(disk.path(), &["store", "list", "--closed", "--json"]).json()
}

/// The number of indexes on disk.
fn indexes(disk: &Disk) -> usize {
    let folder = disk.path().join("indexes");
    std::fs::read_dir(folder).expect("a folder").count()
}
