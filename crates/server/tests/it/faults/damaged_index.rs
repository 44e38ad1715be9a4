//! 1. Whatever happens to any file of an index while the server is down, all documents are found after the next start,
//!    and no deleted ones.
//! 2. The same holds when an older copy of the indexes is restored, in their place or over them, and when the database
//!    is older than the indexes.

use super::data::Store;
use super::disk::Disk;
use super::expected::must_succeed;
use super::feeder::Feeder;
use super::random::Random;
use crate::harness::{Client, copy_folder};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Damage to a file: returns its new bytes, or `None` if the file is removed.
type Damage = fn(&[u8]) -> Option<Vec<u8>>;

const DAMAGES: [(&str, Damage); 5] = [
    ("gone", |_| None),
    ("empty", |_| Some(Vec::new())),
    ("cut in half", |bytes| {
        Some(bytes[..bytes.len() / 2].to_vec())
    }),
    ("without its end", |bytes| {
        Some(bytes[..bytes.len().saturating_sub(3)].to_vec())
    }),
    ("with another byte", |bytes| {
        let mut bytes = bytes.to_vec();
        let middle = bytes.len() / 2;
        if let Some(byte) = bytes.get_mut(middle) {
            *byte ^= 0x55;
        }
        Some(bytes)
    }),
];

#[test]
fn every_damaged_file_is_repaired() {
    let data = Data::new();
    let files: Vec<PathBuf> = files(&data.disk.path().join("indexes/1"));
    assert!(files.len() > 8, "{files:?}");
    let cases: Vec<(&PathBuf, (&str, Damage))> = files
        .iter()
        .flat_map(|file| DAMAGES.map(|damage| (file, damage)))
        .collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((file, (what, damage))) =
                    cases.get(next.fetch_add(1, Ordering::SeqCst))
                {
                    // Shown only if it does not heal.
                    eprintln!("{} is {what}", file.display());
                    let mut copy = data.copy();
                    let path = copy
                        .disk
                        .path()
                        .join(file.strip_prefix(data.disk.path()).expect("below"));
                    match damage(&std::fs::read(&path).expect("a file")) {
                        Some(bytes) => std::fs::write(&path, bytes).expect("written"),
                        None => std::fs::remove_file(&path).expect("removed"),
                    }
                    copy.assert_intact();
                }
            });
        }
    });
}

#[test]
fn older_and_missing_folders_are_repaired() {
    let mut data = Data::new();
    let older = data.copy();
    // Some are deleted and others are added, so that an older copy has both too many and too few.
    data.run_server(|feeder, store, client| {
        for _ in 0..3 {
            must_succeed(|| feeder.delete(store, client));
            must_succeed(|| feeder.send(store, client));
        }
    });
    let [old, new] = [&older, &data].map(|data| data.disk.path().to_owned());
    let indexes = |root: &Path| root.join("indexes");
    let gone = |root: &Path| std::fs::remove_dir_all(indexes(root)).expect("removed");

    let mut copy = data.copy();
    gone(copy.disk.path());
    copy.assert_intact();

    let mut copy = data.copy();
    gone(copy.disk.path());
    copy_folder(&indexes(&old), &indexes(copy.disk.path()));
    copy.assert_intact();

    let mut copy = data.copy();
    copy_folder(&indexes(&old), &indexes(copy.disk.path()));
    copy.assert_intact();

    // The older database has less than the current indexes.
    let mut copy = older.copy();
    gone(copy.disk.path());
    copy_folder(&indexes(&new), &indexes(copy.disk.path()));
    copy.assert_intact();
}

/// A data directory whose server is down, and its expected content.
struct Data {
    disk: Disk,
    store: Store,
    feeder: Feeder,
}

impl Data {
    /// A store whose index has several segments and deletions.
    fn new() -> Self {
        let disk = Disk::new();
        let store = Store::create(disk.path());
        let feeder = Feeder::new(Random::new(5));
        let mut data = Self {
            disk,
            store,
            feeder,
        };
        data.run_server(|feeder, store, client| {
            store.create_indexes(client);
            for _ in 0..3 {
                must_succeed(|| feeder.send(store, client));
                feeder.settle(store, client);
            }
            must_succeed(|| feeder.delete(store, client));
        });
        data
    }

    /// Runs a server for `act`, and until its writes are found.
    fn run_server(&mut self, act: impl FnOnce(&mut Feeder, &Store, &Client)) {
        let server = self.disk.serve();
        act(&mut self.feeder, &self.store, &server.client);
        self.feeder.settle(&self.store, &server.client);
        server.kill();
    }

    fn copy(&self) -> Self {
        let disk = Disk::new();
        copy_folder(self.disk.path(), disk.path());
        Self {
            disk,
            store: self.store.clone(),
            feeder: self.feeder.clone(),
        }
    }

    /// Starts a server, which must find everything and accept new documents.
    fn assert_intact(&mut self) {
        self.run_server(|feeder, store, client| {
            feeder.settle(store, client);
            must_succeed(|| feeder.delete(store, client));
            must_succeed(|| feeder.send(store, client));
        });
    }
}

/// Every file below a folder except locks, which are empty.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_none_or(|end| end != "lock") {
            found.push(path);
        }
    }
    found
}
