//! 1. While an index cannot be written, blocks are acknowledged at once until it lags one second behind, then each
//!    response is delayed by two seconds, and from two seconds on blocks and deletions are rejected with 503 and
//!    `Retry-After`, and have no effect.
//! 2. Meanwhile searches respond, and another index of the store that does not lag accepts documents.
//! 3. Once the index can be written again, everything that was acknowledged is found, the rejected block is accepted,
//!    and the lag is over.

use super::data::{Documents, Store, block};
use super::disk::Disk;
use crate::harness::{Binary, Client, Reply, eventually};
use serde_json::json;
use std::time::{Duration, Instant};

/// How long a response is delayed at most: as long as that while an index makes no progress.
const DELAY: Duration = Duration::from_secs(2);

/// The lag of the index that is furthest behind, in seconds.
fn lag_s(client: &Client) -> f64 {
    let text = client.call("GET", "/metrics").send().text;
    let mut lines = text.lines();
    let lag = lines.find_map(|line| line.strip_prefix("findwell_index_lag_seconds "));
    lag.expect("the metric").parse().expect("a number")
}

fn until_lag_s(client: &Client, least: f64) {
    eventually("the index lags behind", || lag_s(client) >= least);
}

/// A store with products in both of its indexes.
struct Shop {
    disk: Disk,
    store: Store,
    server: Binary,
    /// The products in Spanish that were acknowledged.
    acknowledged: Documents,
    sent: usize,
}

impl Shop {
    fn open() -> Self {
        let disk = Disk::new();
        let store = Store::create(disk.path());
        let server = disk.serve();
        store.create_indexes(&server.client);
        eventually("the indexes are open", || store.is_indexed(&server.client));
        let acknowledged = Documents::new();
        let mut shop = Self {
            disk,
            store,
            server,
            acknowledged,
            sent: 0,
        };
        assert_eq!(shop.send().status, 200);
        shop.until_found();
        shop
    }

    /// Sends a block with one more product in Spanish.
    fn send(&mut self) -> Reply {
        self.sent += 1;
        let documents = block("p", vec![self.sent], "Bota", 1);
        let reply = self.store.send(&self.server.client, "es", None, &documents);
        let reply = reply.expect("the server responds");
        if reply.status == 200 {
            self.acknowledged.extend(documents);
        }
        reply
    }

    fn until_found(&self) {
        let client = &self.server.client;
        eventually("all is found", || {
            self.store.found(client, "es") == self.acknowledged
        });
    }

    /// Asserts that a request of the connector is rejected until the index has caught up.
    fn assert_rejected(&self, path: &str, body: &serde_json::Value) {
        let call = self.store.feed(&self.server.client, "POST", path);
        assert_waits(call.json(body).send());
    }
}

fn assert_waits(reply: Reply) {
    let reply = reply.error(503, "unavailable");
    let seconds = reply.header("retry-after").parse();
    assert!(
        seconds.is_ok_and(|seconds: u64| (1..=10).contains(&seconds)),
        "{reply:?}"
    );
}

/// Returns the response to a block that arrives while the index lags between one and two seconds behind, and its time.
#[expect(clippy::disallowed_methods, reason = "a delay is what is tested")]
fn delayed(shop: &mut Shop) -> Option<Duration> {
    until_lag_s(&shop.server.client, 1.0);
    let start = Instant::now();
    let reply = shop.send();
    // On a slow machine the second may be over already.
    (reply.status == 200).then(|| start.elapsed())
}

#[test]
fn a_feed_that_outruns_its_index_is_delayed_and_then_rejected() {
    let mut shop = Shop::open();
    let mut took = None;
    for _ in 0..20 {
        shop.disk.fill_indexes();
        assert_eq!(shop.send().status, 200, "at first nothing lags");
        took = delayed(&mut shop);
        if took.is_some() {
            break;
        }
        shop.disk.free();
        shop.until_found();
    }
    let took = took.expect("a block arrived in time");
    assert!(took >= DELAY, "the response was delayed by {took:?}");

    let client = shop.server.client.clone();
    until_lag_s(&client, 2.0);
    let acknowledged = shop.acknowledged.clone();
    assert_waits(shop.send());
    assert_eq!(shop.acknowledged, acknowledged);
    let ids: Vec<&String> = acknowledged.keys().collect();
    shop.assert_rejected(
        "/products/delete",
        &json!({"ids": ids, "languages": ["es"]}),
    );
    let found = shop.store.found(&client, "es");
    assert!(
        found.len() < acknowledged.len(),
        "what is not indexed is not found yet"
    );

    let stored = shop.store.stored(&client, "es");
    assert_eq!(
        stored,
        acknowledged.len() as u64,
        "neither is stored or done"
    );
    let english = block("p", vec![1, 2], "Boot", 1);
    let reply = shop.store.send(&client, "en", None, &english);
    assert_eq!(
        reply.expect("a response").status,
        200,
        "the other index does not lag"
    );

    assert!(shop.disk.free() > 0);
    shop.until_found();
    eventually("the other index has caught up", || {
        shop.store.found(&client, "en") == english
    });
    eventually("nothing lags", || lag_s(&client) == 0.0);
    eventually("the rejected block is accepted", || {
        shop.sent -= 1;
        shop.send().status == 200
    });
    shop.until_found();
    let ids = json!({"ids": shop.acknowledged.keys().collect::<Vec<_>>(), "languages": ["es"]});
    let call = shop.store.feed(&client, "POST", "/products/delete");
    call.json(&ids).send().ok();
    shop.acknowledged.clear();
    shop.until_found();
}
