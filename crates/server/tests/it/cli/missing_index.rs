//! 1. An index whose folder was deleted while the server was down is reported once at warn level, with its number and
//!    that of its documents, whichever of its folders it was, and is rebuilt: everything is found again.
//! 2. One whose folder is deleted while the server runs is reported once something is written to it; nothing that was
//!    acknowledged is lost, and after the next start everything is found.
//! 3. A start with the index in place reports nothing of the kind.

use super::logs::Logged;
use crate::harness::{SeededStore, command, copy_folder, eventually};
use std::fs::{read_dir, remove_dir_all, remove_file};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PRODUCTS: usize = 30;

/// The lines of a log that report on an index, at warn level or above.
fn reports(log: &str) -> Vec<&str> {
    let lines = log
        .lines()
        .filter(|line| line.contains("WARN") || line.contains("ERROR"));
    lines.filter(|line| line.contains("index=")).collect()
}

/// Starts a server on `data`, waits until `total` products are found, and returns its log.
fn log_until_found(seeded: &SeededStore, data: &Path, total: u64) -> String {
    let logged = Logged::start(command(data, &["serve", "--listen", "127.0.0.1:0"]));
    let client = &logged.server.client;
    eventually("everything is found", || {
        seeded.total(client, "bota") == total
    });
    logged.stop()
}

/// A way to lose the index in a folder.
type Loss = fn(&Path);

const LOSSES: [(&str, Loss); 4] = [
    ("the folder of all indexes", |index| {
        remove(index.parent().expect("indexes"))
    }),
    ("the folder of the index", remove),
    ("the folder of its generation", |index| {
        remove(&generation(index))
    }),
    ("all of its files", |index| {
        for file in read_dir(generation(index)).expect("a folder") {
            remove_file(file.expect("an entry").path()).expect("removed");
        }
    }),
];

/// The only folder in the folder of an index.
fn generation(index: &Path) -> PathBuf {
    let mut folders = read_dir(index).expect("a folder");
    folders
        .next()
        .expect("a generation")
        .expect("an entry")
        .path()
}

fn remove(folder: &Path) {
    remove_dir_all(folder).expect("removed");
}

#[test]
fn an_index_folder_that_was_deleted_is_reported() {
    let seeded = SeededStore::with(PRODUCTS);
    let total = PRODUCTS as u64;
    // The first start writes the index of what was imported.
    log_until_found(&seeded, seeded.path(), total);
    let log = log_until_found(&seeded, seeded.path(), total);
    assert_eq!(reports(&log), [""; 0], "{log}");
    let index = seeded.index();
    let index = index.strip_prefix(seeded.path()).expect("below");
    for (what, lose) in LOSSES {
        let copy = TempDir::new().expect("a directory");
        copy_folder(seeded.path(), copy.path());
        lose(&copy.path().join(index));
        let log = log_until_found(&seeded, copy.path(), total);
        let reports = reports(&log);
        assert_eq!(reports.len(), 1, "{what}: {log}");
        assert!(reports[0].contains("WARN"), "{what}: {log}");
        assert!(reports[0].contains("index=1"), "{what}: {log}");
        assert!(
            reports[0].contains(&format!("documents={PRODUCTS}")),
            "{what}: {log}"
        );
        let log = log_until_found(&seeded, copy.path(), total);
        assert_eq!(self::reports(&log), [""; 0], "it is rebuilt once");
    }
}

#[test]
fn an_index_folder_that_is_deleted_beside_the_server_is_reported() {
    let seeded = SeededStore::with(PRODUCTS);
    let total = PRODUCTS as u64;
    let arguments = ["serve", "--listen", "127.0.0.1:0"];
    let logged = Logged::start(command(seeded.path(), &arguments));
    let client = &logged.server.client;
    eventually("everything is found", || {
        seeded.total(client, "bota") == total
    });
    remove(&seeded.index());
    assert_eq!(
        seeded.total(client, "bota"),
        total,
        "shoppers notice nothing"
    );
    assert_eq!(seeded.import(PRODUCTS..PRODUCTS + 5).status, 0);
    let log = logged.stop();
    assert!(!reports(&log).is_empty(), "{log}");
    log_until_found(&seeded, seeded.path(), total + 5);
}
