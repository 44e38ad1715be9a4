//! 1. A backup taken while the server accepts documents serves, with the key file beside it, everything that was
//!    acknowledged before it began.
//! 2. The command names the key file and leaves it out, and the indexes need not be rebuilt.
//! 3. A directory that is not empty, or lies in the data directory, is rejected and left unchanged.
//! 4. Without a server it does the same.

use crate::harness::{Binary, Outcome, SeededStore, findwell};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tempfile::TempDir;

fn back_up(shop: &SeededStore, to: &Path) -> Outcome {
    findwell(shop.path(), &["backup", to.to_str().expect("UTF-8")])
}

/// Number of products that a server finds on the backup in `dir`.
fn restored(shop: &SeededStore, dir: &Path) -> u64 {
    std::fs::copy(shop.path().join("master.key"), dir.join("master.key")).expect("the key");
    let server = Binary::serve(dir);
    let total = shop.total(&server.client, "bota");
    assert_eq!(server.terminate(), 0);
    total
}

#[test]
fn a_backup_serves_what_was_acknowledged_before_it() {
    let shop = SeededStore::with(600);
    let server = Binary::serve(shop.path());
    assert_eq!(shop.total(&server.client, "bota"), 600);
    let target = TempDir::new().expect("a directory");
    let (done, imported) = (AtomicBool::new(false), AtomicUsize::new(600));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                let next = imported.load(Ordering::SeqCst);
                assert_eq!(shop.import(next..next + 50).status, 0);
                imported.store(next + 50, Ordering::SeqCst);
            }
        });
        for round in 0..3 {
            let dir = target.path().join(round.to_string());
            let acknowledged = imported.load(Ordering::SeqCst) as u64;
            let backup = back_up(&shop, &dir);
            let at_most = imported.load(Ordering::SeqCst) as u64 + 50;
            assert_eq!(backup.status, 0, "{backup:?}");
            assert!(backup.stderr.contains("master.key"), "{}", backup.stderr);
            assert!(!dir.join("master.key").exists());
            assert!(dir.join("indexes").exists() && !dir.join("findwell.db-wal").exists());
            let total = restored(&shop, &dir);
            assert!(
                (acknowledged..=at_most).contains(&total),
                "{acknowledged} {total}"
            );
            // The copied index is the first generation, and it is used.
            assert!(only_generation(&dir.join("indexes")).ends_with("1"));
        }
        done.store(true, Ordering::SeqCst);
    });
    assert_eq!(server.terminate(), 0);
}

fn only_generation(indexes: &Path) -> std::path::PathBuf {
    let only = |folder: &Path| {
        let mut entries = std::fs::read_dir(folder).expect("a folder");
        let entry = entries.next().expect("an entry").expect("an entry").path();
        assert!(entries.next().is_none());
        entry
    };
    only(&only(indexes))
}

#[test]
fn a_backup_without_a_server_is_the_same() {
    let shop = SeededStore::with(30);
    let target = TempDir::new().expect("a directory");
    let dir = target.path().join("deep/er");
    let arguments = ["backup", dir.to_str().expect("UTF-8"), "--json"];
    let backup = findwell(shop.path(), &arguments);
    assert_eq!(backup.status, 0, "{backup:?}");
    let key_file = backup.json()["keyFile"].clone();
    assert!(
        key_file
            .as_str()
            .is_some_and(|path| path.ends_with("master.key"))
    );
    assert_eq!(restored(&shop, &dir), 30);
}

#[test]
fn an_unusable_directory_is_rejected() {
    let shop = SeededStore::with(1);
    let target = TempDir::new().expect("a directory");
    std::fs::write(target.path().join("mine"), "mine").expect("written");
    let inside = shop.path().join("backup");
    for (dir, reason) in [
        (target.path(), "is not empty"),
        (inside.as_path(), "lies in the data directory"),
    ] {
        let failed = back_up(&shop, dir);
        assert_eq!((failed.status, failed.stdout.as_str()), (1, ""));
        assert!(failed.stderr.contains(reason), "{}", failed.stderr);
    }
    assert_eq!(std::fs::read_dir(target.path()).expect("read").count(), 1);
}
