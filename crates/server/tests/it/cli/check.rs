//! 1. For an intact directory nothing is printed on stdout and the status is 0, with and without a server.
//! 2. Without a server, nothing of the directory changes, whether the server was stopped or killed, and what is wrong is
//!    found; so it is in a backup, which has no lock.
//! 3. A damaged database is a finding.
//! 4. A damaged file of an index is found while the server runs, and repaired; no search finds less meanwhile.

use crate::harness::{Binary, SeededStore, eventually, findwell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The file of the index that holds the stored cards of hits.
fn cards(folder: &Path) -> PathBuf {
    let mut found = None;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found = Some(cards(&path));
        } else if path.extension().is_some_and(|ending| ending == "store") {
            found = Some(path);
        }
    }
    found.expect("cards")
}

#[test]
fn a_damaged_index_is_found_and_repaired() {
    let shop = SeededStore::with(40);
    let clean = findwell(shop.path(), &["check"]);
    assert_eq!((clean.status, clean.stdout.as_str()), (0, ""), "{clean:?}");
    let server = Binary::serve(shop.path());
    assert_eq!(shop.total(&server.client, "bota"), 40);
    let clean = findwell(shop.path(), &["check", "--json"]);
    assert_eq!((clean.status, clean.stdout.trim()), (0, "[]"), "{clean:?}");

    let file = cards(&shop.index());
    let mut bytes = std::fs::read(&file).expect("read");
    bytes[10] ^= 0x10;
    std::fs::write(&file, bytes).expect("written");
    let found = findwell(shop.path(), &["check", "--json"]);
    assert_eq!(found.status, 1, "{found:?}");
    assert_eq!(found.json()[0]["kind"], "damaged");
    let repaired = findwell(shop.path(), &["check", "--repair"]);
    assert_eq!(repaired.status, 0, "{repaired:?}");
    assert!(repaired.stdout.contains("(repaired)"), "{repaired:?}");
    assert_eq!(shop.total(&server.client, "bota"), 40);
    assert_eq!(findwell(shop.path(), &["check"]).status, 0);
}

/// Everything below a folder: contents and times of its files, by their paths.
fn contents(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let metadata = path.symlink_metadata().expect("it is there");
        let changed = metadata.modified().expect("a time");
        if metadata.is_dir() {
            found.extend(contents(&path));
            found.insert(path, (Vec::new(), changed));
        } else {
            // A socket that a killed server left has no contents.
            let bytes = std::fs::read(&path).unwrap_or_default();
            found.insert(path, (bytes, changed));
        }
    }
    found
}

/// Status and output of a check that must leave `folder` as it is.
fn check_unchanged(folder: &Path) -> (i32, String) {
    let before = contents(folder);
    let checked = findwell(folder, &["check", "--json"]);
    let after = contents(folder);
    let differ: Vec<&PathBuf> = (before.keys().chain(after.keys()))
        .filter(|path| before.get(*path) != after.get(*path))
        .collect();
    assert!(differ.is_empty(), "{differ:?} after {checked:?}");
    (checked.status, checked.stdout.trim().to_owned())
}

#[test]
fn a_check_without_a_server_changes_nothing() {
    let shop = SeededStore::with(40);
    let clean = (0, "[]".to_owned());
    assert_eq!(check_unchanged(shop.path()), clean, "after the import");
    let backup = tempfile::TempDir::new().expect("a directory");
    let target = backup.path().to_str().expect("UTF-8");
    findwell(shop.path(), &["backup", target]).line();
    assert_eq!(findwell(backup.path(), &["check", "--json"]).status, 0);
    assert_eq!(check_unchanged(backup.path()), clean, "a backup");

    let server = Binary::serve(shop.path());
    eventually("everything is found", || {
        shop.total(&server.client, "bota") == 40
    });
    assert_eq!(shop.import(40..60).status, 0);
    server.kill();
    assert!(
        shop.path()
            .join("findwell.db-wal")
            .metadata()
            .is_ok_and(|log| log.len() > 0),
        "the log is not written back yet"
    );
    assert_eq!(check_unchanged(shop.path()), clean, "after a kill");
    let server = Binary::serve(shop.path());
    eventually("everything is found", || {
        shop.total(&server.client, "bota") == 60
    });
    assert_eq!(server.terminate(), 0);
    assert_eq!(check_unchanged(shop.path()), clean, "after a stop");

    let file = cards(&shop.index());
    let mut bytes = std::fs::read(&file).expect("read");
    bytes[10] ^= 0x10;
    std::fs::write(&file, bytes).expect("written");
    let (status, found) = check_unchanged(shop.path());
    assert_eq!(status, 1, "{found}");
    assert!(found.contains("\"damaged\""), "{found}");
    std::fs::remove_dir_all(shop.index()).expect("removed");
    assert_eq!(
        check_unchanged(shop.path()),
        clean,
        "the next start builds it"
    );
    let repaired = findwell(shop.path(), &["check", "--repair"]);
    assert_eq!(repaired.status, 0, "{repaired:?}");
    assert_eq!(check_unchanged(shop.path()), clean, "after the repair");
    let empty = tempfile::TempDir::new().expect("a directory");
    assert_eq!(check_unchanged(empty.path()).0, 1, "there is no database");
}

#[test]
fn a_damaged_database_is_a_finding() {
    let shop = SeededStore::with(400);
    let file = shop.path().join("findwell.db");
    let mut bytes = std::fs::read(&file).expect("read");
    // Half of the pages, but neither the schema nor the tables that are read at the start.
    let from = bytes.len() / 2;
    bytes[from..].fill(0x5a);
    std::fs::write(&file, bytes).expect("written");
    let (status, found) = check_unchanged(shop.path());
    assert_eq!(status, 1, "{found}");
    assert!(found.contains("\"database\""), "{found}");
}
