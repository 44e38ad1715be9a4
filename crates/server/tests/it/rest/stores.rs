//! 1. `/me` reports account, key and stores; unset values are null where documented.
//! 2. A store's detail has its indexes and counters, and its connector once it has called.
//! 3. `PUT` accepts name and devUrl; any other key is reserved; nothing else changes.

use crate::harness::{Shop, eventually, product};
use serde_json::{Value, json};

#[test]
fn me_reports_the_owner_of_the_key() {
    let shop = Shop::open();
    let me = shop.api("GET", "/me").key(&shop.read_key).send().ok();
    let data = me.data();
    assert_eq!(data["account"], json!({"id": shop.account, "name": "Acme"}));
    assert_eq!(data["key"]["prefix"], "cfg");
    assert_eq!(data["key"]["scopes"], json!(["config:read"]));
    assert_eq!(data["key"]["storeId"], json!(shop.store));
    assert_eq!(data["key"]["expiresAt"], Value::Null);
    assert!(data["key"].get("expiresAt").is_some());
    let summary = json!({
        "id": shop.store, "name": "Shop", "url": "", "status": "active",
        "languages": ["es", "en"], "defaultLanguage": "es"
    });
    assert_eq!(data["stores"], json!([summary]));
}

#[test]
fn the_detail_has_indexes_counters_and_connector() {
    let shop = Shop::open();
    let synonym = json!({"terms": ["a", "b"]});
    shop.own("POST", "/synonyms").json(&synonym).send().ok();
    let filter = json!({"field": "price"});
    shop.own("POST", "/filters").json(&filter).send().ok();
    let theme = json!({"theme": "dark"});
    shop.own("PUT", "/widget").json(&theme).send().ok();
    let client = "prestashop/1.4.0; platform=9.1.4; php=8.2.35";
    let block = json!({"language": "es", "documents": [product("1", "Bota")]});
    let bulk = shop
        .feed("POST", "/feed/products/bulk")
        .header("X-Svc-Client", client);
    bulk.json(&block).send().ok();
    let detail = || shop.own("GET", "").send().ok().data().clone();
    eventually("the detail shows the connector", || {
        detail()["connector"]["moduleVersion"] == "1.4.0"
    });
    let detail = detail();
    assert_eq!(detail["connector"]["client"], client);
    assert_eq!(detail["connector"]["platformVersion"], "9.1.4");
    assert_eq!(detail["connector"]["phpVersion"], "8.2.35");
    assert_eq!(
        detail["counters"],
        json!({"products": 1, "synonyms": 1, "rules": 0, "filters": 1})
    );
    let widget = json!({"theme": "dark", "layout": "grid", "position": "top"});
    assert_eq!(detail["widget"], widget);
    assert_eq!(detail["connector"]["updateAvailable"], false);
    assert_eq!(detail["config"]["languages"], json!(["es", "en"]));
    let indexes = detail["indices"].as_array().expect("a list");
    assert_eq!(indexes.len(), 4);
    let spanish = indexes
        .iter()
        .find(|i| i["language"] == "es" && i["type"] == "products");
    assert_eq!(spanish.expect("an index")["documents"], 1);
}

#[test]
fn name_and_dev_url_can_be_changed_and_nothing_else() {
    let shop = Shop::open();
    let put = |body: &Value| shop.own("PUT", "").json(body).send();
    let saved = put(&json!({"name": "Zapatería", "devUrl": "https://dev.example"})).ok();
    assert_eq!(saved.data()["name"], "Zapatería");
    assert_eq!(saved.data()["devUrl"], "https://dev.example");
    let cleared = put(&json!({"devUrl": ""})).ok();
    assert_eq!(cleared.data()["name"], "Zapatería");
    assert_eq!(cleared.data()["devUrl"], "");

    for key in [
        "url",
        "status",
        "platform",
        "config",
        "languages",
        "id",
        "anything",
    ] {
        let reply = put(&json!({"name": "x", key: "y"})).error(403, "reserved");
        assert_eq!(reply.fields(), [key]);
    }
    for (body, field) in [
        (json!({"name": ""}), "name"),
        (json!({"name": "   "}), "name"),
        (json!({"name": "n".repeat(256)}), "name"),
        (json!({"name": "a\u{0}b"}), "name"),
        (json!({"name": null}), "name"),
        (json!({"devUrl": "ftp://x.example"}), "devUrl"),
        (json!({"devUrl": "dev.example"}), "devUrl"),
        (json!({"devUrl": 1}), "devUrl"),
    ] {
        let reply = put(&body).error(400, "invalid_request");
        assert_eq!(reply.fields(), [field], "{body}");
    }
    put(&json!({"name": "n".repeat(255)})).ok();
}
