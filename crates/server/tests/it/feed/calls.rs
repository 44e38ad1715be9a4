//! Shorthands for the calls of a connector.

use crate::harness::{Reply, Shop, eventually, product};
use serde_json::{Value, json};

/// Opens a run of products.
pub fn open(shop: &Shop, client_run: &str, languages: &[&str]) -> Reply {
    let body = json!({
        "clientRunId": client_run, "mode": "incremental", "types": ["products"],
        "languages": languages
    });
    shop.feed("POST", "/feed/runs").json(&body).send()
}

/// The id of the run in a response.
pub fn run_of(reply: &Reply) -> String {
    reply.data()["runId"].as_str().expect("a run").to_owned()
}

/// Opens a run of Spanish products and returns its id.
pub fn opened(shop: &Shop, client_run: &str) -> String {
    run_of(&open(shop, client_run, &["es"]).ok())
}

/// Sends Spanish products in a run.
pub fn send(shop: &Shop, run: &str, documents: &Value) -> Reply {
    let body = json!({"language": "es", "runId": run, "documents": documents});
    shop.feed("POST", "/feed/products/bulk").json(&body).send()
}

/// Touches Spanish products in a run.
pub fn touch(shop: &Shop, run: &str, items: &Value) -> Reply {
    let body = json!({"runId": run, "type": "products", "language": "es", "items": items});
    shop.feed("POST", "/feed/touch").json(&body).send()
}

/// Closes a run.
pub fn close(shop: &Shop, run: &str, scopes: &Value) -> Reply {
    close_with(shop, run, &json!({"scopes": scopes}))
}

/// Closes a run with a complete body.
pub fn close_with(shop: &Shop, run: &str, body: &Value) -> Reply {
    let path = format!("/feed/runs/{run}/close");
    shop.feed("POST", &path).json(body).send()
}

/// Aborts a run.
pub fn abort(shop: &Shop, run: &str) -> Reply {
    shop.feed("POST", &format!("/feed/runs/{run}/abort")).send()
}

/// State and counts of a run.
pub fn view(shop: &Shop, run: &str) -> Reply {
    shop.feed("GET", &format!("/feed/runs/{run}")).send().ok()
}

/// The scope of Spanish products, as a close names it.
pub fn spanish(sent: u64, touched: u64) -> Value {
    json!({"type": "products", "language": "es", "sent": sent, "touched": touched})
}

/// A product with a hash.
pub fn hashed(id: &str, hash: &str) -> Value {
    let mut document = product(id, "Bota");
    document["hash"] = json!(hash);
    document
}

/// `count` products, with ids from `first` on.
pub fn many(first: usize, count: usize) -> Value {
    let ids = first..first + count;
    ids.map(|id| hashed(&id.to_string(), "a")).collect()
}

/// Waits until `count` products are found in Spanish.
pub fn until_count(shop: &Shop, count: usize) {
    eventually(&format!("{count} products are found"), || {
        shop.products("es").len() == count
    });
}
