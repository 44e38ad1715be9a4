//! 1. For an intact directory nothing is printed on stdout and the status is 0, with and without a server.
//! 2. A damaged file of an index is found while the server runs, and repaired; no search finds less meanwhile.

use crate::harness::{Binary, SeededStore, findwell};
use std::path::{Path, PathBuf};

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
