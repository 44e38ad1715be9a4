//! 1. While the clock is a day behind nothing is lost and nothing changes its order: documents replace and deletions
//!    remove what was written before, a run continues and its close purges what it did not see, and the configuration
//!    and keys can be changed. After a restart, and once the clock is right again, everything is there.
//! 2. Documents written while the clock was a day ahead can be replaced as soon as it is set right.

use super::data::Store;
use super::disk::Disk;
use super::expected::must_succeed;
use super::feeder::Feeder;
use super::owner::Owner;
use super::random::Random;
use super::runner::Runner;
use crate::harness::{Client, Shop, TestClock, product};
use domain::Timestamp;
use serde_json::json;

const DAY_S: i64 = 86_400;
const ROUNDS: usize = 8;

#[test]
fn a_clock_a_day_behind_loses_and_reorders_nothing() {
    let disk = Disk::new();
    let store = Store::create(disk.path());
    let mut feeder = Feeder::new(Random::new(1));
    let mut runner = Runner::new(Random::new(2));
    let mut owner = Owner::new(Random::new(3));
    let mut write = |client: &Client| {
        for _ in 0..ROUNDS {
            must_succeed(|| feeder.act(&store, client));
            must_succeed(|| runner.act(&store, client));
            must_succeed(|| owner.act(&store, client, disk.path()));
        }
        feeder.settle(&store, client);
        runner.settle(&store, client);
        owner.settle(&store, client, disk.path());
    };
    let mut server = disk.serve();
    store.create_indexes(&server.client);
    let start = TestClock::default().now().0;
    for clock_s in [0, -DAY_S, 0, -DAY_S] {
        disk.shift_clock(clock_s);
        let connected = store.feed(&server.client, "GET", "/connect").send().ok();
        let time = connected.data()["serverTime"]
            .as_str()
            .map(Timestamp::parse);
        let time = time.flatten().expect("a time").0;
        let error_ms = time - start - clock_s * 1_000;
        assert!(error_ms.abs() < 3_600_000, "the clock is set");
        write(&server.client);
        server = disk.serve_after(&mut server);
        write(&server.client);
    }
}

#[test]
fn documents_written_while_the_clock_was_ahead_can_be_replaced() {
    let now = 1_763_650_000_000;
    let shop = Shop::open_at(TestClock::fixed(Timestamp(now + DAY_S * 1_000)));
    let send = |name: &str, rev: i64| {
        let mut document = product("1", name);
        document["rev"] = rev.into();
        let reply = shop.bulk("products", "es", &json!([document])).ok();
        reply.data()["accepted"] == 1
    };
    shop.bulk("products", "es", &json!([product("1", "Bota vieja")]))
        .ok();
    shop.clock.advance_ms(-DAY_S * 1_000);
    assert!(send("Bota nueva", now - 200), "newer than what came before");
    assert!(!send("Bota vieja", now - 201), "older than that");
    let request = json!({"q": "nueva", "types": ["products"]});
    crate::harness::eventually("the new name is found", || {
        shop.search(&request).ok().data()["products"]["total"] == 1
    });
    let body = json!({"ids": ["1"], "rev": now});
    let deleted = shop
        .feed("POST", "/feed/products/delete")
        .json(&body)
        .send()
        .ok();
    assert_eq!(deleted.data()["deleted"], 1);
}
