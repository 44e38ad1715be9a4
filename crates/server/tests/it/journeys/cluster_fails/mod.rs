//! What servers do when nodes of their OpenSearch fail. Nothing that was acknowledged is lost, no search has a wrong total, and
//! nothing has to be restarted. Each test starts three nodes, so they run by `cargo xtask failures`.
//!
//! 1. One of three nodes is killed or stopped, each in turn, the managing one among them, while the index takes new average
//!    lengths: shoppers find everything, and what is sent meanwhile, too.
//! 2. All are killed: searches are 503, the feed is acknowledged until the index lags, then 503; once the nodes are back,
//!    everything is found. If they have lost their data, the indexes are built anew, and never searched in part.
//! 3. One does not respond: a few searches are 503 in time, the next ones are served by the other copies, though the cluster
//!    is still with it. None responds: 503 in time.
//! 4. Disks are full: searches go on, the feed is 503 once the index lags, and goes on by itself.
//! 5. The cluster has all the shards that it takes, and one more: a further index is 503 and never empty, its feed is
//!    acknowledged, the others go on; once the cluster takes more, everything is found.
//! 6. One of two servers has no way to the cluster: the other one serves, and finds what the first one takes.

mod nodes;

use super::on_opensearch::variables;
use super::on_postgresql::Server;
use super::switched_proxy::SwitchedProxy;
use super::two_nodes::{Keys, bota};
use crate::harness::{Binary, Client, Reply, eventually};
use nodes::{COUNT, Nodes};
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long nobody waits for a response longer, machines of tests being slow.
const PROMPT: Duration = Duration::from_secs(10);
/// Searches in a row that may fail because one of three nodes does not respond.
const LOOKS: usize = 4;
/// Documents at first.
const DOCUMENTS: u64 = 40;

/// A server with its indexes on three nodes, and a store with documents.
struct Shop {
    keys: Keys,
    node: Binary,
    nodes: Nodes,
    // After those that use it.
    server: Server,
}

impl Shop {
    fn start() -> Option<Self> {
        let nodes = Nodes::start()?;
        let mut server = Server::start()?;
        let hosts = nodes.hosts();
        server.more = variables(&server, &hosts.iter().collect::<Vec<_>>());
        let keys = Keys::of(&server);
        let node = server.serve("a");
        keys.fill(&node.client, DOCUMENTS);
        let shop = Self {
            keys,
            node,
            nodes,
            server,
        };
        shop.finds(DOCUMENTS);
        Some(shop)
    }

    fn client(&self) -> &Client {
        &self.node.client
    }

    /// A search, within the time that a shopper waits.
    fn search(&self) -> Reply {
        let (reply, took) = searched(self.client(), &self.keys);
        assert!(took < PROMPT, "a search took {took:?}: {reply:?}");
        reply
    }

    fn finds(&self, count: u64) {
        eventually("all is found", || total(&self.search()) == Some(count));
    }

    fn sends(&self, id: &str) {
        eventually("a document is acknowledged", || {
            self.keys.try_send(self.client(), "es", &bota(id))
        });
    }

    /// Sends documents until the index lags too far; returns how many were acknowledged.
    fn sends_until_refused(&self, name: &str) -> u64 {
        for at in 0..10_000 {
            let block = json!({"language": "es", "documents": bota(&format!("{name}-{at}"))});
            let call = self.keys.feed(self.client(), "POST", "/products/bulk");
            let reply = call.json(&block).send();
            if reply.status == 503 {
                assert!(!reply.header("Retry-After").is_empty(), "{reply:?}");
                return at;
            }
            reply.ok();
        }
        panic!("the feed is never slowed down");
    }

    /// Everything agrees in the end.
    fn all_is_well(&self, count: u64) {
        self.nodes.wait_complete();
        self.finds(count);
        self.server.check("a");
    }
}

fn total(reply: &Reply) -> Option<u64> {
    reply.json["data"]["products"]["total"].as_u64()
}

/// A search that the server cannot have in its memory.
#[expect(clippy::disallowed_methods, reason = "what is promised is a time")]
fn searched(client: &Client, keys: &Keys) -> (Reply, Duration) {
    static SEARCHES: AtomicU32 = AtomicU32::new(0);
    let other = SEARCHES.fetch_add(1, Ordering::Relaxed);
    let since = Instant::now();
    let path = format!("/api/v1/search?q=bota+zapato{other}&types=products&limit=1&lang=es");
    let call = client.call("GET", path);
    (call.key(&keys.search).send(), since.elapsed())
}

#[test]
#[ignore = "three nodes of OpenSearch: cargo xtask failures"]
fn one_of_three_is_killed() {
    each_in_turn_ends_by(Nodes::kill);
}

#[test]
#[ignore = "three nodes of OpenSearch: cargo xtask failures"]
fn nodes_are_started_anew_one_after_the_other() {
    each_in_turn_ends_by(Nodes::stop);
}

fn each_in_turn_ends_by(end: fn(&mut Nodes, usize)) {
    let Some(mut shop) = Shop::start() else {
        return;
    };
    let manager = shop.nodes.manager();
    let (mut numbered, mut sent) = (DOCUMENTS, 0);
    let mut longest = Duration::ZERO;
    for at in [manager, (manager + 1) % COUNT, (manager + 2) % COUNT] {
        let is_over = AtomicBool::new(false);
        let (client, keys) = (shop.client().clone(), shop.keys.clone());
        std::thread::scope(|scope| {
            let searching = scope.spawn(|| {
                let mut longest = Duration::ZERO;
                while !is_over.load(Ordering::Relaxed) {
                    let (reply, took) = searched(&client, &keys);
                    assert_eq!(reply.status, 200, "{reply:?}");
                    longest = longest.max(took);
                }
                longest
            });
            // Average lengths are taken anew once there are twice as many documents, and they are found just before.
            numbered = 2 * (numbered + sent);
            shop.keys.fill(&client, numbered);
            shop.finds(numbered + sent);
            end(&mut shop.nodes, at);
            for id in 0..5 {
                shop.sends(&format!("{at}-{id}"));
            }
            sent += 5;
            shop.finds(numbered + sent);
            shop.nodes.start_again(at);
            shop.nodes.wait_complete();
            is_over.store(true, Ordering::Relaxed);
            longest = longest.max(searching.join().expect("no search fails"));
        });
    }
    eprintln!("the longest search took {longest:?}");
    assert!(longest < PROMPT, "{longest:?}");
    shop.all_is_well(numbered + sent);
}

