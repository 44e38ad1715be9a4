//! A backup taken while documents and configuration are written holds a state that existed:
//!
//! 1. Of one writer's writes, each of which follows the acknowledgement of the one before, it has all up to one and none
//!    after that, whether they changed a document, the ranking, a synonym or the store's name; with them their revisions
//!    and records of the audit trail.
//! 2. It has every write that was acknowledged before it began.
//! 3. A block of documents that another writer sends meanwhile is in it completely or not at all.

use crate::harness::{Binary, Call, Client, SeededStore, eventually, findwell};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tempfile::TempDir;

/// Backups that are taken.
const BACKUPS: usize = 3;
/// Writes between the start of a writer, or the former backup, and the next backup.
const WRITES_BETWEEN: u64 = 12;
/// Products of a block of the other writer.
const BLOCK: usize = 90;

/// What a write changes; write number n changes the kind n modulo 4, to a value that shows n.
const KINDS: u64 = 4;

/// A store with its keys, and a group of synonyms.
struct Owned {
    seeded: SeededStore,
    write_key: String,
    connector: String,
    group: String,
}

/// Numbers of the last writes of each kind, and what counts them.
#[derive(Debug, PartialEq)]
struct State {
    last: [u64; KINDS as usize],
    revision: u64,
    records: usize,
}

impl Owned {
    fn new() -> Self {
        let seeded = SeededStore::with(1);
        let key = |more: &[&str]| {
            let create = ["key", "create", "--store", &seeded.store, "--kind"];
            findwell(seeded.path(), &[&create[..], more].concat())
                .line()
                .to_owned()
        };
        Self {
            write_key: key(&["configuration", "--scope", "config:write"]),
            connector: key(&["connector"]),
            group: String::new(),
            seeded,
        }
    }

    fn own<'a>(&self, client: &'a Client, method: &'static str, path: &str) -> Call<'a> {
        let path = format!("/api/v1/stores/{}{path}", self.seeded.store);
        client.call(method, path).key(&self.write_key)
    }

    fn send(&self, client: &Client, documents: &[Value]) {
        let body = json!({"language": "es", "documents": documents});
        let send = || {
            let call = client.call("POST", "/api/v1/feed/products/bulk");
            call.key(&self.connector).json(&body).send()
        };
        // On a busy machine the index may lag behind.
        eventually("a block is accepted", || send().status == 200);
    }

    /// Does the write number `number`.
    fn write(&self, client: &Client, number: u64) {
        let shown = format!("n{number}");
        match number % KINDS {
            0 => self.send(client, &[json!({"id": "note", "name": shown})]),
            1 => {
                let body = json!({"boosts": {"name": 1.0 + number as f64 / 1_000.0}});
                self.own(client, "PUT", "/relevance")
                    .json(&body)
                    .send()
                    .ok();
            }
            2 => {
                let path = format!("/synonyms/{}", self.group);
                let body = json!({"terms": ["nota", shown]});
                self.own(client, "PUT", &path).json(&body).send().ok();
            }
            _ => {
                let body = json!({"name": shown});
                self.own(client, "PUT", "").json(&body).send().ok();
            }
        }
    }

    /// The product hits for `q`.
    fn hits(&self, client: &Client, q: &str) -> Vec<Value> {
        let path = format!("/api/v1/search?q={q}&types=products&limit=100");
        let reply = client.call("GET", path).key(&self.seeded.key).send().ok();
        let hits = reply.data()["products"]["hits"].as_array();
        hits.expect("hits").clone()
    }

    /// What a server on `data` shows.
    fn state(&self, client: &Client, data: &Path) -> State {
        let number = |text: &Value| {
            let text = text.as_str().expect("text");
            text.trim_start_matches('n').parse().expect("a number")
        };
        let detail = self.own(client, "GET", "").send().ok();
        eventually("the index has caught up", || {
            let detail = self.own(client, "GET", "").send().ok();
            detail.data()["indices"][0]["state"] == "ready"
        });
        let hits = self.hits(client, "");
        let note = hits
            .iter()
            .find(|hit| hit["id"] == "note")
            .expect("the note");
        let relevance = self.own(client, "GET", "/relevance").send().ok();
        let boost = relevance.data()["boosts"]["name"]
            .as_f64()
            .expect("a number");
        let synonyms = self.own(client, "GET", "/synonyms").send().ok();
        let terms = &synonyms.data()[0]["terms"];
        let audit = [
            "audit",
            "list",
            "--store",
            &self.seeded.store,
            "--limit",
            "1000",
            "--json",
        ];
        let audit = findwell(data, &audit).json();
        let revision = detail.header("x-config-revision");
        State {
            last: [
                number(&note["name"]),
                ((boost - 1.0) * 1_000.0).round() as u64,
                number(&terms[1]),
                number(&detail.data()["name"]),
            ],
            revision: revision.parse().expect("a number"),
            records: audit.as_array().expect("a list").len(),
        }
    }
}

