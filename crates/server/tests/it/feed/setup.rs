//! 1. `connect` returns the store, what it may be sent and the limits.
//! 2. Indexes are created once, per active language; invalid lists are rejected.
//! 3. The public key of an installation stays the same and searches only its store.
//! 4. An unknown operation is 404 `not_found`; a missing index is 409.

use crate::harness::{Shop, product};
use serde_json::{Value, json};

#[test]
fn connect_returns_the_store_and_its_limits() {
    let shop = Shop::open();
    let connected = shop.feed("GET", "/feed/connect").send().ok();
    let data = connected.data();
    assert_eq!(data["storeId"], json!(shop.store));
    assert_eq!(data["status"], "active");
    let limits = json!({"bulkDocuments": 500, "bulkBytes": 8_388_608, "touchIds": 2000});
    assert_eq!(data["limits"], limits);
    for capability in [
        "indices",
        "public-key",
        "runs",
        "touch",
        "bulk",
        "delete",
        "clear",
    ] {
        let list = data["capabilities"].as_array().expect("a list");
        assert!(list.contains(&json!(capability)), "{capability}");
    }
}

#[test]
fn indexes_are_created_once() {
    let shop = Shop::open();
    let post = |body: &Value| shop.feed("POST", "/feed/indices").json(body).send();
    let body = json!({
        "types": ["products", "categories", "brands"],
        "languages": [
            {"code": "es", "locale": "es-ES", "name": "Español", "default": true},
            {"code": "en", "locale": "en-US", "name": "English"},
            {"code": "fr"}
        ]
    });
    let created = post(&body).ok();
    let status = |doc_type: &str, language: &str| {
        let indexes = created.data()["indices"].as_array().expect("a list");
        let found = indexes
            .iter()
            .find(|i| i["type"] == doc_type && i["language"] == language);
        found.map(|i| i["status"].clone())
    };
    assert_eq!(status("products", "es"), Some(json!("exists")));
    assert_eq!(status("brands", "es"), Some(json!("created")));
    assert_eq!(status("products", "fr"), Some(json!("created")));
    assert_eq!(
        created.data()["languages"]["indexed"],
        json!(["es", "en", "fr"])
    );
    let store = shop.own("GET", "").send().ok();
    assert_eq!(store.data()["languages"], json!(["es", "en", "fr"]));

    for (body, field) in [
        (json!({"types": ["products"], "languages": []}), "languages"),
        (json!({"types": [], "languages": [{"code": "es"}]}), "types"),
        (
            json!({"types": ["goods"], "languages": [{"code": "es"}]}),
            "types[0]",
        ),
        (json!({"languages": [{"code": "es"}]}), "types"),
    ] {
        let reply = post(&body).error(400, "invalid_request");
        assert_eq!(reply.fields(), [field], "{body}");
    }
    let two = json!({
        "types": ["products"],
        "languages": [{"code": "es", "default": true}, {"code": "en", "default": true}]
    });
    post(&two).error(400, "invalid_request");
}

#[test]
fn the_public_key_stays_until_it_is_rotated() {
    let shop = Shop::open();
    let issue = |rotate: bool| {
        let body =
            json!({"instanceId": "6f1c9f0e", "origin": "https://shop.example", "rotate": rotate});
        shop.feed("POST", "/feed/public-key")
            .json(&body)
            .send()
            .ok()
    };
    let first = issue(false);
    assert_eq!(first.data()["created"], true);
    assert_eq!(first.data()["rotatedFrom"], Value::Null);
    let again = issue(false);
    assert_eq!(again.data()["publicKey"], first.data()["publicKey"]);
    assert_eq!(again.data()["created"], false);
    let key = first.data()["publicKey"].as_str().expect("a key");
    assert!(key.starts_with("pub_"));
    shop.api("GET", "/search").key(key).send().ok();
    shop.api("GET", "/feed/connect")
        .key(key)
        .send()
        .error(403, "key_kind");
    shop.api("GET", "/me")
        .key(key)
        .send()
        .error(401, "key_kind");
}

#[test]
fn unknown_operations_are_not_found_and_missing_things_are_conflicts() {
    let shop = Shop::open();
    for (method, path) in [
        ("GET", "/feed/plans"),
        ("POST", "/feed/taxes"),
        ("POST", "/feed/goods/bulk"),
        ("POST", "/feed/pages/clear"),
    ] {
        shop.feed(method, path).send().error(404, "not_found");
    }
    shop.bulk("products", "fr", &json!([product("1", "x")]))
        .error(409, "index_missing");
    shop.bulk("pages", "es", &json!([{"id": "1", "title": "x"}]))
        .error(409, "index_missing");
    let close = shop.feed("POST", "/feed/runs/run_x/close");
    close
        .json(&json!({"scopes": []}))
        .send()
        .error(410, "run_gone");
    shop.feed("GET", "/feed/runs/run_x")
        .send()
        .error(410, "run_gone");
}
