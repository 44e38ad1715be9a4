//! 1. While one of two servers is killed and started again under load, now one and now the other, no search on the other fails.
//! 2. Nothing that either acknowledged is lost, both find the same in the end, and their indexes are what the database says.

use super::on_postgresql::Server;
use super::two_nodes::{Keys, bota};
use crate::harness::{Binary, Client, eventually};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Kills of a run of the tests; more with `FINDWELL_KILLS`.
const ROUNDS: u32 = 20;
/// Blocks that are acknowledged between two kills.
const BLOCKS: u32 = 10;
const NAMES: [&str; 2] = ["a", "b"];

/// The number of kills of this run.
pub fn rounds() -> u32 {
    let rounds = std::env::var("FINDWELL_KILLS").ok();
    rounds.and_then(|text| text.parse().ok()).unwrap_or(ROUNDS)
}

struct Load<'a> {
    keys: &'a Keys,
    acknowledged: Mutex<BTreeSet<String>>,
    searches: AtomicU32,
    is_over: AtomicBool,
}

impl Load<'_> {
    /// Sends documents until `count` are acknowledged or the server is gone.
    fn feed(&self, client: &Client, name: &str, count: u32) {
        for at in 0..count {
            let id = format!("{name}-{at}");
            if !self.keys.try_send(client, "es", &bota(&id)) {
                return;
            }
            self.acknowledged.lock().expect("no panic").insert(id);
        }
    }

    /// Kills one of the servers while both are fed and the other one is searched, and starts it again.
    fn kill_one(&self, server: &Server, nodes: &mut [Binary; 2], round: u32) {
        let dies = round as usize % 2;
        let clients = [0, 1].map(|at| nodes[at].client.clone());
        let (stays, gone) = (&clients[1 - dies], &clients[dies]);
        self.is_over.store(false, Ordering::Relaxed);
        std::thread::scope(|scope| {
            scope.spawn(|| self.search(stays));
            let other = scope.spawn(|| self.feed(stays, &format!("s{round}"), BLOCKS));
            scope.spawn(|| self.feed(gone, &format!("d{round}"), u32::MAX));
            other.join().expect("the other server goes on");
            nodes[dies].end();
            nodes[dies] = server.serve(NAMES[dies]);
            let client = &nodes[dies].client;
            eventually("it is ready", || {
                client.call("GET", "/readyz").send().status == 200
            });
            self.is_over.store(true, Ordering::Relaxed);
        });
    }

    /// Searches until it is over; each search has to succeed.
    fn search(&self, client: &Client) {
        while !self.is_over.load(Ordering::Relaxed) {
            let found = self.keys.found(client, "es", "bota");
            assert!(found.is_some(), "a search failed");
            self.searches.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[test]
fn nothing_acknowledged_is_lost_and_no_search_fails() {
    let Some(server) = Server::start() else {
        return;
    };
    let keys = Keys::of(&server);
    let mut nodes = NAMES.map(|name| server.serve(name));
    keys.prepare(&nodes[0].client, &["es"]);
    keys.send(&nodes[0].client, "es", &bota("first"));
    let load = Load {
        keys: &keys,
        acknowledged: Mutex::new(BTreeSet::from(["first".to_owned()])),
        searches: AtomicU32::new(0),
        is_over: AtomicBool::new(false),
    };
    let rounds = rounds();
    for round in 0..rounds {
        load.kill_one(&server, &mut nodes, round);
    }
    let acknowledged = load.acknowledged.into_inner().expect("no panic");
    let count = acknowledged.len() as u64;
    for node in &nodes {
        // What was sent but not acknowledged may be there, too.
        eventually("all that was acknowledged is found", || {
            keys.found(&node.client, "es", "bota")
                .is_some_and(|found| found >= count)
        });
        let found = keys.ids(&node.client, "bota");
        let lost: Vec<&String> = acknowledged.difference(&found).collect();
        assert!(lost.is_empty(), "lost: {lost:?}");
    }
    let found = |node: &Binary| keys.found(&node.client, "es", "bota");
    eventually("both find the same", || {
        found(&nodes[0]) == found(&nodes[1])
    });
    for node in NAMES {
        server.check(node);
    }
    eprintln!(
        "{rounds} kills, {count} acknowledged, {} searches",
        load.searches.into_inner()
    );
}
