//! What two servers do when their PostgreSQL fails. In every case nothing half done is acknowledged, what was acknowledged is
//! there afterwards, and nothing has to be restarted.
//!
//! 1. It stops at once: shoppers go on searching open stores with keys that were used lately, without waiting; everything else
//!    is 503, also what has an unknown key. A server that is stopped meanwhile ends.
//! 2. It does not respond: the same, after two seconds for those who find out.
//! 3. It is read-only after a failover: shoppers search, writes are 503 until there is a primary.
//! 4. Its disk is full: shoppers search, and what needs room is 503.
//! 5. The response of a commit is lost: the block that is sent again has the same result; a save tells by its revision.
//! 6. It was restored to an older state under running servers, or while they were stopped: what it lost is found by nobody, and
//!    what comes next by all.

mod database;
mod proxy;

use super::on_postgresql::Server;
use super::two_nodes::{Keys, bota};
use crate::harness::{Binary, Client, Reply, eventually, product};
use database::{copy, promote, restore, start_again, stop_at_once, while_full};
use proxy::Proxy;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long nobody waits for a search longer, machines of tests being slow.
const PROMPT: Duration = Duration::from_secs(8);

/// How long a server without its database takes to stop at the most.
const STOP_MAX: Duration = Duration::from_secs(20);

/// Two servers with a store whose documents are `0` to `4`; the second one is reached by a proxy of the test.
struct Pair {
    keys: Keys,
    proxy: Proxy,
    direct: Binary,
    proxied: Binary,
    // After those that use it.
    server: Server,
}

impl Pair {
    fn start() -> Option<Self> {
        let server = Server::start()?;
        let keys = Keys::of(&server);
        let proxy = Proxy::to(server.port());
        let direct = server.serve("a");
        let proxied = server.serve_through("b", proxy.port);
        keys.fill(&direct.client, 5);
        let pair = Self {
            keys,
            proxy,
            direct,
            proxied,
            server,
        };
        pair.both_find(5);
        Some(pair)
    }

    fn clients(&self) -> [&Client; 2] {
        [&self.direct.client, &self.proxied.client]
    }

    fn both_find(&self, count: u64) {
        for client in self.clients() {
            eventually("all is found", || {
                self.keys.found(client, "es", "bota") == Some(count)
            });
        }
    }

    /// Shoppers of a server are served, and none of ten searches in a row waits long.
    #[expect(clippy::disallowed_methods, reason = "what is promised is a time")]
    fn shoppers_are_served(&self, client: &Client, count: u64) {
        let since = Instant::now();
        for _ in 0..10 {
            let search = client.call(
                "GET",
                "/api/v1/search?q=bota&types=products&limit=1&lang=es",
            );
            let found = search.key(&self.keys.search).send();
            assert_eq!(found.status, 200, "{}", self.logged(&found));
            assert_eq!(found.data()["products"]["total"], count);
        }
        let suggest = client.call("GET", "/api/v1/suggest?q=bot&lang=es");
        suggest.key(&self.keys.search).send().ok();
        let took = since.elapsed();
        assert!(took < PROMPT, "shoppers waited for {took:?}");
    }

    /// A block and a save, neither of which may succeed.
    fn writes_fail(&self, client: &Client) {
        let [block, save] = self.writes(client);
        for reply in [block, save] {
            assert_eq!(reply.status, 503, "{}", self.logged(&reply));
            let reply = reply.error(503, "unavailable");
            assert!(!reply.header("Retry-After").is_empty(), "{reply:?}");
        }
    }

