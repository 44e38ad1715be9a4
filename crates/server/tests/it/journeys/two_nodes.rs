//! Two servers on one database, each with indexes of its own.
//!
//! 1. Documents and configuration that one acknowledged are in effect on the other within three seconds; a new language, too.
//! 2. Whoever saved something on one and tries it on the other sees it at once.
//! 3. Both take documents of one store at once, and find the same in the end.
//! 4. What one acknowledged before it was killed is found on the other, which goes on; a new one fills its indexes first.
//! 5. One that copies the indexes of another, which runs, builds none; without indexes to copy it does not start.
//! 6. A rebuild that one is asked for is one of both, also of one that is away meanwhile.
//! 7. A deleted store is gone on both, its files, too.

use super::on_postgresql::Server;
use crate::harness::{Binary, Call, Client, Outcome, eventually, product};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

/// Within which a change on one server is in effect on the other.
const BOUND: Duration = Duration::from_secs(3);

#[derive(Clone)]
pub struct Keys {
    store: String,
    connector: String,
    pub search: String,
    write: String,
}

impl Keys {
    pub fn of(server: &Server) -> Self {
        Self::of_language(server, "es")
    }

    /// Those of a new store with this language.
    pub fn of_language(server: &Server, language: &str) -> Self {
        Self::made_by(&|arguments| server.run("a", arguments), language)
    }

    /// A new store with this language and its keys, made by commands.
    pub fn made_by(command: &dyn Fn(&[&str]) -> Outcome, language: &str) -> Self {
        let run = |arguments: &[&str]| command(arguments).line().to_owned();
        let store = run(&["store", "create", "--name", "x", "--language", language]);
        let key =
            |kind: &[&str]| run(&[&["key", "create", "--store", &store, "--kind"], kind].concat());
        Self {
            connector: key(&["connector"]),
            search: key(&["search-only"]),
            write: key(&["configuration", "--scope", "config:write", "--name", "k"]),
            store,
        }
    }

    pub fn send(&self, client: &Client, language: &str, documents: &Value) {
        let bulk = json!({"language": language, "documents": documents});
        let call = client.call("POST", "/api/v1/feed/products/bulk");
        call.key(&self.connector).json(&bulk).send().ok();
    }

    /// Creates the indexes of products in these languages.
    pub fn prepare(&self, client: &Client, languages: &[&str]) {
        let codes: Vec<Value> = languages.iter().map(|code| json!({"code": code})).collect();
        let indices = json!({"types": ["products"], "languages": codes});
        let call = client.call("POST", "/api/v1/feed/indices");
        call.key(&self.connector).json(&indices).send().ok();
    }

    /// Creates the index of products, with so many boots whose ids are their numbers.
    pub fn fill(&self, client: &Client, count: u64) {
        self.prepare(client, &["es"]);
        let numbers = (0..count).map(|at| at.to_string());
        let documents = numbers.map(|id| product(&id, &format!("Bota {id}")));
        self.send(client, "es", &Value::Array(documents.collect()));
    }

    /// Sends documents; returns whether they were acknowledged.
    pub fn try_send(&self, client: &Client, language: &str, documents: &Value) -> bool {
        let bulk = json!({"language": language, "documents": documents});
        let call = client.call("POST", "/api/v1/feed/products/bulk");
        let reply = call.key(&self.connector).json(&bulk).try_send();
        reply.is_some_and(|reply| reply.status == 200)
    }

    /// The ids of all products that a search finds.
    pub fn ids(&self, client: &Client, q: &str) -> BTreeSet<String> {
        self.try_ids(client, q).expect("every page is served")
    }

    /// As [`Keys::ids`]; none where a page is not served.
    pub fn try_ids(&self, client: &Client, q: &str) -> Option<BTreeSet<String>> {
        let mut ids = BTreeSet::new();
        for page in 1..=100 {
            let path = format!("/api/v1/search?q={q}&types=products&limit=100&lang=es&page={page}");
            let reply = client.call("GET", path).key(&self.search).try_send()?;
            if reply.status != 200 {
                return None;
            }
            let hits = reply.data()["products"]["hits"].as_array().cloned();
            let hits = hits.unwrap_or_default();
            if hits.is_empty() {
                break;
            }
            ids.extend(
                hits.iter()
                    .filter_map(|hit| Some(hit["id"].as_str()?.to_owned())),
            );
        }
        Some(ids)
    }

