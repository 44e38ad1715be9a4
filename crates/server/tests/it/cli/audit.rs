//! 1. Every write made with a key is listed, newest first, with key, operation, time, and the fields before and after.
//! 2. Writes that change nothing are listed; rejected writes, failed preconditions and simulations are not.
//! 3. Store, key, time and number narrow the list, with and without a running server.
//! 4. Wrong usage is 2, an unknown store or key is 1.

use crate::harness::{Binary, Outcome, Reply, findwell};
use serde_json::{Value, json};
use tempfile::TempDir;

fn run(data: &TempDir, line: &str) -> Outcome {
    let arguments: Vec<&str> = line.split(' ').collect();
    findwell(data.path(), &arguments)
}

/// The records that `audit list` with these options prints.
fn records(data: &TempDir, options: &str) -> Vec<Value> {
    let outcome = run(data, format!("audit list --json {options}").trim_end());
    assert_eq!(outcome.status, 0, "{outcome:?}");
    outcome.json().as_array().expect("a list").clone()
}

fn operations(records: &[Value]) -> Vec<&str> {
    let ids = records.iter().map(|r| r["operation"].as_str());
    ids.map(|id| id.expect("an id")).collect()
}

struct Key {
    id: String,
    text: String,
}

fn key(data: &TempDir, store: &str, name: &str) -> Key {
    let line = format!(
        "key create --store {store} --kind configuration --scope config:write --name {name} --json"
    );
    let created = run(data, &line).json();
    let text = |name: &str| created[name].as_str().expect("text").to_owned();
    Key {
        id: text("id"),
        text: text("key"),
    }
}

/// Sends three writes with keys, one of which changes nothing, and four requests that write nothing; returns the reply
/// to the first.
fn write_and_fail(server: &Binary, store: &str, one: &Key, two: &Key) -> Reply {
    let call = |method, path: &str, key: &Key, body: &Value| {
        let path = format!("/api/v1/stores/{store}{path}");
        server.client.call(method, path).key(&key.text).json(body)
    };
    let change = json!({"boosts": {"name": 9}});
    let first = call("PUT", "/relevance", one, &change).send().ok();
    call("PUT", "/relevance", one, &change).send().ok();
    let named = json!({"name": "New name"});
    call("PUT", "", two, &named).send().ok();

    call("PUT", "", two, &json!({"url": "x"}))
        .send()
        .error(403, "reserved");
    call("PUT", "", two, &json!({"name": ""}))
        .send()
        .error(400, "invalid_request");
    call("PUT", "", two, &named)
        .header("If-Match", "\"old\"")
        .send()
        .error(412, "precondition_failed");
    call("POST", "/relevance/test", two, &json!({"q": "x"}))
        .send()
        .ok();
    first
}

#[test]
fn every_write_is_listed_and_nothing_else() {
    let data = TempDir::new().expect("a directory");
    let store = run(&data, "store create --name Shop --language es");
    let store = store.line().to_owned();
    let (one, two) = (key(&data, &store, "one"), key(&data, &store, "two"));
    let server = Binary::serve(data.path());
    let first = write_and_fail(&server, &store, &one, &two);

    let all = records(&data, &format!("--store {store}"));
    assert_eq!(
        operations(&all),
        [
            "update_store",
            "update_relevance",
            "update_relevance",
            "create_key",
            "create_key",
            "create_store"
        ]
    );
    let saved = &all[2];
    assert_eq!(saved["actor"], json!({"keyId": one.id, "name": "one"}));
    assert_eq!(saved["resource"], "relevance");
    assert_eq!(saved["storeId"], json!(store));
    assert_eq!(saved["requestId"], first.header("x-request-id"));
    assert_eq!(
        saved["revision"].to_string(),
        first.header("x-config-revision")
    );
    let changes = json!([{"path": "boosts.name", "before": 6.0, "after": 9.0}]);
    assert_eq!(saved["changes"], changes);
    assert_eq!(
        (&all[1]["changes"], all[1].get("revision")),
        (&json!([]), None)
    );
    assert_eq!(all[3]["actor"], json!({"name": "command line"}));
}

#[test]
fn the_list_is_narrowed_through_the_server_and_without_it() {
    let data = TempDir::new().expect("a directory");
    let store = run(&data, "store create --name Shop --language es");
    let store = store.line().to_owned();
    let (one, two) = (key(&data, &store, "one"), key(&data, &store, "two"));
    let other = run(&data, "store create --name Other --language es");
    let other = other.line().to_owned();
    let server = Binary::serve(data.path());
    write_and_fail(&server, &store, &one, &two);
    let all = records(&data, &format!("--store {store}"));
    let narrowed = || {
        let time = |record: &Value| record["at"].as_str().expect("a time").to_owned();
        let since = format!("--since {} --key {}", time(&all[2]), one.id);
        let ids = [
            records(&data, &format!("--key {}", one.id)),
            records(&data, &format!("--key {} --store {other}", one.id)),
            records(&data, &format!("--store {other}")),
            records(&data, "--limit 1"),
            records(&data, &since),
            records(&data, "--since 2999-01-01T00:00:00Z"),
        ];
        ids.map(|found| operations(&found).join(" "))
    };
    let expected = [
        "update_relevance update_relevance",
        "",
        "create_store",
        "update_store",
        "update_relevance update_relevance",
        "",
    ];
    assert_eq!(narrowed(), expected);
    assert_eq!(server.terminate(), 0);
    assert_eq!(narrowed(), expected);

    let lines = run(&data, "audit list --limit 2");
    let table: Vec<Vec<&str>> = lines
        .stdout
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(table.len(), 2, "{lines:?}");
    assert_eq!(
        table[0][1..6],
        ["two", &two.id, "update_store", "store", &store]
    );
    assert_eq!(table[1][6], "-", "a write without a change has no revision");
}

#[test]
fn wrong_usage_is_reported() {
    let data = TempDir::new().expect("a directory");
    run(&data, "store create --name Shop --language es").line();
    for line in [
        "audit",
        "audit list --limit 0",
        "audit list --limit 1001",
        "audit list --limit many",
        "audit list --since yesterday",
        "audit list all",
    ] {
        let outcome = run(&data, line);
        assert_eq!(outcome.status, 2, "{line}: {outcome:?}");
        assert!(
            outcome.stdout.is_empty() && !outcome.stderr.is_empty(),
            "{outcome:?}"
        );
    }
    for line in ["audit list --store nothere", "audit list --key nothere"] {
        let outcome = run(&data, line);
        assert_eq!(outcome.status, 1, "{line}: {outcome:?}");
        assert!(outcome.stderr.contains("no such"), "{outcome:?}");
    }
}
