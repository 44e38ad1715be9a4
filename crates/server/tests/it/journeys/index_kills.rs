//! Where a node of OpenSearch runs, with two servers that share its indexes:
//!
//! 1. One that is killed in the middle of a bulk, of a swap of generations, of a clear or of a change of average lengths,
//!    before or after the cluster received the request, loses nothing that was acknowledged, leaves nothing behind, and goes
//!    on when it is started again. An index that it left closed is opened by the other one.
//! 2. One that is paused in the middle, and goes on when another one has taken its place, changes nothing that the other one
//!    has done: both find what is stored, nothing is missing and nothing is there twice.

use super::held_proxy::{HeldProxy, Hold, Place};
use super::node_kills::rounds;
use super::on_opensearch::{indexes, variables};
use super::on_postgresql::Server;
use super::two_nodes::{Keys, bota};
use crate::harness::{Binary, Client, eventually};
use crate::opensearch_node;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::thread::JoinHandle;

const NAMES: [&str; 2] = ["a", "b"];
/// How often a server may be overtaken by the other one.
const ATTEMPTS: usize = 4;

/// What a server is in the middle of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Bulk,
    Swap,
    Clear,
    Averages,
}

impl Step {
    /// The requests that it consists of, as the cluster receives them.
    fn requests(self) -> &'static [&'static str] {
        match self {
            Self::Bulk => &["/_bulk?", "/_refresh", "/_doc/watermark?"],
            Self::Swap => &["POST /_aliases", "DELETE /t"],
            Self::Clear => &["number_of_shards", "POST /_aliases", "DELETE /t"],
            Self::Averages => &["/_close", "/_settings"],
        }
    }
}

/// A server that is in the middle of something.
struct Middle {
    hold: Hold,
    doing: JoinHandle<()>,
}

/// Two servers, each with a proxy of its own to the cluster.
struct Pair {
    keys: Keys,
    proxies: [HeldProxy; 2],
    nodes: [Binary; 2],
    /// Ids of what is stored.
    stored: BTreeSet<String>,
    // After those that use it.
    server: Server,
}

impl Pair {
    fn start() -> Option<Self> {
        let cluster = opensearch_node::address()?;
        let mut server = Server::start()?;
        let proxies = [(); 2].map(|()| HeldProxy::start(cluster.replace("http://", "")));
        let nodes = [0, 1].map(|at| serve(&mut server, &proxies, at));
        let keys = Keys::of(&server);
        keys.prepare(&nodes[0].client, &["es"]);
        let mut pair = Self {
            keys,
            proxies,
            nodes,
            stored: BTreeSet::new(),
            server,
        };
        pair.send(0, "first");
        pair.both_find_what_is_stored();
        Some(pair)
    }

    fn client(&self, at: usize) -> &Client {
        &self.nodes[at].client
    }

    /// Sends a document by a server, which has to acknowledge it.
    fn send(&mut self, at: usize, id: &str) {
        let document = bota(id);
        eventually("a document is acknowledged", || {
            self.keys.try_send(self.client(at), "es", &document)
        });
        self.stored.insert(id.to_owned());
    }

    /// Lets a server do `step` up to this request. On a busy machine the other one may be the one that does it: then it is done
    /// again.
    fn begin(&mut self, (at, step): (usize, Step), moment: (&str, Place)) -> Middle {
        for _ in 0..ATTEMPTS {
            if step == Step::Averages {
                self.clear(at);
            }
            self.wait_quiet();
            let hold = self.proxies[at].hold(moment.0, moment.1);
            let id = format!("r{}", self.stored.len());
            let doing = self.do_step(at, step, bota(&id));
            let is_held = hold.wait();
            // The database had it before the cluster.
            match step {
                Step::Bulk | Step::Averages => drop(self.stored.insert(id)),
                Step::Swap => {}
                Step::Clear => self.stored.clear(),
            }
            if is_held {
                return Middle { hold, doing };
            }
            println!("{step:?}: the other server was faster");
            doing.join().expect("it ends");
            self.both_find_what_is_stored();
        }
        panic!("the request never came from server {at}");
    }

    /// Lets a server do `step`. Nobody waits for its response: the server is going to be killed or paused.
    fn do_step(&self, at: usize, step: Step, document: Value) -> JoinHandle<()> {
        let (keys, client) = (self.keys.clone(), self.client(at).clone());
        let reindex = self.server.later(NAMES[at], &["reindex"]);
        let feed = move |path: &str, body: Value| {
            let send = || keys.feed(&client, "POST", path).json(&body).try_send();
            // On a busy machine the index may lag, and the feed be slowed down.
            while send().is_some_and(|reply| reply.status == 503) {}
        };
        std::thread::spawn(move || match step {
            Step::Bulk | Step::Averages => feed(
                "/products/bulk",
                json!({"language": "es", "documents": document}),
            ),
            Step::Swap => drop(reindex()),
            Step::Clear => feed("/products/clear", json!({})),
        })
    }

