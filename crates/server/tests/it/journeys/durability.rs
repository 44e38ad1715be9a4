//! 1. What an answer acknowledged survives `kill -9` at any moment.
//! 2. An index that is gone, torn or older than the data catches up or is rebuilt by itself.

use crate::harness::{Binary, Client, eventually, findwell};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tempfile::TempDir;

const BLOCK: usize = 20;

struct Data {
    dir: TempDir,
    connector: String,
    public: String,
}

impl Data {
    fn new() -> Self {
        let dir = TempDir::new().expect("a directory");
        let store = findwell(
            dir.path(),
            &["store", "create", "--name", "x", "--language", "es"],
        );
        let key = |kind: &str| {
            let arguments = ["key", "create", "--store", store.line(), "--kind", kind];
            findwell(dir.path(), &arguments).line().to_owned()
        };
        let (connector, public) = (key("connector"), key("search-only"));
        Self {
            dir,
            connector,
            public,
        }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn make_indices(&self, client: &Client) {
        let body = json!({"types": ["products"], "languages": [{"code": "es"}]});
        let call = client
            .call("POST", "/api/v1/feed/indices")
            .key(&self.connector);
        call.json(&body).send().ok();
    }

    /// Sends the block of `number`; true when it was acknowledged.
    fn send(&self, client: &Client, number: usize) -> bool {
        let documents: Vec<Value> = (0..BLOCK)
            .map(|at| json!({"id": format!("{}", number * BLOCK + at), "name": format!("Bota {number}")}))
            .collect();
        let body = json!({"language": "es", "documents": documents});
        let call = client
            .call("POST", "/api/v1/feed/products/bulk")
            .key(&self.connector);
        let reply = call.json(&body).try_send();
        reply.is_some_and(|reply| reply.status == 200 && reply.data()["accepted"] == BLOCK)
    }

    fn total(&self, client: &Client) -> usize {
        let call = client.call("GET", "/api/v1/search?q=bota&types=products&limit=1");
        let reply = call.key(&self.public).send().ok();
        let total = reply.data()["products"]["total"].as_u64();
        usize::try_from(total.expect("a number")).expect("a small number")
    }

    fn is_found(&self, client: &Client, number: usize) -> bool {
        let path = format!("/api/v1/search?q=bota+{number}&types=products&limit=100");
        let reply = client.call("GET", path).key(&self.public).send().ok();
        let hits = reply.data()["products"]["hits"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let name = format!("Bota {number}");
        hits.iter()
            .filter(|hit| hit["name"] == name.as_str())
            .count()
            == BLOCK
    }
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let data = Data::new();
    let acknowledged = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    // The server is killed after ever more answers, while other blocks are on their way.
    for round in 1..=6_usize {
        let server = Binary::serve(data.path());
        if round == 1 {
            data.make_indices(&server.client);
        }
        let client = server.client.clone();
        let alive = AtomicBool::new(true);
        let answered = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while alive.load(Ordering::SeqCst) {
                        let number = next.fetch_add(1, Ordering::SeqCst);
                        if !data.send(&client, number) {
                            return;
                        }
                        acknowledged.lock().expect("unpoisoned").push(number);
                        answered.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
            eventually("some blocks are acknowledged", || {
                answered.load(Ordering::SeqCst) >= round * 2
            });
            server.kill();
            alive.store(false, Ordering::SeqCst);
        });
    }
    let server = Binary::serve(data.path());
    let acknowledged = acknowledged.into_inner().expect("unpoisoned");
    assert!(acknowledged.len() >= 6, "{acknowledged:?}");
    for number in acknowledged {
        eventually(&format!("block {number} is found"), || {
            data.is_found(&server.client, number)
        });
    }
}

#[test]
fn a_damaged_index_heals_itself() {
    let data = Data::new();
    let server = Binary::serve(data.path());
    data.make_indices(&server.client);
    for number in 0..5 {
        assert!(data.send(&server.client, number));
    }
    let all = 5 * BLOCK;
    eventually("all are found", || data.total(&server.client) == all);
    assert_eq!(server.terminate(), 0);

    let indexes = data.path().join("indexes");
    let older = data.path().join("older");
    copy(&indexes, &older);
    for (damage, expected) in [
        (Damage::Gone, all),
        (Damage::Torn, all),
        (Damage::Emptied, all),
        (Damage::Older, all + BLOCK),
    ] {
        if damage == Damage::Older {
            let server = Binary::serve(data.path());
            assert!(data.send(&server.client, 5));
            eventually("the new block is found", || {
                data.total(&server.client) == expected
            });
            assert_eq!(server.terminate(), 0);
        }
        damage.inflict(&indexes, &older);
        let server = Binary::serve(data.path());
        eventually(&format!("all are found again after {damage:?}"), || {
            data.total(&server.client) == expected
        });
        assert_eq!(server.terminate(), 0);
    }
}

/// What may happen to an index behind the server's back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Damage {
    /// The directory is deleted.
    Gone,
    /// Every file is cut to its half.
    Torn,
    /// Every file is empty.
    Emptied,
    /// An older copy stands in its place.
    Older,
}

impl Damage {
    fn inflict(self, indexes: &Path, older: &Path) {
        match self {
            Self::Gone => std::fs::remove_dir_all(indexes).expect("deleted"),
            Self::Torn => files(indexes, &|file| cut(file, 2)),
            Self::Emptied => files(indexes, &|file| cut(file, 0)),
            Self::Older => {
                std::fs::remove_dir_all(indexes).expect("deleted");
                copy(older, indexes);
            }
        }
    }
}

/// Keeps one part in `parts` of a file, or nothing when there are no parts.
fn cut(file: &Path, parts: u64) {
    let handle = std::fs::OpenOptions::new()
        .write(true)
        .open(file)
        .expect("opened");
    let length = handle.metadata().expect("its size").len();
    handle
        .set_len(length.checked_div(parts).unwrap_or(0))
        .expect("cut");
}

fn files(dir: &Path, act: &dyn Fn(&Path)) {
    for entry in std::fs::read_dir(dir).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, act);
        } else {
            act(&path);
        }
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("made");
    for entry in std::fs::read_dir(from).expect("a directory") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("copied");
        }
    }
}