#[test]
#[ignore = "three nodes of OpenSearch: cargo xtask failures"]
fn all_are_killed() {
    let Some(mut shop) = Shop::start() else {
        return;
    };
    for at in 0..COUNT {
        shop.nodes.kill(at);
    }
    let reply = shop.search().error(503, "unavailable");
    assert!(!reply.header("Retry-After").is_empty(), "{reply:?}");
    let count = DOCUMENTS + shop.sends_until_refused("meanwhile");
    assert!(count > DOCUMENTS, "nothing was acknowledged");
    for at in 0..COUNT {
        shop.nodes.start_again(at);
    }
    shop.all_is_well(count);

    for at in 0..COUNT {
        shop.nodes.kill(at);
        shop.nodes.delete_data(at);
    }
    for at in 0..COUNT {
        shop.nodes.start_again(at);
    }
    eventually("the indexes are built anew", || {
        match total(&shop.search()) {
            None => false,
            found => {
                assert_eq!(found, Some(count), "an index was searched in part");
                true
            }
        }
    });
    shop.all_is_well(count);
}

#[test]
#[ignore = "three nodes of OpenSearch: cargo xtask failures"]
fn nodes_do_not_respond() {
    let Some(shop) = Shop::start() else {
        return;
    };
    for at in 0..COUNT {
        shop.nodes.signal(at, "STOP");
        let is_right = || match shop.search() {
            reply if reply.status == 503 => false,
            reply => {
                assert_eq!(total(&reply), Some(DOCUMENTS), "{reply:?}");
                true
            }
        };
        let right = (0..LOOKS).find(|_| is_right());
        assert!(right.is_some(), "the other copies are not searched");
        assert!(is_right(), "the other copies are not kept to");
        shop.nodes.signal(at, "CONT");
        shop.nodes.wait_complete();
    }
    for at in 0..COUNT {
        shop.nodes.signal(at, "STOP");
    }
    shop.search().error(503, "unavailable");
    assert!(shop.keys.try_send(shop.client(), "es", &bota("meanwhile")));
    for at in 0..COUNT {
        shop.nodes.signal(at, "CONT");
    }
    shop.all_is_well(DOCUMENTS + 1);
}

#[test]
#[ignore = "three nodes of OpenSearch: cargo xtask failures"]
fn disks_are_full() {
    let Some(shop) = Shop::start() else {
        return;
    };
    shop.nodes.block_writes(true);
    let count = DOCUMENTS + shop.sends_until_refused("full");
    assert_eq!(total(&shop.search()), Some(DOCUMENTS));
    shop.nodes.block_writes(false);
    shop.all_is_well(count);
}

#[test]
#[ignore = "three nodes of OpenSearch: cargo xtask failures"]
fn the_cluster_takes_no_further_index() {
    let Some(shop) = Shop::start() else {
        return;
    };
    shop.nodes.limit_shards(Some(1));
    // The replica of the next index comes later, and is one more than the cluster allows.
    let last = Keys::of(&shop.server);
    last.fill(shop.client(), DOCUMENTS);
    eventually("all of the last index is found", || {
        total(&searched(shop.client(), &last).0) == Some(DOCUMENTS)
    });
    let further = Keys::of(&shop.server);
    further.fill(shop.client(), DOCUMENTS);
    let search = || searched(shop.client(), &further).0;
    eventually("searches of a further index fail", || {
        search().status == 503
    });
    let reply = search().error(503, "unavailable");
    assert!(!reply.header("Retry-After").is_empty(), "{reply:?}");
    shop.sends("meanwhile");
    shop.finds(DOCUMENTS + 1);
    let log = std::fs::read_to_string(shop.server.file("log-of-node")).expect("a log");
    assert!(log.contains("maximum shards open"), "{log}");

    shop.nodes.limit_shards(None);
    eventually("what was sent to the new store is found", || {
        total(&search()) == Some(DOCUMENTS)
    });
    shop.all_is_well(DOCUMENTS + 1);
}

#[test]
#[ignore = "three nodes of OpenSearch: cargo xtask failures"]
fn one_server_has_no_way_to_the_cluster() {
    let Some(mut shop) = Shop::start() else {
        return;
    };
    let proxy = SwitchedProxy::start(shop.nodes.hosts()[0].clone());
    shop.server.more = variables(&shop.server, &[&proxy.address]);
    let other = shop.server.serve("b");
    let found = || total(&searched(&other.client, &shop.keys).0);
    eventually("the other server finds everything", || {
        found() == Some(DOCUMENTS)
    });
    proxy.off();
    let (reply, took) = searched(&other.client, &shop.keys);
    reply.error(503, "unavailable");
    assert!(took < PROMPT, "a search took {took:?}");
    assert!(
        shop.keys
            .try_send(&other.client, "es", &bota("by-the-other"))
    );
    shop.finds(DOCUMENTS + 1);
    proxy.on();
    eventually("the other server finds everything", || {
        found() == Some(DOCUMENTS + 1)
    });
    shop.all_is_well(DOCUMENTS + 1);
}
