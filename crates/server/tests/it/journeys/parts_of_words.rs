//! 1. `name.partial` above 0 for the first time: the service re-indexes by itself, the advice says how far it is, shoppers
//!    notice nothing, and a restart in the middle changes nothing of that.
//! 2. Until then it matches nothing and the simulator says why; afterwards parts of words are found and explained.
//! 3. At 0 it is not searched, and above 0 again it is found at once, without re-indexing.
//! 4. A new index of such a store is made with it.

use crate::harness::{Binary, Client, Furnished, eventually, findwell};
use serde_json::{Value, json};
use std::path::PathBuf;

const PRODUCTS: u64 = 5_000;

struct Shop {
    data: Furnished,
    key: String,
}

impl Shop {
    fn new() -> Self {
        let data = Furnished::with(PRODUCTS as usize);
        let options = ["key", "create", "--kind", "configuration", "--scope"];
        let more = ["config:write", "--store", &data.store];
        let key = findwell(data.path(), &[&options[..], &more].concat());
        let key = key.line().to_owned();
        Self { data, key }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/v1/stores/{}/relevance{rest}", self.data.store)
    }

    /// Saves the boost and answers the advice on it.
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

    /// Products that are found by a part of their name's first word.
    fn by_part(&self, client: &Client) -> u64 {
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
fn parts_of_words_are_indexed_by_themselves() {
    let shop = Shop::new();
    let server = Binary::serve(shop.data.path());
    assert_eq!(shop.data.total(&server.client, "bota"), PRODUCTS);
    assert_eq!(shop.advice(&server.client), None);
    let simulated = shop.simulate(&server.client);
    assert_eq!(simulated["total"], 0);
    let told = advice(&simulated).expect("advice");
    assert!(told.contains("needs re-indexing"), "{told}");

    let told = shop.save(&server.client, 4.0).expect("advice");
    assert!(told.contains("% done"), "{told}");
    assert_eq!(shop.by_part(&server.client), 0);
    assert_eq!(shop.data.total(&server.client, "bota"), PRODUCTS);
    server.kill();

    let server = Binary::serve(shop.data.path());
    assert_eq!(shop.data.total(&server.client, "bota"), PRODUCTS);
    eventually("the advice is gone", || {
        assert_eq!(shop.data.total(&server.client, "bota"), PRODUCTS);
        let found = shop.by_part(&server.client);
        assert!(found == 0 || found == PRODUCTS, "{found}");
        shop.advice(&server.client).is_none()
    });
    assert_eq!(shop.by_part(&server.client), PRODUCTS);
    let simulated = shop.simulate(&server.client);
    assert_eq!(advice(&simulated), None);
    let found = &simulated["hits"][0]["breakdown"]["text"]["matches"][0];
    assert_eq!(found["kind"], "partial");
    assert_eq!(found["field"], "name.partial");
    assert_eq!(found["matched"], "bota");

    let generation = shop.generation();
    assert_eq!(shop.save(&server.client, 0.0), None);
    assert_eq!(shop.by_part(&server.client), 0);
    assert_eq!(shop.save(&server.client, 4.0), None);
    assert_eq!(shop.by_part(&server.client), PRODUCTS);
    assert_eq!(shop.generation(), generation);

    let brand = "{\"id\": \"1\", \"name\": \"Botas Ibor\"}\n";
    assert_eq!(shop.data.import_lines("brands", brand).status, 0);
    let path = "/api/v1/search?q=ota&types=brands";
    eventually("the brand is found by a part", || {
        let reply = server.client.call("GET", path).key(&shop.data.key).send();
        reply.ok().data()["brands"]["total"] == 1
    });
    assert_eq!(shop.advice(&server.client), None);
}
