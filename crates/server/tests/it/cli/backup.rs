//! 1. A backup that is made while the server takes documents serves, with the key file beside it, all that was
//!    acknowledged before it began.
//! 2. It names the key file and leaves it out, and its indexes are not built again.
//! 3. A directory that is not empty, or lies in the data directory, is refused, and nothing of it changes.
//! 4. Without a server it does the same.

use crate::harness::{Binary, Furnished, Outcome, findwell};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tempfile::TempDir;

fn back_up(shop: &Furnished, to: &Path) -> Outcome {
    findwell(shop.path(), &["backup", to.to_str().expect("UTF-8")])
}

/// Number of products that a server finds on the backup in `dir`.
fn restored(shop: &Furnished, dir: &Path) -> u64 {
    std::fs::copy(shop.path().join("master.key"), dir.join("master.key")).expect("the key");
    let server = Binary::serve(dir);
    let total = shop.total(&server.client, "bota");
    assert_eq!(server.terminate(), 0);
    total
}

#[test]
fn a_backup_serves_what_was_acknowledged_before_it() {
    let shop = Furnished::with(600);
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
            let made = back_up(&shop, &dir);
            let at_most = imported.load(Ordering::SeqCst) as u64 + 50;
            assert_eq!(made.status, 0, "{made:?}");
            assert!(made.stderr.contains("master.key"), "{}", made.stderr);
            assert!(!dir.join("master.key").exists());
            assert!(dir.join("indexes").exists() && !dir.join("findwell.db-wal").exists());
            let total = restored(&shop, &dir);
            assert!(
                (acknowledged..=at_most).contains(&total),
                "{acknowledged} {total}"
            );
            // The copied index is the first generation, and goes on.
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
    let shop = Furnished::with(30);
    let target = TempDir::new().expect("a directory");
    let dir = target.path().join("deep/er");
    let arguments = ["backup", dir.to_str().expect("UTF-8"), "--json"];
    let made = findwell(shop.path(), &arguments);
    assert_eq!(made.status, 0, "{made:?}");
    let key_file = made.json()["keyFile"].clone();
    assert!(
        key_file
            .as_str()
            .is_some_and(|path| path.ends_with("master.key"))
    );
    assert_eq!(restored(&shop, &dir), 30);
}

#[test]
fn a_directory_that_is_taken_is_refused() {
    let shop = Furnished::with(1);
    let target = TempDir::new().expect("a directory");
    std::fs::write(target.path().join("mine"), "mine").expect("written");
    let inside = shop.path().join("backup");
    for (dir, reason) in [
        (target.path(), "is not empty"),
        (inside.as_path(), "lies in the data directory"),
    ] {
        let refused = back_up(&shop, dir);
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""));
        assert!(refused.stderr.contains(reason), "{}", refused.stderr);
    }
    assert_eq!(std::fs::read_dir(target.path()).expect("read").count(), 1);
}