/// The state after the write `number`, when `first` was the state after the first write of each kind.
fn after(number: u64, first: &State) -> State {
    let of_kind = |kind: u64| number - (number + KINDS - kind) % KINDS;
    let last = [0, 1, 2, 3].map(of_kind);
    // Documents are no configuration.
    let changes = |until: u64| until - until / KINDS;
    let more = changes(number) - changes(*first.last.iter().max().expect("four"));
    State {
        last,
        revision: first.revision + more,
        records: first.records + usize::try_from(more).expect("a small number"),
    }
}

/// Restores the backup in `dir` and compares it with the states between two writes; returns the write it ends with.
fn restored(owned: &Owned, dir: &Path, first: &State) -> u64 {
    let key = owned.seeded.path().join("master.key");
    std::fs::copy(key, dir.join("master.key")).expect("the key");
    let server = Binary::serve(dir);
    let state = owned.state(&server.client, dir);
    let end = *state.last.iter().max().expect("four");
    assert_eq!(state, after(end, first), "a state that existed");
    let hits = owned.hits(&server.client, "carga");
    let rounds: Vec<&Value> = hits.iter().map(|hit| &hit["price"]).collect();
    assert!(rounds.is_empty() || rounds.len() == BLOCK, "{rounds:?}");
    assert!(
        rounds.iter().all(|round| *round == rounds[0]),
        "a part of a block: {rounds:?}"
    );
    assert_eq!(server.terminate(), 0);
    end
}

/// Sends one block of the same products again and again, each time with another price.
fn load(owned: &Owned, client: &Client, over: &AtomicBool) {
    for round in 1.. {
        if over.load(Ordering::SeqCst) {
            return;
        }
        let product = |at| json!({"id": format!("c{at}"), "name": "Carga", "currency": "EUR", "priceInclTax": round});
        owned.send(client, &(0..BLOCK).map(product).collect::<Vec<_>>());
    }
}

#[test]
fn a_backup_under_load_is_a_state_that_existed() {
    let mut owned = Owned::new();
    let server = Binary::serve(owned.seeded.path());
    let client = &server.client;
    let group = owned.own(client, "POST", "/synonyms");
    let group = group
        .json(&json!({"terms": ["nota", "apunte"]}))
        .send()
        .ok();
    owned.group = group.data()["id"].as_str().expect("an id").to_owned();
    for number in KINDS..2 * KINDS {
        owned.write(client, number);
    }
    let first = owned.state(client, owned.seeded.path());
    assert_eq!(first.last, [4, 5, 6, 7]);
    let (over, acknowledged) = (AtomicBool::new(false), AtomicU64::new(2 * KINDS - 1));
    let target = TempDir::new().expect("a directory");
    std::thread::scope(|scope| {
        let _ends = Ends(&over);
        scope.spawn(|| load(&owned, client, &over));
        scope.spawn(|| {
            while !over.load(Ordering::SeqCst) {
                let next = acknowledged.load(Ordering::SeqCst) + 1;
                owned.write(client, next);
                acknowledged.store(next, Ordering::SeqCst);
            }
        });
        let mut ends = Vec::new();
        for round in 0..BACKUPS {
            let enough = acknowledged.load(Ordering::SeqCst) + WRITES_BETWEEN;
            eventually("there were some writes", || {
                acknowledged.load(Ordering::SeqCst) >= enough
            });
            let dir = target.path().join(round.to_string());
            let before = acknowledged.load(Ordering::SeqCst);
            let to = dir.to_str().expect("UTF-8");
            let backup = findwell(owned.seeded.path(), &["backup", to]);
            assert_eq!(backup.status, 0, "{backup:?}");
            let at_most = acknowledged.load(Ordering::SeqCst) + 1;
            let end = restored(&owned, &dir, &first);
            assert!(
                (before..=at_most).contains(&end),
                "{before} {end} {at_most}"
            );
            ends.push(end);
        }
        assert!(ends.is_sorted() && ends[0] < ends[BACKUPS - 1], "{ends:?}");
    });
    assert_eq!(server.terminate(), 0);
}

/// Ends the writers, also when an assertion fails.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