    /// A call of the feed.
    pub fn feed<'a>(&self, client: &'a Client, method: &'static str, path: &str) -> Call<'a> {
        let call = client.call(method, format!("/api/v1/feed{path}"));
        call.key(&self.connector)
    }

    /// The command that lists the audit trail of the store.
    pub fn audit(&self) -> [&str; 7] {
        [
            "audit",
            "list",
            "--store",
            &self.store,
            "--limit",
            "1000",
            "--json",
        ]
    }

    /// A call of the owner on the store.
    pub fn of_store<'a>(&self, client: &'a Client, method: &'static str, path: &str) -> Call<'a> {
        let path = format!("/api/v1/stores/{}{path}", self.store);
        client.call(method, path).key(&self.write)
    }

    pub fn own(&self, client: &Client, method: &'static str, path: &str, body: &Value) -> Value {
        let path = format!("/api/v1/stores/{}{path}", self.store);
        let call = client.call(method, path).key(&self.write).json(body);
        call.send().ok().data().clone()
    }

    /// The number of products that a search finds; `None` without a response.
    pub fn found(&self, client: &Client, language: &str, q: &str) -> Option<u64> {
        let path = format!("/api/v1/search?q={q}&types=products&limit=1&lang={language}");
        let reply = client.call("GET", path).key(&self.search).send();
        reply.json["data"]["products"]["total"].as_u64()
    }

    /// Waits until a search finds so many; returns how long that took.
    #[expect(clippy::disallowed_methods, reason = "what is promised is a time")]
    fn until(&self, client: &Client, (language, q): (&str, &str), count: u64) -> Duration {
        let since = Instant::now();
        eventually("the other server follows", || {
            self.found(client, language, q) == Some(count)
        });
        since.elapsed()
    }
}

pub fn bota(id: &str) -> Value {
    json!([product(id, &format!("Bota {id}"))])
}

fn two() -> Option<(Server, Keys, Binary, Binary)> {
    let server = Server::start()?;
    let keys = Keys::of(&server);
    let (a, b) = (server.serve("a"), server.serve("b"));
    keys.prepare(&a.client, &["es"]);
    Some((server, keys, a, b))
}

#[test]
fn a_change_on_one_is_in_effect_on_the_other() {
    let Some((_server, keys, a, b)) = two() else {
        return;
    };
    let (a, b) = (&a.client, &b.client);
    let mut took = Vec::new();
    for round in 1..=8 {
        let (here, there) = if round % 2 == 0 { (a, b) } else { (b, a) };
        keys.send(here, "es", &bota(&format!("p{round}")));
        took.push(keys.until(there, ("es", "bota"), round));
        let word = format!("zueco{round}");
        let group = json!({"language": "es", "terms": ["bota", word]});
        keys.own(here, "POST", "/synonyms", &group);
        // Tried at once: nobody waits for what was saved.
        let tried = json!({"q": word, "lang": "es"});
        let tried = keys.own(there, "POST", "/relevance/test", &tried);
        assert!(tried.to_string().contains("Bota"), "{tried}");
        took.push(keys.until(there, ("es", &word), round));
    }
    // Machines of tests are slow at times, not always.
    took.sort();
    eprintln!("one follows the other within {took:?}");
    assert!(took[took.len() * 3 / 4] <= BOUND, "{took:?}");
    keys.prepare(a, &["es", "fr"]);
    keys.send(a, "fr", &json!([product("f", "Botte")]));
    keys.until(b, ("fr", "botte"), 1);
}

#[test]
fn both_take_documents_and_one_is_killed() {
    let Some((server, keys, mut a, b)) = two() else {
        return;
    };
    std::thread::scope(|scope| {
        for (name, client) in [("a", &a.client), ("b", &b.client)] {
            let keys = &keys;
            scope.spawn(move || {
                for at in 0..30 {
                    keys.send(client, "es", &bota(&format!("{name}{at}")));
                    // Both write this one.
                    keys.send(client, "es", &bota(&format!("both{at}")));
                }
            });
        }
    });
    keys.send(&a.client, "es", &bota("last"));
    a.end();
    keys.until(&b.client, ("es", "bota"), 91);
    let c = server.serve("c");
    eventually("the new server is ready", || {
        c.client.call("GET", "/readyz").send().status == 200
    });
    assert_eq!(keys.found(&c.client, "es", "bota"), Some(91));
    for node in ["b", "c"] {
        server.check(node);
    }
}

