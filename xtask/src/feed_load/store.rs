//! A store that is fed, and its keys.

use super::catalogue::LANGUAGE;
use crate::failure::{Failure, Outcome};
use crate::load::sender::{Sender, Sent};
use crate::process::Server;
use crate::stopwatch::pause;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Pause before a rejected request is repeated, as long as the server's `Retry-After` says.
const RETRY: Duration = Duration::from_secs(1);
/// How often a request is repeated.
const ATTEMPTS_MAX: usize = 600;

/// A store.
pub struct Store {
    id: String,
    connector: String,
    public: String,
    address: String,
    /// Requests that were rejected because the index lagged behind.
    rejected: AtomicUsize,
}

impl Store {
    /// Creates a store with an index of products.
    ///
    /// # Errors
    ///
    /// When a command or a request fails.
    pub fn create(server: &Server, name: &str) -> Outcome<Self> {
        let id = server.new_store(name, LANGUAGE)?;
        let store = Self {
            connector: server.new_key(&id, "connector")?,
            public: server.new_key(&id, "search-only")?,
            address: server.address().to_owned(),
            id,
            rejected: AtomicUsize::new(0),
        };
        let languages = json!([{"code": LANGUAGE, "default": true}]);
        let body = json!({"types": ["products"], "languages": languages});
        store.feed(&store.sender(), "/indices", &body)?;
        Ok(store)
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// A client for a connection of its own.
    pub fn sender(&self) -> Sender {
        Sender::new(&self.address)
    }

    /// Number of requests that were rejected because the index lagged behind.
    pub fn rejected(&self) -> usize {
        self.rejected.load(Ordering::Relaxed)
    }

    /// Sends a request of the connector until it is not rejected, and returns `data`.
    ///
    /// # Errors
    ///
    /// When the response is an error or missing.
    pub fn feed(&self, sender: &Sender, path: &str, body: &Value) -> Outcome<Value> {
        let bytes = body.to_string().into_bytes();
        let send = |path: &str| sender.send_text("POST", path, &self.connector, bytes.clone());
        self.until_accepted(path, send)
    }

    /// Sends a compressed body as [`Self::feed`] does.
    ///
    /// # Errors
    ///
    /// When the response is an error or missing.
    pub fn feed_compressed(&self, sender: &Sender, path: &str, body: &[u8]) -> Outcome<Value> {
        let send = |path: &str| sender.send_compressed(path, &self.connector, body.to_vec());
        self.until_accepted(path, send)
    }

    fn until_accepted(&self, path: &str, send: impl Fn(&str) -> Sent) -> Outcome<Value> {
        for _ in 0..ATTEMPTS_MAX {
            let sent = send(&format!("/feed{path}"));
            match sent.status {
                200..300 => return Ok(sent.data),
                503 => {
                    self.rejected.fetch_add(1, Ordering::Relaxed);
                    pause(RETRY);
                }
                0 => return Err(Failure::new(format!("{path}: no response"))),
                status => return Err(Failure::new(format!("{path}: {status}"))),
            }
        }
        Err(Failure::new(format!(
            "{path}: still 503 after {ATTEMPTS_MAX} attempts"
        )))
    }

    /// Sends all `bodies` to `path` over `connections` connections.
    ///
    /// # Errors
    ///
    /// Those of the first request that fails.
    pub fn feed_all(&self, path: &str, bodies: &[Vec<u8>], connections: usize) -> Outcome<()> {
        let next = AtomicUsize::new(0);
        let send = || {
            let sender = self.sender();
            while let Some(body) = bodies.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.feed_compressed(&sender, path, body)?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let sending: Vec<_> = (0..connections).map(|_| scope.spawn(send)).collect();
            let joined = sending.into_iter().map(|thread| {
                let panicked = |_| Err(Failure::new("a connection panicked"));
                thread.join().unwrap_or_else(panicked)
            });
            joined.collect::<Vec<Outcome<()>>>().into_iter().collect()
        })
    }

    /// Opens a run of products and returns its id.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub fn open_run(&self, name: &str) -> Outcome<String> {
        let body = json!({
            "clientRunId": name, "mode": "incremental", "types": ["products"], "languages": [LANGUAGE]
        });
        let run = self.feed(&self.sender(), "/runs", &body)?;
        let id = run["runId"].as_str().map(str::to_owned);
        id.ok_or_else(|| Failure::new("a run without an id"))
    }

    /// Closes a run that saw `sent` and `touched` products; it must purge `purged` others.
    ///
    /// # Errors
    ///
    /// When the server saw another number, or purges something else.
    pub fn close_run(&self, run: &str, sent: usize, touched: usize, purged: usize) -> Outcome<()> {
        let scope =
            json!({"type": "products", "language": LANGUAGE, "sent": sent, "touched": touched});
        let path = format!("/runs/{run}/close");
        let closed = self.feed(&self.sender(), &path, &json!({"scopes": [scope]}))?;
        let scope = &closed["scopes"][0];
        if scope["status"] == "purged" && scope["purged"] == purged {
            return Ok(());
        }
        Err(Failure::new(format!("the run ended otherwise: {scope}")))
    }

    /// Sends a search; returns its status and `data`.
    pub fn search(&self, sender: &Sender, query: &str, facets: bool) -> Sent {
        let body = json!({"q": query, "lang": LANGUAGE, "types": ["products"], "facets": facets});
        sender.send("POST", "/search", &self.public, &body)
    }

    /// Returns the number of products that shoppers find.
    ///
    /// # Errors
    ///
    /// When the search fails.
    pub fn total(&self, sender: &Sender) -> Outcome<u64> {
        let found = self.search(sender, "", false);
        let total = found.data["products"]["total"].as_u64();
        total.ok_or_else(|| Failure::new(format!("a search failed with status {}", found.status)))
    }
}
