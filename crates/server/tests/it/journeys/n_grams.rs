//! 1. When `name.partial` is first above 0, the server re-indexes by itself, the advice reports progress, shoppers
//!    notice nothing, and a restart in the middle does not matter.
//! 2. Until then it matches nothing and the simulator says why; afterwards substrings match and are explained.
//! 3. At 0 it is not searched; above 0 again it is searched immediately, without re-indexing.
//! 4. A new index of such a store is created with n-grams.

use crate::harness::{Binary, Client, SeededStore, eventually, findwell};
use serde_json::{Value, json};
use std::path::PathBuf;

const PRODUCTS: u64 = 5_000;

struct Shop {
    data: SeededStore,
    key: String,
}

impl Shop {
    fn new() -> Self {
        let data = SeededStore::with(PRODUCTS as usize);
        let options = ["key", "create", "--kind", "configuration", "--scope"];
        let more = ["config:write", "--store", &data.store];
        let key = findwell(data.path(), &[&options[..], &more].concat());
        let key = key.line().to_owned();
        Self { data, key }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/v1/stores/{}/relevance{rest}", self.data.store)
    }

    /// Saves the boost and returns the advice on it.
    fn save(&self, client: &Client, boost: f64) -> Option<String> {
        let body = json!({"boosts": {"name.partial": boost}});
        let call = client.call("PUT", self.path("")).key(&self.key);
        advice(call.json(&body).send().ok().data())
    }

    fn advice(&self, client: &Client) -> Option<String> {
        let reply = client.call("GET", self.path("")).key(&self.key).send();
        advice(reply.ok().data())
    }

    fn simulate(&self, client: &Client) -> Value {
        let body = json!({"q": "ota", "limit": 1, "boosts": {"name.partial": 4}});
        let call = client.call("POST", self.path("/test")).key(&self.key);
        call.json(&body).send().ok().data().clone()
    }

    /// Returns the number of products found with a substring of their name's first word.
    fn found_by_substring(&self, client: &Client) -> u64 {
        self.data.total(client, "ota")
    }

    fn generation(&self) -> PathBuf {
        let entries = std::fs::read_dir(self.data.index()).expect("generations");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.max().expect("a generation")
    }
}

fn advice(data: &Value) -> Option<String> {
    let all = data["advice"].as_array().cloned().unwrap_or_default();
    let own = all
        .iter()
        .find(|advice| advice["field"] == "boosts.name.partial")?;
    Some(own["text"].as_str().expect("a text").to_owned())
}

#[test]
fn n_grams_are_indexed_automatically() {
    let shop = Shop::new();
    let server = Binary::serve(shop.data.path());
    assert_eq!(shop.data.total(&server.client, "bota"), PRODUCTS);
    assert_eq!(shop.advice(&server.client), None);
    let simulated = shop.simulate(&server.client);
    assert_eq!(simulated["total"], 0);
    let text = advice(&simulated).expect("advice");
    assert!(text.contains("needs re-indexing"), "{text}");

    let text = shop.save(&server.client, 4.0).expect("advice");
    assert!(text.contains("% done"), "{text}");
    assert_eq!(shop.found_by_substring(&server.client), 0);
    assert_eq!(shop.data.total(&server.client, "bota"), PRODUCTS);
    server.kill();

    let server = Binary::serve(shop.data.path());
    assert_eq!(shop.data.total(&server.client, "bota"), PRODUCTS);
    eventually("the advice is gone", || {
        assert_eq!(shop.data.total(&server.client, "bota"), PRODUCTS);
        let found = shop.found_by_substring(&server.client);
        assert!(found == 0 || found == PRODUCTS, "{found}");
        shop.advice(&server.client).is_none()
    });
    assert_eq!(shop.found_by_substring(&server.client), PRODUCTS);
    let simulated = shop.simulate(&server.client);
    assert_eq!(advice(&simulated), None);
    let found = &simulated["hits"][0]["breakdown"]["text"]["matches"][0];
    assert_eq!(found["kind"], "partial");
    assert_eq!(found["field"], "name.partial");
    assert_eq!(found["matched"], "bota");

    let generation = shop.generation();
    assert_eq!(shop.save(&server.client, 0.0), None);
    assert_eq!(shop.found_by_substring(&server.client), 0);
    assert_eq!(shop.save(&server.client, 4.0), None);
    assert_eq!(shop.found_by_substring(&server.client), PRODUCTS);
    assert_eq!(shop.generation(), generation);

    let brand = "{\"id\": \"1\", \"name\": \"Botas Ibor\"}\n";
    assert_eq!(shop.data.import_lines("brands", brand).status, 0);
    let path = "/api/v1/search?q=ota&types=brands";
    eventually("the brand is found by a substring", || {
        let reply = server.client.call("GET", path).key(&shop.data.key).send();
        reply.ok().data()["brands"]["total"] == 1
    });
    assert_eq!(shop.advice(&server.client), None);
}
