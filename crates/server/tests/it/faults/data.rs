//! A data directory with a store of two languages and its keys, and reading its documents back.

use crate::harness::{Call, Client, Reply, eventually, findwell};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Documents by id, each as its name and price.
pub type Documents = BTreeMap<String, (String, u64)>;

/// A block of products with ids of `prefix` and each of `numbers`, all with the name `word` and `price`.
pub fn block(prefix: &str, numbers: Vec<usize>, word: &str, price: u64) -> Documents {
    let named = |number| {
        (
            format!("{prefix}{number}"),
            (format!("{word} {price}"), price),
        )
    };
    numbers.into_iter().map(named).collect()
}

/// A store and its keys.
#[derive(Clone, Debug)]
pub struct Store {
    pub id: String,
    pub connector: String,
    pub public: String,
    pub write_key: String,
}

impl Store {
    /// Creates a store with the languages `es` and `en` in `data`, by the command line.
    pub fn create(data: &Path) -> Self {
        let line = |arguments: &[&str]| findwell(data, arguments).line().to_owned();
        let languages = ["--language", "es", "--language", "en"];
        let id = line(&[&["store", "create", "--name", "Shop"], &languages[..]].concat());
        let key =
            |more: &[&str]| line(&[&["key", "create", "--store", &id, "--kind"], more].concat());
        Self {
            connector: key(&["connector"]),
            public: key(&["search-only"]),
            write_key: key(&["configuration", "--scope", "config:write"]),
            id,
        }
    }

    /// Creates the indexes of products.
    pub fn create_indexes(&self, client: &Client) {
        let languages = json!([{"code": "es", "default": true}, {"code": "en"}]);
        let body = json!({"types": ["products"], "languages": languages});
        let reply = self.feed(client, "POST", "/indices").json(&body).send();
        reply.ok();
    }

    /// A request with the connector key.
    pub fn feed<'a>(&self, client: &'a Client, method: &'static str, path: &str) -> Call<'a> {
        let path = format!("/api/v1/feed{path}");
        client.call(method, path).key(&self.connector)
    }

    /// A request of the owner for a path below the store.
    pub fn own<'a>(&self, client: &'a Client, method: &'static str, path: &str) -> Call<'a> {
        let path = format!("/api/v1/stores/{}{path}", self.id);
        client.call(method, path).key(&self.write_key)
    }

    /// Sends a block of products, optionally in a run.
    pub fn send(
        &self,
        client: &Client,
        language: &str,
        run: Option<&str>,
        documents: &Documents,
    ) -> Option<Reply> {
        let list: Vec<Value> = documents
            .iter()
            .map(|(id, (name, price))| {
                json!({"id": id, "name": name, "hash": hash(name), "currency": "EUR", "priceInclTax": price})
            })
            .collect();
        let mut body = json!({"language": language, "documents": list});
        if let Some(run) = run {
            body["runId"] = run.into();
        }
        let call = self.feed(client, "POST", "/products/bulk");
        let reply = call.json(&body).try_send();
        if let Some(reply) = reply.as_ref().filter(|reply| reply.status < 300) {
            assert_eq!(reply.data()["accepted"], list.len(), "{reply:?}");
        }
        reply
    }

    /// Returns all products that shoppers find. A page of them is a consistent snapshot.
    pub fn found(&self, client: &Client, language: &str) -> Documents {
        let mut found = Documents::new();
        for page in 1.. {
            let body = json!({"lang": language, "types": ["products"], "page": page, "limit": 100, "sort": "name"});
            let call = client.call("POST", "/api/v1/search").key(&self.public);
            let reply = call.json(&body).send().ok();
            let products = &reply.data()["products"];
            let hits = products["hits"].as_array().expect("a list");
            for hit in hits {
                let text = |name: &str| hit[name].as_str().expect("text").to_owned();
                let price = hit["price"].as_f64().expect("a price");
                let product = (text("name"), price as u64);
                let before = found.insert(text("id"), product);
                assert_eq!(before, None, "found twice: {hit}");
            }
            if hits.len() < 100 {
                assert_eq!(products["total"], found.len());
                break;
            }
        }
        found
    }

    /// Returns the number of products in storage.
    pub fn stored(&self, client: &Client, language: &str) -> u64 {
        let reply = self.own(client, "GET", "").send().ok();
        let indexes = reply.data()["indices"].as_array().expect("a list");
        let index = indexes.iter().find(|index| index["language"] == language);
        index.map_or(0, |index| index["documents"].as_u64().expect("a number"))
    }

    /// Whether the indexes have caught up with storage.
    pub fn is_indexed(&self, client: &Client) -> bool {
        let detail = self.own(client, "GET", "").send().ok();
        let indexes = detail.data()["indices"].as_array().expect("a list");
        indexes.iter().all(|index| index["state"] == "ready")
    }

    /// Returns the products that shoppers find, once there are as many as in storage.
    pub fn consistent(&self, client: &Client, language: &str) -> Documents {
        eventually("the index has caught up", || self.is_indexed(client));
        let found = self.found(client, language);
        let stored = self.stored(client, language);
        assert_eq!(stored, found.len() as u64, "stored and found: {found:?}");
        found
    }
}

/// The hash of a document with this name.
pub fn hash(name: &str) -> String {
    format!("sha1:{name}")
}
