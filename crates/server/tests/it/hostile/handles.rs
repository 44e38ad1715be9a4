//! 1. A want of handles is taken for no damage of an index: once there are some again, a store that was closed meanwhile
//!    is found as it was, by the same files.

use super::target::{Start, Target};
use super::wire::{ATTACKER, connect, head, receive, send};
use crate::harness::eventually;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Open files that the server may have: some for itself, few for clients and indexes.
const LIMIT: &str = "ulimit -n 90";
/// Connections that use them up.
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
fn a_want_of_handles_is_no_damage() {
    let target = Target::started(Start {
        options: vec!["--open-indexes-max", "1"],
        before: LIMIT,
        beside_others: false,
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
    let mut asking = connect(base, ATTACKER).expect("the server listens");
    let body = br#"{"q":"sandalia","types":["products"]}"#;
    let search = head(
        "POST",
        "/api/v1/search",
        &target.attacker.public,
        body.len(),
    );
    send(
        &mut asking,
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"",
    )
    .expect("sent");
    receive(&mut asking).expect("it is accepted");
    let using_up: Vec<_> = (0..CONNECTIONS)
        .filter_map(|_| connect(base, ATTACKER).ok())
        .collect();
    let patience = Some(Duration::from_secs(5));
    asking.set_read_timeout(patience).expect("a limit");
    send(&mut asking, &search, body).expect("sent");
    if let Some(reply) = receive(&mut asking) {
        reply.assert_says_when();
        let text = String::from_utf8_lossy(&reply.body).into_owned();
        let empty = reply.status == 200 && !text.contains("\"total\":50");
        assert!(
            !empty,
            "an index that cannot be opened is not empty: {text}"
        );
    }
    drop((asking, using_up));
    eventually("all are found again", || {
        target.attacker.total(target.client(), "sandalia") == 50
    });
    assert_eq!(
        folders(target.dir.path()),
        before,
        "no generation was made anew"
    );
}
