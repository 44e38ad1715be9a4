//! 1. A shop in a directory is moved to a server and back into another directory by commands: its products, keys and
//!    search log are there, the secrets can be read, and every table has as many rows as before.
//! 2. A place that is in use, that has data, or that is the same one, and a key that differs are refused with the reason;
//!    nothing changes.

use crate::cluster::{Cluster, SUPERUSER};
use crate::harness::{Binary, Client, Outcome, command, eventually, outcome, product};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const PRODUCTS: u64 = 300;

struct Places {
    cluster: Cluster,
}

impl Places {
    /// A server with empty databases; `None` where there is no PostgreSQL.
    fn start() -> Option<Self> {
        let cluster = Cluster::start(None, &[])?;
        for database in ["shop", "shop_log"] {
            let create = format!("CREATE DATABASE {database}");
            assert!(cluster.sql("postgres", &create), "{}", cluster.log());
        }
        Some(Self { cluster })
    }

    fn url(&self, database: &str) -> String {
        let folder = self.cluster.folder().display();
        format!("postgres://{SUPERUSER}@localhost/{database}?host={folder}")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.cluster.folder().join(name)
    }

    fn path(&self, name: &str) -> String {
        self.file(name).to_str().expect("UTF-8").to_owned()
    }

    fn in_directory(&self, name: &str, arguments: &[&str]) -> Command {
        let dir = self.file(name);
        fs::create_dir_all(&dir).expect("created");
        command(&dir, arguments)
    }

    fn on_server(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = self.in_directory(name, arguments);
        command
            .env("FINDWELL_DATABASE", self.url("shop"))
            .env("FINDWELL_ANALYTICS_DATABASE", self.url("shop_log"))
            .env("FINDWELL_MASTER_KEY_FILE", self.file("shared.key"));
        command
    }

    /// Moves the directory `name` to the server.
    fn move_there(&self, name: &str) -> Outcome {
        let to = [
            "move",
            "--json",
            "--to",
            &self.url("shop"),
            "--to-analytics-database",
            &self.url("shop_log"),
            "--to-master-key-file",
            &self.path("shared.key"),
        ];
        outcome(&mut self.in_directory(name, &to))
    }
}

fn serve(mut command: Command) -> Binary {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    Binary::of(child.expect("the binary runs"))
}

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

/// Creates a store with products of an import and of a connector, whose key has a secret.
fn fill(places: &Places) -> (String, Binary) {
    let run = |arguments: &[&str]| {
        let outcome = outcome(&mut places.in_directory("first", arguments));
        assert_eq!(outcome.status, 0, "{outcome:?}");
        outcome.stdout.trim().to_owned()
    };
    let store = run(&["store", "create", "--name", "x", "--language", "es"]);
    let lines = (1..PRODUCTS).map(|at| format!("{{\"id\": \"{at}\", \"name\": \"Bota {at}\"}}\n"));
    let catalogue = places.path("products.ndjson");
    fs::write(&catalogue, lines.collect::<String>()).expect("written");
    run(&["import", "--store", &store, "--language", "es", &catalogue]);
    let search = run(&["key", "create", "--store", &store, "--kind", "search-only"]);
    let connector = run(&["key", "create", "--store", &store, "--kind", "connector"]);
    let node = serve(places.in_directory("first", &SERVE));
    let bulk = json!({"language": "es", "documents": [product("new", "Bota nueva")]});
    let call = node.client.call("POST", "/api/v1/feed/products/bulk");
    call.key(&connector).json(&bulk).send().ok();
    let installed = json!({"instanceId": "shop-1", "origin": "https://shop.example"});
    let call = node.client.call("POST", "/api/v1/feed/public-key");
    call.key(&connector).json(&installed).send().ok();
    eventually("all products are found", || {
        found(&node.client, &search) == Some(PRODUCTS)
    });
    (search, node)
}

fn found(client: &Client, key: &str) -> Option<u64> {
    let call = client.call("GET", "/api/v1/search?q=bota&types=products&limit=1");
    let reply = call.key(key).send();
    reply.json["data"]["products"]["total"].as_u64()
}

#[test]
fn a_shop_is_moved_to_a_server_and_back() {
    let Some(places) = Places::start() else {
        return;
    };
    let (key, mut node) = fill(&places);
    let in_use = places.move_there("first");
    assert_eq!(in_use.status, 1, "{in_use:?}");
    assert!(in_use.stderr.contains("is in use by another"), "{in_use:?}");
    assert_eq!(node.stop(), 0);

    let there = places.move_there("first");
    assert_eq!(there.status, 0, "{there:?}");
    assert!(there.stderr.contains("each compared"), "{there:?}");
    let there = there.json();
    assert_eq!(there["resumed"], false);
    let log = there["searchLog"].as_array().expect("tables");
    assert!(log.iter().any(|table| table["rows"] != 0), "{log:?}");
    // The directory has indexes of the same documents: nothing is built anew.
    let mut node = serve(places.on_server("first", &SERVE));
    assert_eq!(found(&node.client, &key), Some(PRODUCTS));
    assert_eq!(node.stop(), 0);
    let check = outcome(&mut places.on_server("first", &["check", "--json"]));
    assert_eq!((check.status, check.json()), (0, json!([])), "{check:?}");

    let to = ["move", "--json", "--to", &places.path("second")];
    let back = outcome(&mut places.on_server("first", &to));
    assert_eq!(back.status, 0, "{back:?}");
    // The start on the server sealed a word, and offered a link to the first owner.
    let tables = |moved: &Value| {
        let all = moved["tables"].as_array().expect("tables").clone();
        let kept = all
            .into_iter()
            .filter(|table| table["table"] != "seals" && table["table"] != "links");
        kept.collect::<Vec<_>>()
    };
    assert_eq!(tables(&there), tables(&back.json()));
    let mut node = serve(places.in_directory("second", &SERVE));
    eventually("all products are found again", || {
        found(&node.client, &key) == Some(PRODUCTS)
    });
    assert_eq!(node.stop(), 0);
}

#[test]
fn what_cannot_be_moved_stays() {
    let Some(places) = Places::start() else {
        return;
    };
    let (_, mut node) = fill(&places);
    assert_eq!(node.stop(), 0);
    let here = ["move", "--to", &places.path("first")];
    let same = outcome(&mut places.in_directory("first", &here));
    assert!(
        same.status == 1 && same.stderr.contains("already"),
        "{same:?}"
    );
    let keyless = ["move", "--to", &places.url("shop")];
    let keyless = outcome(&mut places.in_directory("first", &keyless));
    assert!(
        keyless.status == 2 && keyless.stderr.contains("--to-master-key-file"),
        "{keyless:?}"
    );
    fs::write(places.file("shared.key"), [9; 32]).expect("written");
    let other_key = places.move_there("first");
    assert!(
        other_key.status == 1 && other_key.stderr.contains("another key"),
        "{other_key:?}"
    );
    fs::remove_file(places.file("shared.key")).expect("removed");
    assert_eq!(places.move_there("first").status, 0);
    let full = places.move_there("first");
    assert!(
        full.status == 1 && full.stderr.contains("holds data already"),
        "{full:?}"
    );
    let nothing = outcome(&mut places.in_directory("nowhere", &["move", "--to", "x"]));
    assert_eq!(nothing.status, 1, "{nothing:?}");
    let left = fs::read_dir(places.file("nowhere")).expect("a directory");
    assert_eq!(left.count(), 0, "no lock, no database");
}
