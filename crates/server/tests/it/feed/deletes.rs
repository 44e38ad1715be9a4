//! 1. A delete counts documents over all languages, and lists unknown ids.
//! 2. A deletion mark rejects an older upsert; a newer one is accepted.
//! 3. A delete older than the document is stale.

use crate::harness::{Shop, TestClock, product};
use domain::Timestamp;
use serde_json::{Value, json};

fn delete(shop: &Shop, body: &Value) -> crate::harness::Reply {
    shop.feed("POST", "/feed/products/delete").json(body).send()
}

#[test]
fn documents_are_counted_over_all_languages() {
    let shop = Shop::open();
    for language in ["es", "en"] {
        let documents = json!([product("12", "Bota"), product("14", "Sandalia")]);
        shop.bulk("products", language, &documents).ok();
    }
    let report = delete(&shop, &json!({"ids": ["12", "13"]})).ok();
    assert_eq!(
        report.data(),
        &json!({"deleted": 2, "missing": ["13"], "stale": []})
    );
    shop.until_found("es", &["14"]);
    shop.until_found("en", &["14"]);
    let report = delete(&shop, &json!({"ids": ["14"], "languages": ["en"]})).ok();
    assert_eq!(report.data()["deleted"], 1);
    shop.until_found("en", &[]);
    assert_eq!(shop.products("es"), ["14"]);
}

#[test]
fn deletion_marks_reject_older_documents() {
    let start = Timestamp::parse("2026-11-20T15:00:00Z").expect("a time");
    let shop = Shop::open_at(TestClock::fixed(start));
    let upsert = |rev: i64| {
        let mut document = product("1", "Bota");
        document["rev"] = json!(rev);
        shop.bulk("products", "es", &json!([document])).ok().data()["stale"].clone()
    };
    upsert(start.0 - 100);
    let old = delete(&shop, &json!({"ids": ["1"], "rev": start.0 - 200})).ok();
    assert_eq!(
        old.data(),
        &json!({"deleted": 0, "missing": [], "stale": ["1"]})
    );
    let new = delete(&shop, &json!({"ids": ["1"], "rev": start.0 - 50})).ok();
    assert_eq!(new.data()["deleted"], 1);
    assert_eq!(upsert(start.0 - 60), json!(["1"]));
    assert_eq!(upsert(start.0 - 40), json!([]));
    shop.until_found("es", &["1"]);
}

#[test]
fn lists_have_1_to_500_ids() {
    let shop = Shop::open();
    let ids = |count: usize| -> Vec<String> { (0..count).map(|at| at.to_string()).collect() };
    delete(&shop, &json!({"ids": ids(500)})).ok();
    delete(&shop, &json!({"ids": ids(501)})).error(400, "too_many_documents");
    delete(&shop, &json!({"ids": []})).error(400, "invalid_request");
    let wrong = delete(&shop, &json!({"ids": [1], "languages": ["españa"]}));
    assert_eq!(
        wrong.error(400, "invalid_request").fields(),
        ["ids[0]", "languages[0]"]
    );
}