    /// What the servers logged of a request.
    fn logged(&self, reply: &Reply) -> String {
        let log = std::fs::read_to_string(self.server.file("log-of-node")).unwrap_or_default();
        let id = reply.header("X-Request-Id");
        let lines = log.lines().filter(|line| line.contains(id));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn writes(&self, client: &Client) -> [Reply; 2] {
        let block = json!({"language": "es", "documents": bota("failing")});
        let relevance = json!({"boosts": {"name": 9}});
        std::thread::scope(|scope| {
            let block = scope.spawn(|| {
                self.keys
                    .feed(client, "POST", "/products/bulk")
                    .json(&block)
                    .send()
            });
            let call = self.keys.of_store(client, "PUT", "/relevance");
            let save = call.json(&relevance).send();
            [block.join().expect("a response"), save]
        })
    }

    /// The boost of names that is saved.
    fn boost(&self, client: &Client) -> Value {
        let reply = self.keys.of_store(client, "GET", "/relevance").send().ok();
        reply.data()["boosts"]["name"].clone()
    }

    /// Both servers take writes again, and everything agrees.
    fn all_is_well(&self, count: u64) {
        for (at, client) in self.clients().into_iter().enumerate() {
            let document = bota(&format!("after{at}"));
            eventually("writes succeed again", || {
                self.keys.try_send(client, "es", &document)
            });
        }
        self.both_find(count + 2);
        for node in ["a", "b"] {
            self.server.check(node);
        }
    }
}

#[test]
fn the_database_stops_at_once() {
    let Some(mut pair) = Pair::start() else {
        return;
    };
    let boost = pair.boost(&pair.direct.client);
    stop_at_once(&pair.server);
    for client in pair.clients() {
        pair.shoppers_are_served(client, 5);
        pair.writes_fail(client);
        let unknown = client.call("GET", "/api/v1/search?q=bota");
        let unknown = unknown.key("pub_0123456789ab_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG");
        let status = unknown.send().status;
        assert!(status == 503 || status == 401, "{status}");
        pair.shoppers_are_served(client, 5);
        assert_eq!(client.call("GET", "/readyz").send().status, 200);
        let metrics = client.call("GET", "/metrics").send().text;
        assert!(metrics.contains("findwell_storage_up 0"), "{metrics}");
    }
    assert_eq!(pair.direct.stop_within(STOP_MAX), 0);
    let _revived = start_again(&pair.server, false);
    pair.direct = pair.server.serve("a");
    pair.all_is_well(5);
    assert_eq!(pair.boost(&pair.proxied.client), boost);
}

#[test]
fn the_database_does_not_respond() {
    let Some(pair) = Pair::start() else {
        return;
    };
    let (other, slow) = (&pair.direct.client, &pair.proxied.client);
    let written = pair.proxy.blocked(|| {
        pair.shoppers_are_served(slow, 5);
        // One server without a database is no matter of the other.
        pair.keys.send(other, "es", &bota("meanwhile"));
        let written = pair.writes(slow);
        pair.shoppers_are_served(slow, 5);
        written
    });
    for reply in &written {
        assert!(matches!(reply.status, 200 | 503), "{reply:?}");
    }
    let count = 6 + u64::from(written[0].status == 200);
    pair.both_find(count);
    pair.all_is_well(count);
}

#[test]
fn the_database_is_read_only() {
    let Some(pair) = Pair::start() else {
        return;
    };
    stop_at_once(&pair.server);
    let _revived = start_again(&pair.server, true);
    for client in pair.clients() {
        pair.shoppers_are_served(client, 5);
        pair.writes_fail(client);
    }
    promote(&pair.server);
    pair.all_is_well(5);
}

#[test]
fn the_disk_is_full() {
    let Some(pair) = Pair::start() else {
        return;
    };
    stop_at_once(&pair.server);
    let _revived = start_again(&pair.server, false);
    pair.both_find(5);
    let large = |at: usize| {
        let mut document = product(&format!("large{at}"), "Bota grande");
        // Nothing that compresses.
        let text = (0..4_000).map(|word| format!("{:x}", (word * 7_919 + at) * 104_729));
        document["description"] = text.collect::<Vec<_>>().join(" ").into();
        json!({"language": "es", "documents": [document]})
    };
    let client = &pair.direct.client;
    let stored = while_full(&pair.server, || {
        let mut stored = 0;
        for at in 0..200 {
            let reply = pair
                .keys
                .feed(client, "POST", "/products/bulk")
                .json(&large(at))
                .send();
            if reply.status != 200 {
                reply.error(503, "unavailable");
                break;
            }
            stored += 1;
        }
        assert!(stored < 200, "the disk never was full");
        pair.shoppers_are_served(client, 5 + stored);
        stored
    });
    pair.all_is_well(5 + stored);
}

#[test]
fn the_response_of_a_commit_is_lost() {
    let Some(pair) = Pair::start() else {
        return;
    };
    let client = &pair.proxied.client;
    pair.proxy.cut_commit_with("Bota perdida");
    let documents = json!([product("lost", "Bota perdida")]);
    let block = json!({"language": "es", "documents": documents});
    let first = pair
        .keys
        .feed(client, "POST", "/products/bulk")
        .json(&block)
        .send();
    first.error(503, "unavailable");
    assert_eq!(pair.proxy.lost(), 1);
    let again = pair
        .keys
        .feed(client, "POST", "/products/bulk")
        .json(&block)
        .send();
    assert_eq!(again.ok().data()["accepted"], 1);
    pair.both_find(6);

    let read = pair.keys.of_store(client, "GET", "/relevance").send().ok();
    let revision = read.header("ETag").to_owned();
    let save = |boost: f64| {
        let call = pair.keys.of_store(client, "PUT", "/relevance");
        let call = call.header("If-Match", &revision);
        call.json(&json!({"boosts": {"name": boost}})).send()
    };
    pair.proxy.cut_commit_with("relevance");
    save(9.0).error(503, "unavailable");
    assert_eq!(pair.proxy.lost(), 2);
    // It was saved, which whoever sends it again learns.
    save(9.0).error(412, "precondition_failed");
    assert_eq!(pair.boost(client), json!(9.0));
    pair.all_is_well(6);
}

#[test]
fn an_older_state_is_restored_under_running_servers() {
    let Some(pair) = Pair::start() else {
        return;
    };
    copy(&pair.server, "older");
    let loses = json!([product("gone1", "Bota ida"), product("gone2", "Bota ida")]);
    eventually("writes succeed again", || {
        pair.keys.try_send(&pair.direct.client, "es", &loses)
    });
    pair.both_find(7);
    restore(&pair.server, "older");
    // Their numbers are those of what is lost.
    for name in ["new1", "new2", "new3"] {
        eventually("writes succeed again", || {
            pair.keys.try_send(&pair.proxied.client, "es", &bota(name))
        });
    }
    for client in pair.clients() {
        eventually("what was lost is found by nobody", || {
            pair.keys.found(client, "es", "ida") == Some(0)
        });
    }
    pair.both_find(8);
    pair.all_is_well(8);
}

#[test]
fn an_older_state_is_restored_while_servers_are_stopped() {
    let Some(mut pair) = Pair::start() else {
        return;
    };
    copy(&pair.server, "older");
    let loses = json!([product("gone1", "Bota ida"), product("gone2", "Bota ida")]);
    eventually("writes succeed again", || {
        pair.keys.try_send(&pair.direct.client, "es", &loses)
    });
    pair.both_find(7);
    assert_eq!((pair.direct.stop(), pair.proxied.stop()), (0, 0));
    restore(&pair.server, "older");
    pair.direct = pair.server.serve("a");
    for name in ["new1", "new2", "new3"] {
        pair.keys.send(&pair.direct.client, "es", &bota(name));
    }
    pair.proxied = pair.server.serve_through("b", pair.proxy.port);
    pair.both_find(8);
    pair.all_is_well(8);
}
