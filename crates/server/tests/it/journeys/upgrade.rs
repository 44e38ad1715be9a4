//! Two servers of the version before, behind nginx, are replaced one by one by servers of this version under load. It needs the
//! binary of that version, so it runs by `cargo xtask upgrade`; with indexes on OpenSearch where a node runs, too.
//!
//! 1. No search fails, and none misses what was there before.
//! 2. What is sent and saved meanwhile is acknowledged or refused as unavailable, and what was acknowledged is there afterwards.
//! 3. A page of the panel loads with all of its files, at the latest when it loads itself again; the widget loads at once.
//! 4. While both versions run, each finds what the other one takes.

use super::behind_nginx::{Proxy, node_of};
use super::on_opensearch::variables;
use super::on_postgresql::Server;
use super::two_nodes::{Keys, bota};
use crate::harness::{Binary, Client, Reply, eventually, free_ports, product};
use crate::nginx::Nginx;
use crate::opensearch_node;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The binary of the version before.
const BEFORE: &str = "FINDWELL_BEFORE";
/// Documents at first.
const DOCUMENTS: u64 = 200;
/// Searches between two steps.
const STEP: u32 = 40;
const NAMES: [&str; 2] = ["a", "b"];

/// What shoppers, a shop and an owner do all the time.
struct Load<'a> {
    keys: &'a Keys,
    proxy: &'a Client,
    is_over: AtomicBool,
    searches: AtomicU32,
    sent: Mutex<BTreeSet<String>>,
    /// The last boost of names that was acknowledged, and one that perhaps was saved.
    boost: Mutex<(u32, u32)>,
}

impl Load<'_> {
    fn shop(&self) {
        let mut at = 0;
        while !self.is_over.load(Ordering::Relaxed) {
            let id = format!("sent-{at}");
            if self.keys.try_send(self.proxy, "es", &bota(&id)) {
                self.sent.lock().expect("no panic").insert(id);
                at += 1;
            }
        }
    }

    fn shoppers(&self) {
        while !self.is_over.load(Ordering::Relaxed) {
            let number = self.searches.fetch_add(1, Ordering::Relaxed);
            let path = format!("/api/v1/search?q=bota+zapato{number}&types=products&lang=es");
            let call = self.proxy.call("GET", path).key(&self.keys.search);
            let call = call.header("X-Forwarded-For", &format!("192.0.2.{}", number % 200 + 1));
            let found = call.send().ok();
            let total = found.data()["products"]["total"].as_u64();
            assert!(total >= Some(DOCUMENTS), "{found:?}");
        }
    }

    fn owner(&self) {
        for boost in (1..=9).cycle() {
            if self.is_over.load(Ordering::Relaxed) {
                break;
            }
            self.boost.lock().expect("no panic").1 = boost;
            let call = self.keys.of_store(self.proxy, "PUT", "/relevance");
            let saved = call.json(&json!({"boosts": {"name": boost}})).try_send();
            match saved {
                Some(reply) if reply.status == 200 => {
                    *self.boost.lock().expect("no panic") = (boost, boost);
                }
                Some(reply) => assert!(matches!(reply.status, 502 | 503), "{reply:?}"),
                None => {}
            }
            self.panel();
            self.widget();
        }
    }

    fn get(&self, path: &str) -> Reply {
        self.proxy.call("GET", path).send()
    }

    /// Loads a page, and once more if it is of another version than its files by then.
    fn panel(&self) {
        let loads = || {
            let page = self.get("/panel/sign-in");
            assert_eq!(page.status, 200, "{page:?}");
            let files = between(&page.text, "/panel/assets/");
            assert!(files.len() > 2, "{}", page.text);
            files.iter().all(|file| self.get(file).status == 200)
        };
        assert!(loads() || loads(), "a page does not find its files");
    }

    fn widget(&self) {
        let loader = self.get("/api/v1/widget/loader.js");
        assert_eq!(loader.status, 200, "{loader:?}");
        let names = loader.text.split('"').filter(|text| {
            let is_file = text.ends_with(".js") || text.ends_with(".css");
            is_file && text.contains('-') && !text.contains('/')
        });
        let names: Vec<&str> = names.collect();
        assert!(names.len() > 2, "{names:?}");
        for name in names {
            let file = self.get(&format!("/api/v1/widget/assets/{name}"));
            assert_eq!(file.status, 200, "{name}: {file:?}");
        }
    }

    /// Lets it go on for a while.
    fn go_on(&self) {
        let enough = self.searches.load(Ordering::Relaxed) + STEP;
        eventually("searches go on", || {
            self.searches.load(Ordering::Relaxed) >= enough
        });
    }
}

/// The paths in `text` that begin with `prefix` and end with their quotes.
fn between(text: &str, prefix: &str) -> BTreeSet<String> {
    let found = text.match_indices(prefix).map(|(at, _)| &text[at..]);
    let paths = found.filter_map(|rest| rest.split(['"', '\'', ' ', '>']).next());
    paths.map(str::to_owned).collect()
}

/// Two servers behind nginx, of the version before at first.
struct Service {
    keys: Keys,
    ports: [u16; 2],
    nodes: [Binary; 2],
    proxy: Proxy,
    // After those that use it.
    server: Server,
}

