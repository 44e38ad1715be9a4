//! A connector that sends the products in English in runs, and the products it expects to be found.

use super::data::{Documents, Store, block, hash};
use super::expected::{Expected, Outcome, must_succeed, outcome};
use super::random::Random;
use crate::harness::Client;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const LANGUAGE: &str = "en";
const IDS: usize = 40;

/// The products, and the run on them.
#[derive(Clone, Debug)]
struct Scope {
    documents: Documents,
    run: Run,
}

/// A run; before the first one there is a closed one that saw nothing.
#[derive(Clone, Debug, Default)]
struct Run {
    open: bool,
    seen: BTreeSet<String>,
    purged: Option<u64>,
}

/// The visible state of a scope: its products, and whether the run is open, what it saw and purged.
type Shown = (Documents, bool, u64, Option<u64>);

/// The connector.
#[derive(Clone)]
pub struct Runner {
    scope: Expected<Scope>,
    /// The connector's id of its run, and the server's, once it is known.
    pass: u64,
    run_id: Option<String>,
    random: Random,
    writes: u64,
}

impl Runner {
    /// A connector of an empty scope.
    pub fn new(random: Random) -> Self {
        let scope = Scope {
            documents: Documents::new(),
            run: Run::default(),
        };
        Self {
            scope: Expected::known(scope),
            pass: 0,
            run_id: None,
            random,
            writes: 0,
        }
    }

    /// Does one write of any kind that the state of the run allows.
    pub fn act(&mut self, store: &Store, client: &Client) -> Outcome {
        let run = &self.scope.acknowledged().run;
        match self.random.below(6) {
            _ if !run.open => self.open(store, client),
            0 if !run.seen.is_empty() => self.close(store, client),
            1 | 2 => self.touch(store, client),
            _ => self.send(store, client),
        }
    }

    /// Ensures that a run is open and saw something, or that none is open.
    pub fn prepare(&mut self, store: &Store, client: &Client, open: bool) {
        let is_open = self.scope.acknowledged().run.open;
        if is_open && !open {
            must_succeed(|| self.close(store, client));
        }
        if open && !is_open {
            must_succeed(|| self.open(store, client));
            must_succeed(|| self.send(store, client));
        }
    }

    /// Opens the next run.
    pub fn open(&mut self, store: &Store, client: &Client) -> Outcome {
        self.pass += 1;
        self.run_id = None;
        let mut next = self.scope.acknowledged().clone();
        next.run = Run {
            open: true,
            ..Run::default()
        };
        let outcome = self.request_run(store, client);
        self.scope.record(next, outcome)
    }

    fn request_run(&mut self, store: &Store, client: &Client) -> Outcome {
        let client_run = format!("pass-{}", self.pass);
        let body = json!({"clientRunId": client_run, "mode": "incremental", "types": ["products"], "languages": [LANGUAGE]});
        let reply = store.feed(client, "POST", "/runs").json(&body).try_send();
        let outcome = outcome(reply.as_ref());
        if let Some(reply) = reply.filter(|_| outcome == Outcome::Done) {
            let id = reply.data()["runId"].as_str().expect("an id");
            self.run_id = Some(id.to_owned());
        }
        outcome
    }

    /// Sends a block in the run.
    pub fn send(&mut self, store: &Store, client: &Client) -> Outcome {
        self.writes += 1;
        let numbers = self.random.some_below(IDS, 12);
        let block = block("r", numbers, "Boot", self.writes);
        let reply = store.send(client, LANGUAGE, Some(self.run()), &block);
        let mut next = self.scope.acknowledged().clone();
        next.run.seen.extend(block.keys().cloned());
        next.documents.extend(block);
        self.scope.record(next, outcome(reply.as_ref()))
    }

