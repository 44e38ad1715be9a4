//! 1. A block names the fields of its accepted documents that the service does not know, the most frequent first, at
//!    most 20, cut at 255 characters; documents of the shop module have none.
//! 2. Within a run each name is returned once; the close has those of the whole run, of each scope, and so has a second
//!    close.
//! 3. Fields of rejected and stale documents do not count.

use super::calls::{close, opened, send, spanish};
use crate::harness::{Shop, product};
use serde_json::{Value, json};

fn with(id: &str, fields: &[&str]) -> Value {
    let mut document = product(id, "Bota");
    for field in fields {
        document[*field] = json!("x");
    }
    document
}

fn bulk(shop: &Shop, documents: &Value) -> Value {
    let reply = shop.bulk("products", "es", documents).ok();
    reply.data()["unknownFields"].clone()
}

#[test]
fn a_block_names_what_is_not_known() {
    let shop = Shop::open();
    let documents = json!([with("1", &["price"]), with("2", &["brand", "price"])]);
    for _ in 0..2 {
        assert_eq!(bulk(&shop, &documents), json!(["price", "brand"]));
    }
    let names: Vec<String> = (0..30).map(|at| format!("field {at:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let many = bulk(&shop, &json!([with("3", &names)]));
    assert_eq!(many, json!(names[..20]));
    let long = "ñ".repeat(300);
    let cut = bulk(&shop, &json!([with("4", &[&long])]));
    assert_eq!(cut, json!(["ñ".repeat(255)]));
}

#[test]
fn known_fields_are_not_named() {
    let shop = Shop::open();
    let path = "../../docs/examples/feed/bulk.request.json";
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(path).expect("the example");
    let example: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(bulk(&shop, &example["documents"]), Value::Null);
    let known = [
        "images",
        "extra",
        "variants",
        "ai_description",
        "isNew",
        "availableForOrder",
    ];
    let mut document = product("1", "Bota");
    for field in known {
        document[field] = json!(null);
    }
    document["priceInclTax_USD_t4"] = json!(3);
    assert_eq!(bulk(&shop, &json!([document])), Value::Null);
}

#[test]
fn a_run_returns_each_name_once_and_its_close_all() {
    let shop = Shop::open();
    let run = opened(&shop, "a");
    let block = json!([
        with("1", &["brand", "price"]),
        with("2", &["price", "brand"])
    ]);
    let first = send(&shop, &run, &block).ok();
    assert_eq!(first.data()["unknownFields"], json!(["brand", "price"]));
    let second = send(&shop, &run, &block).ok();
    assert_eq!(second.data().get("unknownFields"), None, "{second:?}");
    let third = send(&shop, &run, &json!([with("3", &["price", "colour"])])).ok();
    assert_eq!(third.data()["unknownFields"], json!(["colour"]));

    let closed = close(&shop, &run, &json!([spanish(3, 0)])).ok();
    let scope = &closed.data()["scopes"][0];
    assert_eq!(scope["status"], "purged");
    assert_eq!(scope["unknownFields"], json!(["price", "brand", "colour"]));
    let again = close(&shop, &run, &json!([spanish(3, 0)])).ok();
    assert_eq!(again.data(), closed.data());

    let other = opened(&shop, "b");
    send(&shop, &other, &json!([product("3", "Bota")])).ok();
    let closed = close(&shop, &other, &json!([spanish(1, 0)])).ok();
    assert_eq!(closed.data()["scopes"][0].get("unknownFields"), None);
}

#[test]
fn what_is_not_stored_does_not_count() {
    let shop = Shop::open();
    let mut rejected = with("1", &["price"]);
    rejected["name"] = json!("");
    let mut newer = product("2", "Bota");
    newer["rev"] = json!(2);
    shop.bulk("products", "es", &json!([newer])).ok();
    let mut stale = with("2", &["brand"]);
    stale["rev"] = json!(1);
    assert_eq!(bulk(&shop, &json!([rejected, stale])), Value::Null);
}
