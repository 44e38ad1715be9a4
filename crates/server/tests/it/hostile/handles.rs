//! 1. Running out of file handles is not mistaken for damage of an index: once handles are available, a store closed in
//!    the meantime is found unchanged, with the same files.

use super::target::{Start, Target};
use super::wire::{ATTACKER, connect, head, receive, send};
use crate::harness::eventually;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The limit of open files: some for the server itself, few for clients and indexes.
const LIMIT: &str = "ulimit -n 90";
/// Connections that exhaust the limit.
const CONNECTIONS: usize = 120;

/// Folders of indexes and their generations.
fn folders(data: &Path) -> BTreeSet<PathBuf> {
    let mut folders = BTreeSet::new();
    let mut open = vec![data.join("indexes")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder)
            .expect("a folder")
            .filter_map(Result::ok)
        {
            if entry.path().is_dir() {
                open.push(entry.path());
                folders.insert(entry.path());
            }
        }
    }
    folders
}

#[test]
fn running_out_of_handles_is_not_mistaken_for_damage() {
    let target = Target::started(Start {
        options: vec!["--open-indexes-max", "1"],
        before: LIMIT,
        beside_others: false,
        ..Start::default()
    });
    let documents: Vec<Value> = (0..50)
        .map(|at| json!({"id": at.to_string(), "name": "Sandalia"}))
        .collect();
    target.bulk(&documents);
    eventually("all are found", || {
        target.attacker.total(target.client(), "sandalia") == 50
    });
    eventually("the attacker's index is closed", || {
        target.bystander.total(target.client(), "bota");
        let metrics = target.client().call("GET", "/metrics").send().text;
        metrics
            .lines()
            .any(|line| line == "findwell_open_indexes 1")
    });
    let before = folders(target.dir.path());

    let base = target.client().base();
    let mut stream = connect(base, ATTACKER).expect("the server listens");
    let body = br#"{"q":"sandalia","types":["products"]}"#;
    let search = head(
        "POST",
        "/api/v1/search",
        &target.attacker.public,
        body.len(),
    );
    send(
        &mut stream,
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"",
    )
    .expect("sent");
    receive(&mut stream).expect("it is accepted");
    let using_up: Vec<_> = (0..CONNECTIONS)
        .filter_map(|_| connect(base, ATTACKER).ok())
        .collect();
    let timeout = Some(Duration::from_secs(5));
    stream.set_read_timeout(timeout).expect("a limit");
    send(&mut stream, &search, body).expect("sent");
    if let Some(reply) = receive(&mut stream) {
        reply.assert_retry_after();
        let text = String::from_utf8_lossy(&reply.body).into_owned();
        let empty = reply.status == 200 && !text.contains("\"total\":50");
        assert!(
            !empty,
            "an index that cannot be opened is not empty: {text}"
        );
    }
    drop((stream, using_up));
    eventually("all are found again", || {
        target.attacker.total(target.client(), "sandalia") == 50
    });
    assert_eq!(
        folders(target.dir.path()),
        before,
        "no generation was rebuilt"
    );
}