    /// Touches some products: existing ones unchanged, others with a wrong hash, and unknown ones.
    pub fn touch(&mut self, store: &Store, client: &Client) -> Outcome {
        let mut next = self.scope.acknowledged().clone();
        let mut items: Vec<Value> = Vec::new();
        for id in self.random.some_below(IDS, 20) {
            let id = format!("r{id}");
            let changed = self.random.once_in(4);
            let hash = match next.documents.get(&id) {
                Some((name, _)) if !changed => {
                    next.run.seen.insert(id.clone());
                    hash(name)
                }
                _ => "sha1:other".to_owned(),
            };
            items.push(json!({"id": id, "hash": hash}));
        }
        let body =
            json!({"runId": self.run(), "type": "products", "language": LANGUAGE, "items": items});
        let reply = store.feed(client, "POST", "/touch").json(&body).try_send();
        self.scope.record(next, outcome(reply.as_ref()))
    }

    /// Closes the run, which purges what it did not see; one close of four claims that it saw more, and purges nothing.
    pub fn close(&mut self, store: &Store, client: &Client) -> Outcome {
        let mut next = self.scope.acknowledged().clone();
        let (held, seen) = (next.documents.len(), next.run.seen.len());
        let agrees = !self.random.once_in(4);
        if agrees {
            next.documents.retain(|id, _| next.run.seen.contains(id));
        }
        let purged = (held - next.documents.len()) as u64;
        next.run.open = false;
        next.run.purged = Some(purged);
        let sent = seen + usize::from(!agrees);
        let scope = json!({"type": "products", "language": LANGUAGE, "sent": sent, "touched": 0, "dropped": 0});
        let path = format!("/runs/{}/close", self.run());
        let call = store.feed(client, "POST", &path);
        let reply = call.json(&json!({"scopes": [scope]})).try_send();
        let outcome = outcome(reply.as_ref());
        if let Some(reply) = reply.filter(|_| outcome == Outcome::Done) {
            assert_eq!(reply.data()["scopes"][0]["purged"], purged, "{reply:?}");
        }
        self.scope.record(next, outcome)
    }

    fn run(&self) -> &str {
        self.run_id.as_deref().expect("an open run has an id")
    }

    /// Compares products, run, counts and deletion marks with what was acknowledged.
    pub fn settle(&mut self, store: &Store, client: &Client) {
        let found = self.found(store, client);
        self.scope.settle(&found, shown);
    }

    /// Records that the write in flight may be the one that led to `next`.
    pub fn may_become(&mut self, next: &Self) {
        self.scope.may_become(&next.scope);
        if self.pass != next.pass {
            (self.pass, self.run_id) = (next.pass, None);
        }
    }

    /// Compares while the server lives.
    pub fn check(&mut self, store: &Store, client: &Client) {
        let found = self.found(store, client);
        self.scope.check(&found, shown);
    }

    fn found(&mut self, store: &Store, client: &Client) -> Shown {
        if self.pass > 0 && self.run_id.is_none() {
            // The run may be open or not; when opened again with its own id, it is.
            let mut next = self.scope.acknowledged().clone();
            next.run = Run {
                open: true,
                ..Run::default()
            };
            let outcome = self.request_run(store, client);
            assert_eq!(self.scope.record(next, outcome), Outcome::Done);
        }
        let documents = store.consistent(client, LANGUAGE);
        let Some(id) = &self.run_id else {
            return (documents, false, 0, None);
        };
        let path = format!("/runs/{id}");
        let reply = store.feed(client, "GET", &path).send().ok();
        let (run, scope) = (reply.data(), &reply.data()["scopes"][0]);
        assert_eq!(scope["documents"], documents.len(), "{run}");
        let seen = scope["seen"].as_u64().expect("a number");
        (
            documents,
            run["state"] == "open",
            seen,
            scope["purged"].as_u64(),
        )
    }
}

fn shown(scope: &Scope) -> Shown {
    let run = &scope.run;
    let documents = scope.documents.clone();
    (documents, run.open, run.seen.len() as u64, run.purged)
}
