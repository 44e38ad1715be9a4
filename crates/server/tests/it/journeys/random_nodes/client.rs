//! A client that sends random operations of all kinds, each to a node of its choice.

use super::super::two_nodes::Keys;
use super::operation::{Done, Face, Mark, Operation};
use crate::faults::Random;
use crate::harness::{Client, Reply};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const LANGUAGES: [&str; 2] = ["es", "en"];
const IDS: usize = 60;
pub const WORDS: [&str; 8] = [
    "bota", "zapato", "roja", "azul", "tienda", "saco", "verde", "cuerda",
];
/// Times of the shop are in the past, so that they mean the same when all is sent again.
const REV: u64 = 1_700_000_000_000;

/// What all clients know.
#[derive(Default)]
pub struct Common {
    next: AtomicUsize,
    /// Ids of records by their path.
    records: Mutex<HashMap<&'static str, Vec<String>>>,
    /// The hash that was last sent of a document.
    hashes: Mutex<HashMap<(String, String), String>>,
    pub done: Mutex<Vec<Done>>,
    /// How many operations of each kind had which status.
    pub statuses: Mutex<HashMap<(String, u16), usize>>,
}

/// A client of two nodes.
pub struct RandomClient<'a> {
    pub keys: &'a Keys,
    pub nodes: [&'a Client; 2],
    pub common: &'a Common,
    pub random: Random,
    /// The run that it has open, and its language.
    pub run: Option<(String, &'static str)>,
}

impl RandomClient<'_> {
    /// Sends one operation.
    pub fn act(&mut self) {
        let operation = match self.random.below(20) {
            0..=6 => self.block(),
            7 => self.delete(),
            8..=9 => self.run_step(),
            10 => self.touch(),
            11 => self.declaration(),
            12 if self.random.once_in(4) => clear(),
            12 | 13 => self.relevance(),
            14..=15 => self.record("/synonyms"),
            16..=17 => self.record("/rules"),
            18 => self.record("/filters"),
            _ => self.other(),
        };
        let node = self.nodes[self.random.below(2)];
        let reply = operation.send(self.keys, node);
        self.note(operation, &reply);
    }

    fn note(&mut self, operation: Operation, reply: &Reply) {
        let kind = format!("{} {}", operation.method, shape(&operation.path));
        let mut statuses = self.common.statuses.lock().expect("no panic");
        *statuses.entry((kind, reply.status)).or_default() += 1;
        drop(statuses);
        if reply.status >= 300 {
            // What others did first, and what lags.
            let expected = [403, 404, 409, 410, 412, 503];
            assert!(expected.contains(&reply.status), "{operation:?} {reply:?}");
            return;
        }
        let data = reply.data().clone();
        if operation.face == Face::Owner
            && let Some(id) = operation.created(&data)
            && let Some(path) = ["/synonyms", "/rules", "/filters"]
                .into_iter()
                .find(|path| *path == operation.path)
        {
            let mut records = self.common.records.lock().expect("no panic");
            records.entry(path).or_default().push(id);
        }
        if operation.path == "/runs" {
            let language = if operation.body["languages"][0] == "es" {
                "es"
            } else {
                "en"
            };
            let id = data["runId"].as_str().expect("an id");
            self.run = Some((id.to_owned(), language));
        }
        let mark = operation.mark.text(reply.header("X-Request-Id"));
        let done = Done {
            operation,
            mark,
            data,
        };
        self.common.done.lock().expect("no panic").push(done);
    }

    fn token(&self) -> String {
        format!("tok{:06}", self.common.next.fetch_add(1, Ordering::SeqCst))
    }

    fn language(&mut self) -> &'static str {
        LANGUAGES[self.random.below(2)]
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.random.below(WORDS.len())]
    }

    /// An id and whether its documents have a time of the shop: those that have none are never stale.
    fn id(&mut self) -> (String, bool) {
        let number = self.random.below(IDS);
        let is_dated = number.is_multiple_of(2);
        (format!("p{number}"), is_dated)
    }

    fn rev(&mut self) -> u64 {
        REV + self.random.below(50) as u64
    }

    fn block(&mut self) -> Operation {
        let token = self.token();
        let (run, language) = match &self.run {
            Some((run, language)) if self.random.once_in(2) => (Some(run.clone()), *language),
            _ => (None, self.language()),
        };
        let doc_type = match run {
            None if self.random.once_in(5) => "categories",
            _ => "products",
        };
        let count = 1 + self.random.below(6);
        let mut documents: Vec<Value> = (0..count)
            .map(|_| self.document(&token, language))
            .collect();
        if run.is_some() {
            // A run sees what is stale, too, and then stores nothing by which the block would be found.
            let name = format!("bota {token}");
            documents.push(json!({"id": token, "name": name, "hash": "new"}));
        }
        let mut body = json!({"language": language, "documents": documents});
        if let Some(run) = run {
            body["runId"] = run.into();
        }
        feed("POST", format!("/{doc_type}/bulk"), body, Mark::Text(token))
    }

    fn document(&mut self, token: &str, language: &str) -> Value {
        let (id, is_dated) = self.id();
        let (one, other) = (self.word(), self.word());
        let price = self.random.below(90) + 10;
        let key = (language.to_owned(), id.clone());
        let mut hashes = self.common.hashes.lock().expect("no panic");
        // Touches name it, too, which must not look like this block.
        let hash = token.replace("tok", "hash");
        hashes.insert(key, hash.clone());
        drop(hashes);
        let mut document = json!({
            "id": id, "name": format!("{one} {other} {token}"), "hash": hash, "currency": "EUR",
            "priceInclTax": price, "manufacturer": self.word(), "sales_count": price % 7, "inStock": !price.is_multiple_of(3),
        });
        if is_dated {
            document["rev"] = self.rev().into();
        }
        if self.random.once_in(15) {
            document["priceInclTax"] = "not a number".into();
        }
        document
    }

    fn delete(&mut self) -> Operation {
        let token = self.token();
        let is_dated = self.random.once_in(2);
        let mut ids = vec![token.clone()];
        ids.extend((0..=self.random.below(4)).map(|_| {
            let number = 2 * self.random.below(IDS / 2) + usize::from(!is_dated);
            format!("p{number}")
        }));
        let mut body = json!({"ids": ids, "languages": [self.language()]});
        if is_dated {
            body["rev"] = self.rev().into();
        }
        feed(
            "POST",
            "/products/delete".to_owned(),
            body,
            Mark::Text(token),
        )
    }

    /// Opens a run, or closes or aborts the open one.
    fn run_step(&mut self) -> Operation {
        let Some((run, language)) = self.run.take() else {
            let token = self.token();
            let body = json!({
                "clientRunId": token, "mode": "incremental", "types": ["products"], "languages": [self.language()]
            });
            return feed("POST", "/runs".to_owned(), body, Mark::Text(token));
        };
        let mark = Mark::Text(run.clone());
        if self.random.once_in(4) {
            return feed("POST", format!("/runs/{run}/abort"), json!({}), mark);
        }
        let call = self
            .keys
            .feed(self.nodes[0], "GET", &format!("/runs/{run}"));
        let seen = call.send().data()["scopes"][0]["seen"].clone();
        let scope = json!({"type": "products", "language": language, "sent": seen, "touched": 0, "dropped": 0});
        let body = json!({"scopes": [scope], "confirmPurge": true});
        feed("POST", format!("/runs/{run}/close"), body, mark)
    }

    fn touch(&mut self) -> Operation {
        let Some((run, language)) = self.run.clone() else {
            return self.block();
        };
        let token = self.token();
        let mut items = vec![json!({"id": token, "hash": token})];
        for _ in 0..8 {
            let (id, _) = self.id();
            let key = (language.to_owned(), id.clone());
            let hashes = self.common.hashes.lock().expect("no panic");
            let hash = hashes.get(&key).cloned().unwrap_or_default();
            items.push(json!({"id": id, "hash": hash}));
        }
        let body = json!({"runId": run, "type": "products", "language": language, "items": items});
        feed("POST", "/touch".to_owned(), body, Mark::Text(token))
    }

    fn declaration(&mut self) -> Operation {
        let token = self.token();
        let names = json!({"en": token});
        let (path, body) = match self.random.below(3) {
            0 => {
                let codes = [
                    json!({"code": "EUR", "symbol": token}),
                    json!({"code": "USD"}),
                ];
                let count = 1 + self.random.below(2);
                (
                    "/currencies",
                    json!({"base": "EUR", "currencies": &codes[..count]}),
                )
            }
            1 => {
                let base = json!({"groupId": "1", "names": names});
                ("/price-tiers", json!({"base": base, "tiers": []}))
            }
            _ => {
                let iso = ["fr", "pt", "it"][self.random.below(3)];
                let country = json!({"iso": iso, "names": names});
                (
                    "/price-countries",
                    json!({"base": "es", "countries": [country]}),
                )
            }
        };
        feed("POST", path.to_owned(), body, Mark::Text(token))
    }

    fn relevance(&mut self) -> Operation {
        let field = ["name", "description", "manufacturer"][self.random.below(3)];
        let boost = self.random.below(10);
        let body = json!({"boosts": {field: boost}});
        owner("PUT", "/relevance".to_owned(), body)
    }

    /// Creates, changes or deletes a record.
    fn record(&mut self, path: &'static str) -> Operation {
        let known = self.common.records.lock().expect("no panic");
        let known = known.get(path).cloned().unwrap_or_default();
        let creates = known.is_empty() || self.random.once_in(2);
        let body = self.record_body(path, creates);
        if creates {
            return owner("POST", path.to_owned(), body);
        }
        let id = &known[self.random.below(known.len())];
        let of_record = format!("{path}/{id}");
        if self.random.once_in(3) {
            owner("DELETE", of_record, json!({}))
        } else {
            owner("PUT", of_record, body)
        }
    }

    fn record_body(&mut self, path: &str, creates: bool) -> Value {
        let (one, other, token) = (self.word(), self.word(), self.token());
        match (path, creates) {
            ("/synonyms", _) => json!({"terms": [one, format!("{other} {token}")]}),
            ("/rules", true) => json!({
                "name": token, "type": "PIN", "trigger": {"query": one, "match": "exact"},
                "actions": {"pin": [format!("p{}", self.random.below(IDS))]}
            }),
            ("/rules", false) => json!({"name": token, "priority": self.random.below(100)}),
            (_, true) => {
                let field = ["manufacturer", "price", "inStock"][self.random.below(3)];
                json!({"field": field, "label": {"es": token}})
            }
            _ => json!({"label": {"es": token}, "active": self.random.once_in(2)}),
        }
    }

    /// The widget, lists of queries, a draft, a restore, a language.
    fn other(&mut self) -> Operation {
        let (one, token) = (self.word(), self.token());
        match self.random.below(6) {
            0 => owner(
                "PUT",
                "/hidden-queries".to_owned(),
                json!({"queries": [one]}),
            ),
            1 => {
                let query = json!({"q": one, "lang": "es", "note": token});
                owner("PUT", "/watched".to_owned(), json!({"queries": [query]}))
            }
            2 => {
                let draft = json!({"relevance": {"boosts": {"name": self.random.below(10)}}});
                let tags = json!({"relevance": relevance_tag(self.keys, self.nodes[0])});
                let body = json!({"draft": draft, "note": token, "ifMatch": tags});
                owner("POST", "/changes".to_owned(), body)
            }
            3 => owner(
                "PUT",
                "/widget".to_owned(),
                json!({"layout": if self.random.once_in(2) { "grid" } else { "list" }}),
            ),
            4 => {
                let revision = 1 + self.random.below(5);
                let read = self
                    .keys
                    .of_store(self.nodes[1], "GET", "/revisions?limit=1")
                    .send();
                let latest = read.data()[0]["revision"].as_u64().unwrap_or(0);
                let body = json!({"parts": ["relevance"], "ifRevision": latest});
                owner("POST", format!("/revisions/{revision}/restore"), body)
            }
            _ => {
                let languages = LANGUAGES.map(|code| json!({"code": code}));
                let types = [json!("brands"), json!("pages")];
                let body = json!({"types": [types[self.random.below(2)]], "languages": languages});
                feed("POST", "/indices".to_owned(), body, Mark::AnyTime)
            }
        }
    }
}

/// The tag of the relevance that is saved, which drafts name.
pub fn relevance_tag(keys: &Keys, client: &Client) -> String {
    let read = keys.of_store(client, "GET", "/relevance").send().ok();
    read.header("ETag").to_owned()
}

fn clear() -> Operation {
    let body = json!({"languages": ["en"]});
    feed("POST", "/products/clear".to_owned(), body, Mark::Clear)
}

fn feed(method: &'static str, path: String, body: Value, mark: Mark) -> Operation {
    Operation {
        face: Face::Feed,
        method,
        path,
        body,
        mark,
    }
}

fn owner(method: &'static str, path: String, body: Value) -> Operation {
    Operation {
        face: Face::Owner,
        method,
        path,
        body,
        mark: Mark::Request,
    }
}

/// A path without its ids.
fn shape(path: &str) -> String {
    let part = |part: &str| {
        if part.len() > 14 || part.parse::<u32>().is_ok() {
            "…"
        } else {
            part
        }
        .to_owned()
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}
