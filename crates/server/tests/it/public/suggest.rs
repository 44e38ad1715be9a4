//! 1. The prefix of a word finds products, categories and brands; POST and GET find the same.
//! 2. Limits hold; a key in the query string is rejected.
//! 3. Endpoints of later versions do not exist yet.

use crate::harness::{Shop, eventually, product};
use serde_json::{Value, json};

fn stocked() -> Shop {
    let shop = Shop::open();
    let new = json!({"types": ["brands"], "languages": [{"code": "es", "default": true}]});
    shop.feed("POST", "/feed/indices").json(&new).send().ok();
    let products: Vec<Value> = (1..=8)
        .map(|at| product(&format!("p{at}"), "Camiseta roja"))
        .collect();
    shop.bulk("products", "es", &json!(products)).ok();
    let category = json!([{"id": "4", "name": "Camisas", "url": "https://shop.example/c/4"}]);
    shop.bulk("categories", "es", &category).ok();
    let brand = json!([{"id": "7", "type": "MANUFACTURER", "name": "Camaleón", "image": "https://shop.example/7.png"}]);
    shop.bulk("brands", "es", &brand).ok();
    eventually("all are suggested", || {
        let found = suggest(&shop, &json!({"q": "cam"}));
        ["products", "categories", "brands"]
            .iter()
            .all(|of| !found[of]["hits"][0].is_null())
    });
    shop
}

fn suggest(shop: &Shop, body: &Value) -> Value {
    let call = shop.api("POST", "/suggest").key(&shop.public).json(body);
    call.send().ok().data().clone()
}

#[test]
fn a_prefix_finds_all_types() {
    let shop = stocked();
    let found = suggest(&shop, &json!({"q": "roja cam", "limit": 3}));
    assert_eq!(found["products"]["hits"].as_array().map(Vec::len), Some(3));
    let product = &found["products"]["hits"][0];
    assert_eq!(
        product["highlight"]["name"],
        "<em>Cam</em>iseta <em>roja</em>"
    );
    assert_eq!(product["price"], 10.0);
    let found = suggest(&shop, &json!({"q": "cam"}));
    assert_eq!(found["products"]["hits"].as_array().map(Vec::len), Some(6));
    assert_eq!(
        found["categories"]["hits"],
        json!([{"id": "4", "name": "Camisas", "url": "https://shop.example/c/4", "highlight": {"name": "<em>Cam</em>isas"}}])
    );
    assert_eq!(
        found["brands"]["hits"],
        json!([{"id": "7", "name": "Camaleón", "image": "https://shop.example/7.png", "highlight": {"name": "<em>Cam</em>aleón"}}])
    );
    assert_eq!(found["queries"], json!([]));
    let got = shop
        .api("GET", "/suggest?q=cam&lang=es")
        .key(&shop.public)
        .send()
        .ok();
    assert_eq!(got.data(), &found);
}

#[test]
fn invalid_requests_are_rejected() {
    let shop = Shop::open();
    for (body, field) in [
        (json!({"limit": 21}), "limit"),
        (json!({"limit": 0}), "limit"),
        (json!({"q": "x".repeat(501)}), "q"),
        (json!({"lang": "fr"}), "lang"),
        (json!({"page": 2}), "page"),
    ] {
        let call = shop.api("POST", "/suggest").key(&shop.public).json(&body);
        assert_eq!(call.send().error(400, "invalid_request").fields(), [field]);
    }
    let token = shop
        .api("GET", "/suggest?visitor=x")
        .key(&shop.public)
        .send();
    assert_eq!(
        token.error(400, "invalid_request").fields(),
        ["query.visitor"]
    );
    let wrong = shop.api("GET", "/suggest?lang=fr").key(&shop.public).send();
    assert_eq!(wrong.error(400, "invalid_request").fields(), ["query.lang"]);
    let key = format!("/suggest?q=x&key={}", shop.public);
    shop.api("GET", &key).send().error(401, "key_missing");
}

#[test]
fn events_do_not_exist_yet() {
    let shop = Shop::open();
    let event = json!({"queryId": "q", "type": "click", "id": "p1", "position": 1});
    let call = shop.api("POST", "/events").key(&shop.public).json(&event);
    call.send().error(404, "not_found");
}