impl Service {
    /// Starts servers of the version before, with a store.
    fn start(mut server: Server) -> Self {
        let before = std::env::var_os(BEFORE).map(PathBuf::from);
        server.program = Some(before.expect("cargo xtask upgrade names a binary"));
        // The name by which the proxy calls them.
        let panel = "https://search.example".to_owned();
        server.more.push(("FINDWELL_PANEL_URL", panel));
        let ports = free_ports();
        let nodes = [0, 1].map(|at| server.serve_at(NAMES[at], ports[at]));
        let keys = Keys::of(&server);
        keys.fill(&nodes[0].client, DOCUMENTS);
        for node in &nodes {
            eventually("everything is found", || {
                keys.found(&node.client, "es", "bota") == Some(DOCUMENTS)
            });
        }
        let folder = server.file("nginx");
        std::fs::create_dir(&folder).expect("created");
        let proxy = Proxy::before(&folder, [nodes[0].client.base(), nodes[1].client.base()]);
        server.program = None;
        Self {
            keys,
            ports,
            nodes,
            proxy,
            server,
        }
    }

    /// Replaces one server by one of this version, and waits until the proxy sends it requests.
    fn replace(
        nodes: &mut [Binary; 2],
        at: usize,
        (server, ports, proxy): (&Server, [u16; 2], &Proxy),
    ) {
        assert_eq!(nodes[at].stop(), 0);
        nodes[at] = server.serve_at(NAMES[at], ports[at]);
        let client = &nodes[at].client;
        eventually("it is ready", || {
            client.call("GET", "/readyz").send().status == 200
        });
        // nginx leaves it out for ten seconds, and would have none if the other one ended meanwhile.
        let own = node_of(&client.call("GET", "/healthz").send());
        let mut shoppers = (0..200_u32).cycle();
        eventually("the proxy sends it requests again", || {
            let call = proxy.client.call("GET", "/api/v1/widget/loader.js");
            let address = format!("192.0.2.{}", shoppers.next().unwrap_or_default());
            node_of(&call.header("X-Forwarded-For", &address).send()) == own
        });
    }

    /// What was acknowledged is there on both, and everything agrees.
    fn check(&self, sent: &BTreeSet<String>, boosts: (u32, u32)) {
        assert!(sent.len() > 10 && boosts.0 > 0, "{} {boosts:?}", sent.len());
        for node in &self.nodes {
            // What was sent but not acknowledged may be there, too.
            eventually("what was acknowledged is found", || {
                sent.is_subset(&self.keys.ids(&node.client, "bota"))
            });
            let saved = self.keys.of_store(&node.client, "GET", "/relevance");
            let saved = saved.send().ok().data()["boosts"]["name"].as_f64();
            let perhaps = [boosts.0, boosts.1].map(f64::from);
            assert!(
                saved.is_some_and(|saved| perhaps.contains(&saved)),
                "{saved:?} {boosts:?}"
            );
        }
        for name in NAMES {
            self.server.check(name);
        }
    }
}

/// Each server finds what the other one takes.
fn both_take_documents(nodes: &[Binary; 2], keys: &Keys) {
    for (at, here) in nodes.iter().enumerate() {
        let there = &nodes[1 - at].client;
        let word = format!("sandalia{at}");
        let document = json!([product(&format!("mixed-{at}"), &word)]);
        eventually("a document is acknowledged", || {
            keys.try_send(&here.client, "es", &document)
        });
        eventually("the other server finds it", || {
            keys.found(there, "es", &word) == Some(1)
        });
    }
}

fn upgraded(server: Server, is_shared: bool) {
    if !Nginx::is_installed("upgrade") {
        return;
    }
    let mut service = Service::start(server);
    let load = Load {
        keys: &service.keys,
        proxy: &service.proxy.client,
        is_over: AtomicBool::new(false),
        searches: AtomicU32::new(0),
        sent: Mutex::default(),
        boost: Mutex::default(),
    };
    std::thread::scope(|scope| {
        let all = [
            scope.spawn(|| load.shoppers()),
            scope.spawn(|| load.shop()),
            scope.spawn(|| load.owner()),
        ];
        load.go_on();
        if is_shared {
            let prepared = service.server.run("prepare", &["prepare"]);
            assert_eq!(prepared.status, 0, "{prepared:?}");
        }
        for at in [0, 1] {
            let rest = (&service.server, service.ports, &service.proxy);
            Service::replace(&mut service.nodes, at, rest);
            load.go_on();
            if at == 0 {
                both_take_documents(&service.nodes, load.keys);
            }
        }
        load.is_over.store(true, Ordering::Relaxed);
        for thread in all {
            thread.join().expect("nothing failed");
        }
    });
    let searches = load.searches.into_inner();
    let sent = load.sent.into_inner().expect("no panic");
    let boosts = load.boost.into_inner().expect("no panic");
    service.check(&sent, boosts);
    eprintln!("{searches} searches, {} documents", sent.len());
}

#[test]
#[ignore = "the binary of the version before: cargo xtask upgrade"]
fn servers_are_replaced_one_by_one() {
    if let Some(server) = Server::start() {
        upgraded(server, false);
    }
}

#[test]
#[ignore = "the binary of the version before: cargo xtask upgrade"]
fn servers_with_shared_indexes_are_replaced_one_by_one() {
    let Some(cluster) = opensearch_node::address() else {
        return;
    };
    let Some(mut server) = Server::start() else {
        return;
    };
    server.more = variables(&server, &[&cluster.replace("http://", "")]);
    upgraded(server, true);
}
