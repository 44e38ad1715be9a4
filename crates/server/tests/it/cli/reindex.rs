//! 1. `reindex` rebuilds all indexes, or those of one store, with and without a server, and prints which.
//! 2. Shoppers notice nothing: every search has all its results while a server's indexes are rebuilt.
//! 3. A server killed in the middle starts with the former index, and leaves no partial index.
//! 4. An unknown store is reported as a failure.

use crate::harness::{Binary, SeededStore, command, eventually, findwell};
use std::path::Path;
use std::process::Stdio;

fn generations(index: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(index).expect("generations");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

#[test]
fn indexes_are_rebuilt_without_a_server() {
    let shop = SeededStore::indexed(20);
    let first = generations(&shop.index());
    let done = findwell(shop.path(), &["reindex"]);
    assert_eq!(done.line(), format!("{}\tproducts\tes\t20", shop.store));
    let second = generations(&shop.index());
    assert!(second.len() == 1 && second != first, "{first:?} {second:?}");
    let done = findwell(shop.path(), &["reindex", "--store", &shop.store, "--json"]);
    assert_eq!(done.json()[0]["state"], "done");
    let third = generations(&shop.index());
    assert!(third.len() == 1 && third != second, "{second:?} {third:?}");
    let server = Binary::serve(shop.path());
    assert_eq!(shop.total(&server.client, "bota"), 20);
}

#[test]
fn an_unknown_store_is_reported() {
    let shop = SeededStore::with(1);
    let done = findwell(shop.path(), &["reindex", "--store", "nobody"]);
    assert_eq!((done.status, done.stdout.as_str()), (1, ""));
    assert!(done.stderr.contains("no such store"), "{}", done.stderr);
}

#[test]
fn shoppers_notice_nothing() {
    let shop = SeededStore::with(2_000);
    let server = Binary::serve(shop.path());
    assert_eq!(shop.total(&server.client, "bota"), 2_000);
    let before = generations(&shop.index());
    let mut reindex = command(shop.path(), &["reindex"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("runs");
    let status = loop {
        assert_eq!(shop.total(&server.client, "bota"), 2_000);
        if let Some(status) = reindex.try_wait().expect("a status") {
            break status;
        }
    };
    assert!(status.success());
    assert_eq!(shop.total(&server.client, "bota"), 2_000);
    eventually("the former index is gone", || {
        let now = generations(&shop.index());
        now.len() == 1 && now != before
    });
}

#[test]
fn a_kill_in_the_middle_keeps_the_former_index() {
    let shop = SeededStore::with(4_500);
    for round in 0..4 {
        let server = Binary::serve(shop.path());
        assert_eq!(shop.total(&server.client, "bota"), 4_500);
        let before = generations(&shop.index());
        let mut reindex = command(shop.path(), &["reindex"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("runs");
        // Later each time: as soon as the new index has a folder, some files, a first commit, or is complete.
        eventually("the new index has begun", || {
            let now = generations(&shop.index());
            let new = now.iter().find(|name| !before.contains(name));
            let files = new.map_or(0, |name| {
                std::fs::read_dir(shop.index().join(name)).map_or(0, Iterator::count)
            });
            files > round * 5 || (!now.is_empty() && !now.iter().any(|n| before.contains(n)))
        });
        server.kill();
        // Whether it had ended before does not matter here.
        let _ = reindex.wait();
        let server = Binary::serve(shop.path());
        assert_eq!(shop.total(&server.client, "bota"), 4_500);
        assert_eq!(generations(&shop.index()).len(), 1);
        assert_eq!(server.terminate(), 0);
    }
}