#[test]
fn a_new_server_copies_indexes() {
    let Some((mut server, keys, a, b)) = two() else {
        return;
    };
    let many: Vec<Value> = (0..50)
        .map(|at| product(&format!("p{at}"), "Bota"))
        .collect();
    keys.send(&a.client, "es", &Value::Array(many));
    keys.until(&b.client, ("es", "bota"), 50);
    let from = |server: &mut Server, node: &str| {
        let path = server.file(node).to_str().expect("UTF-8").to_owned();
        server.more = vec![("FINDWELL_COPY_INDEXES_FROM", path)];
    };
    let built = |server: &Server| {
        let log = fs::read_to_string(server.file("log-of-node")).expect("a log");
        log.matches("building it from storage").count()
    };
    let before = built(&server);
    from(&mut server, "a");
    let c = server.serve("c");
    keys.send(&b.client, "es", &bota("later"));
    keys.until(&c.client, ("es", "bota"), 51);
    assert_eq!(built(&server), before);
    for node in ["a", "c"] {
        server.check(node);
    }
    // What it has stays as it is, so the option may stay.
    drop(c);
    let c = server.serve("c");
    keys.until(&c.client, ("es", "bota"), 51);
    assert_eq!(built(&server), before);

    from(&mut server, "nothing");
    let refused = server.run("d", &["serve", "--listen", "127.0.0.1:0"]);
    assert!(
        refused.status != 0 && refused.stderr.contains("--copy-indexes-from"),
        "{refused:?}"
    );
}

/// The generations of the only index of a node.
fn generations(server: &Server, node: &str) -> BTreeSet<String> {
    let indexes = fs::read_dir(server.file(node).join("indexes")).expect("indexes");
    let index = indexes.map(|entry| entry.expect("an entry").path()).next();
    let generations = fs::read_dir(index.expect("an index")).expect("generations");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    generations
        .map(|entry| name(entry).to_string_lossy().into_owned())
        .collect()
}

#[test]
fn a_reindex_is_one_of_all() {
    let Some((server, keys, a, b)) = two() else {
        return;
    };
    let many: Vec<Value> = (0..20)
        .map(|at| product(&format!("p{at}"), "Bota"))
        .collect();
    keys.send(&a.client, "es", &Value::Array(many));
    keys.until(&b.client, ("es", "bota"), 20);
    let both = || (generations(&server, "a"), generations(&server, "b"));
    let reindex = || {
        let done = server.run("a", &["reindex", "--json"]);
        assert_eq!(done.status, 0, "{done:?}");
        let rebuilt = done.json();
        assert_eq!(rebuilt.as_array().map(Vec::len), Some(1), "{rebuilt}");
        assert_eq!(
            (&rebuilt[0]["state"], &rebuilt[0]["documents"]),
            (&json!("done"), &json!(20))
        );
    };
    let before = both();
    reindex();
    let after = both();
    assert!(
        before.0.is_disjoint(&after.0) && before.1.is_disjoint(&after.1),
        "{before:?} {after:?}"
    );
    drop(b);
    let b = std::thread::scope(|scope| {
        let waiting = scope.spawn(reindex);
        let b = server.serve("b");
        waiting.join().expect("is done");
        b
    });
    assert!(after.1.is_disjoint(&both().1));
    assert_eq!(keys.found(&b.client, "es", "bota"), Some(20));
}

#[test]
fn a_deleted_store_is_gone_on_both() {
    let Some((server, keys, a, b)) = two() else {
        return;
    };
    keys.send(&a.client, "es", &bota("1"));
    keys.until(&b.client, ("es", "bota"), 1);
    let folders = |node: &str| {
        let indexes = server.file(node).join("indexes");
        fs::read_dir(indexes).map_or(0, Iterator::count)
    };
    assert_eq!((folders("a"), folders("b")), (1, 1));
    let delete = |more: &[&str]| {
        let delete = ["store", "delete", &keys.store, "--name", "x"];
        server.run("a", &[&delete, more].concat()).line().to_owned()
    };
    delete(&[]);
    for client in [&a.client, &b.client] {
        assert_eq!(keys.found(client, "es", "bota"), None);
    }
    delete(&["--now"]);
    eventually("the files are gone", || {
        (folders("a"), folders("b")) == (0, 0)
    });
}