    /// Deletes everything, so that the next document changes the average lengths.
    fn clear(&mut self, at: usize) {
        let clearing = self.do_step(at, Step::Clear, Value::Null);
        clearing.join().expect("it ends");
        self.stored.clear();
        self.both_find_what_is_stored();
    }

    /// Waits until no server writes.
    fn wait_quiet(&self) {
        let check =
            "DO $$ BEGIN ASSERT NOT EXISTS (SELECT FROM leases WHERE name LIKE 'index/%'); END $$";
        eventually("no server writes", || self.server.sql("shop", check));
    }

    fn kill(&mut self, at: usize, middle: Middle) {
        self.nodes[at].end();
        // With it, what the cluster has not received is lost, or the response.
        drop(middle.hold);
        middle.doing.join().expect("it ends");
    }

    fn start_again(&mut self, at: usize) {
        self.nodes[at] = serve(&mut self.server, &self.proxies, at);
    }

    fn both_find_what_is_stored(&self) {
        for at in [0, 1] {
            eventually("what is stored is found, and nothing else", || {
                self.finds_what_is_stored(at)
            });
        }
    }

    fn finds_what_is_stored(&self, at: usize) -> bool {
        // Without a response, nothing is known.
        let found = self.keys.found(self.client(at), "es", "bota");
        found == Some(self.stored.len() as u64)
            && self.keys.try_ids(self.client(at), "bota").as_ref() == Some(&self.stored)
    }

    /// Everything is as if nothing had happened.
    fn all_is_well(&mut self) {
        for at in [0, 1] {
            self.send(at, &format!("last-{at}"));
        }
        self.both_find_what_is_stored();
        for node in NAMES {
            self.server.check(node);
        }
        assert_eq!(self.server.run("a", &["reindex"]).status, 0);
        self.both_find_what_is_stored();
        // Only the one in use is left.
        eventually("former generations are deleted", || {
            indexes(&self.server).len() == 1
        });
    }
}

fn serve(server: &mut Server, proxies: &[HeldProxy; 2], at: usize) -> Binary {
    server.more = variables(server, &[&proxies[at].address]);
    server.serve(NAMES[at])
}

/// The request of a round at which a server is stopped, and on which side of the cluster.
fn moment(step: Step, round: usize) -> (&'static str, Place) {
    let requests = step.requests();
    let place = match round % 2 {
        0 => Place::BeforeCluster,
        _ => Place::AfterCluster,
    };
    (requests[round / 2 % requests.len()], place)
}

fn killed_in_the_middle(step: Step) {
    let Some(mut pair) = Pair::start() else {
        return;
    };
    let rounds = match step {
        Step::Bulk | Step::Swap | Step::Clear => rounds(),
        // Most of the time of each is waiting for the other server's next look.
        Step::Averages => rounds().div_ceil(5),
    };
    for round in 0..rounds as usize {
        let at = round / 3 % 2;
        let middle = pair.begin((at, step), moment(step, round));
        pair.kill(at, middle);
        if step == Step::Averages {
            eventually("the other server opens the index", || {
                pair.finds_what_is_stored(1 - at)
            });
        }
        pair.start_again(at);
        pair.send(1 - at, &format!("after-{round}"));
        pair.both_find_what_is_stored();
    }
    pair.all_is_well();
}

#[test]
fn a_server_is_killed_in_a_bulk() {
    killed_in_the_middle(Step::Bulk);
}

#[test]
fn a_server_is_killed_in_a_swap() {
    killed_in_the_middle(Step::Swap);
}

#[test]
fn a_server_is_killed_in_a_clear() {
    killed_in_the_middle(Step::Clear);
}

#[test]
fn a_server_is_killed_in_a_change_of_averages() {
    killed_in_the_middle(Step::Averages);
}

#[test]
fn a_paused_server_changes_nothing_of_the_next_one() {
    let Some(mut pair) = Pair::start() else {
        return;
    };
    for step in [Step::Bulk, Step::Swap, Step::Clear] {
        let middle = pair.begin((0, step), (step.requests()[0], Place::BeforeCluster));
        pair.nodes[0].signal("STOP");
        pair.send(1, &format!("meanwhile-{step:?}"));
        // Once the lease of the paused one has ended.
        eventually("the other server goes on", || pair.finds_what_is_stored(1));
        if step == Step::Swap {
            assert_eq!(pair.server.run("b", &["reindex"]).status, 0);
        }
        pair.nodes[0].signal("CONT");
        middle.hold.release();
        middle.doing.join().expect("it ends");
        pair.both_find_what_is_stored();
    }
    let log = std::fs::read_to_string(pair.server.file("log-of-node")).expect("a log");
    assert!(
        log.contains("Overtaken"),
        "the swap of the paused server succeeded"
    );
    pair.all_is_well();
}
