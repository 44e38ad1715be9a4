//! 1. `store set` changes status, plan and purge breaker, takes effect at once with a running server, and prints the
//!    id.
//! 2. Without an option it is wrong usage, and so is a value that does not exist; an unknown store is a failure.
//! 3. `run list` shows the runs and their held purges, `run release` releases them and prints their ids.

use crate::harness::{Binary, Outcome, eventually, findwell};
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

struct Owner {
    data: TempDir,
    server: Binary,
    store: String,
    connector: String,
}

impl Owner {
    fn new() -> Self {
        let data = TempDir::new().expect("a directory");
        let store = findwell(
            data.path(),
            &["store", "create", "--name", "S", "--language", "es"],
        )
        .line()
        .to_owned();
        let server = Binary::serve(data.path());
        let arguments = ["key", "create", "--store", &store, "--kind", "connector"];
        let connector = findwell(data.path(), &arguments).line().to_owned();
        Self {
            data,
            server,
            store,
            connector,
        }
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        findwell(self.data.path(), arguments)
    }

    fn set(&self, options: &[&str]) -> Outcome {
        self.run(&[&["store", "set", &self.store], options].concat())
    }

    fn feed(&self, path: &str, body: &Value) -> crate::harness::Reply {
        let call = self
            .server
            .client
            .call("POST", format!("/api/v1/feed{path}"));
        call.key(&self.connector).json(body).send()
    }
}

#[test]
fn store_set_takes_effect_at_once() {
    let owner = Owner::new();
    let indexes = json!({"types": ["products"], "languages": [{"code": "es"}]});
    assert_eq!(owner.set(&["--status", "paused"]).line(), owner.store);
    owner
        .feed("/indices", &indexes)
        .error(403, "store_suspended");
    let plan = owner.data.path().join("plan.json");
    fs::write(&plan, r#"{"plan": "pro", "maxDocuments": {"products": 1}}"#).expect("written");
    let plan = plan.to_str().expect("a path");
    let set = owner.set(&[
        "--status",
        "active",
        "--plan",
        plan,
        "--purge-breaker",
        "off",
        "--json",
    ]);
    let expected = json!({
        "id": owner.store, "status": "active", "purgeBreaker": false,
        "plan": {"plan": "pro", "maxDocuments": {"products": 1}}, "url": "", "platform": "", "impactGate": null
    });
    assert_eq!(set.json(), expected);
    owner.feed("/indices", &indexes).ok();
    let two = json!({"language": "es", "documents": [{"id": "1", "name": "a"}, {"id": "2", "name": "b"}]});
    let report = owner.feed("/products/bulk", &two).ok();
    assert_eq!(report.data()["rejected"][0]["code"], "plan_limit");
    let line = owner.run(&["store", "list"]);
    assert!(line.line().contains("\tactive\t"), "{line:?}");
}

#[test]
fn wrong_usage_is_reported() {
    let owner = Owner::new();
    let plan = |name: &str, text: &str| {
        let file = owner.data.path().join(name);
        fs::write(&file, text).expect("written");
        file.to_string_lossy().into_owned()
    };
    for options in [
        &[][..],
        &["--status", "closed"],
        &["--purge-breaker", "maybe"],
        &["--plan", "/nowhere.json"],
        &["--plan", &plan("list", "[]")],
        &["--plan", &plan("key", r#"{"maxTiers": 3}"#)],
        &[
            "--plan",
            &plan("type", r#"{"maxDocuments": {"widgets": 5}}"#),
        ],
    ] {
        let failed = owner.set(options);
        assert_eq!(
            (failed.status, failed.stdout.as_str()),
            (2, ""),
            "{failed:?}"
        );
        assert!(!failed.stderr.is_empty());
    }
    let unknown = owner.run(&["store", "set", "nobody", "--status", "active"]);
    assert_eq!(unknown.status, 1, "{unknown:?}");
    for arguments in [
        &["run", "list", "--store", "nobody"][..],
        &["run", "release", "--store", &owner.store, "run_never"],
    ] {
        let failed = owner.run(arguments);
        assert_eq!(
            (failed.status, failed.stdout.as_str()),
            (1, ""),
            "{failed:?}"
        );
    }
    assert_eq!(owner.run(&["run", "list"]).status, 2);
}

#[test]
fn held_purges_are_listed_and_released() {
    let owner = Owner::new();
    let indexes = json!({"types": ["products"], "languages": [{"code": "es"}]});
    owner.feed("/indices", &indexes).ok();
    let documents: Vec<Value> = (0..60)
        .map(|id| json!({"id": id.to_string(), "name": "Bota"}))
        .collect();
    let block = json!({"language": "es", "documents": documents});
    owner.feed("/products/bulk", &block).ok();
    let new =
        json!({"clientRunId": "a", "mode": "full", "types": ["products"], "languages": ["es"]});
    let opened = owner.feed("/runs", &new).ok();
    let run = opened.data()["runId"].as_str().expect("a run").to_owned();
    let one = json!({"language": "es", "runId": run, "documents": [documents[0]]});
    owner.feed("/products/bulk", &one).ok();
    let scopes =
        json!({"scopes": [{"type": "products", "language": "es", "sent": 1, "touched": 0}]});
    let closed = owner.feed(&format!("/runs/{run}/close"), &scopes).ok();
    assert_eq!(closed.data()["scopes"][0]["status"], "held");

    let list = owner.run(&["run", "list", "--store", &owner.store]);
    let cells: Vec<&str> = list.line().split('\t').collect();
    assert_eq!(cells[..3], [&run, "held", "full"]);
    assert_eq!(cells[4], "products/es:59");
    let released = owner.run(&["run", "release", "--store", &owner.store]);
    assert_eq!(released.line(), run);
    let full = owner
        .run(&["run", "list", "--store", &owner.store, "--json"])
        .json();
    assert_eq!(
        (&full[0]["state"], &full[0]["scopes"][0]["purged"]),
        (&json!("closed"), &json!(59))
    );
    let again = owner.run(&["run", "release", "--store", &owner.store]);
    assert_eq!((again.status, again.stdout.as_str()), (0, ""));
    assert!(again.stderr.contains("nothing is held back"));
    let key = owner.feed("/public-key", &json!({"instanceId": "i"})).ok();
    let key = key.data()["publicKey"].as_str().expect("a key").to_owned();
    eventually("one product is left", || {
        let call = owner.server.client.call("GET", "/api/v1/search");
        call.key(&key).send().ok().data()["products"]["total"] == 1
    });
}
