//! 1. Accepted documents are searchable; sending one again replaces it as a whole.
//! 2. A document without a name is rejected alone, and so is any other invalid one, with code and field.
//! 3. Codes stay text; a code that is a number is rejected.
//! 4. 500 documents are accepted, 501 and none are not, and then nothing is stored.
//! 5. An older `rev` is stale; a `rev` ahead of the clock counts as the time of arrival.
//! 6. `accessGroups: ["none"]` is never shown.
//! 7. Values that are too long are clipped and counted; the hash that was sent is the one that is compared.
//! 8. A document that is too large, or has too many price fields, is rejected alone, with the field that causes it.

use crate::harness::{Shop, TestClock, product};
use domain::Timestamp;
use serde_json::{Value, json};

#[test]
fn documents_are_found_and_replaced() {
    let shop = Shop::open();
    let mut old = product("12", "Bota de montaña");
    old["short_description"] = json!("impermeable");
    let report = shop
        .bulk("products", "es", &json!([old, product("13", "Sandalia")]))
        .ok();
    let expected = json!({"received": 2, "accepted": 2, "clipped": 0, "stale": [], "rejected": []});
    assert_eq!(report.data(), &expected);
    shop.until_found("es", &["12", "13"]);
    assert!(shop.products("en").is_empty());

    shop.bulk("products", "es", &json!([product("12", "Zapato")]))
        .ok();
    crate::harness::eventually("the new name is found", || {
        let found = |q: &str| {
            let reply = shop.search(&json!({"q": q, "types": ["products"]})).ok();
            reply.data()["products"]["total"].clone()
        };
        found("zapato") == 1 && found("impermeable") == 0
    });
}

#[test]
fn invalid_documents_are_rejected_alone() {
    let shop = Shop::open();
    let mut with_number = product("4", "x");
    with_number["ean13"] = json!(4_006_381_333_931_u64);
    let mut with_price = product("5", "x");
    with_price["priceInclTax"] = json!("12,50");
    let mut with_url = product("6", "x");
    with_url["url"] = json!("javascript:alert(1)");
    let documents = json!([
        product("1", "Bota"),
        {"id": "2"},
        {"name": "x"},
        with_number,
        with_price,
        with_url,
        "text",
        {"id": "8", "name": null}
    ]);
    let report = shop.bulk("products", "es", &documents).ok();
    assert_eq!(report.data()["received"], 8);
    assert_eq!(report.data()["accepted"], 1);
    let rejected: Vec<(u64, &str, &str)> = report.data()["rejected"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|r| {
            let text = |name: &str| r[name].as_str().unwrap_or_default();
            (
                r["index"].as_u64().expect("a place"),
                text("code"),
                text("field"),
            )
        })
        .collect();
    assert_eq!(
        rejected,
        [
            (1, "name_missing", ""),
            (2, "invalid_document", "id"),
            (3, "invalid_document", "ean13"),
            (4, "invalid_document", "priceInclTax"),
            (5, "invalid_document", "url"),
            (6, "invalid_document", ""),
            (7, "name_missing", ""),
        ]
    );
    shop.until_found("es", &["1"]);
}

#[test]
fn blocks_have_1_to_500_documents() {
    let shop = Shop::open();
    let many = |count: usize| -> Value {
        (0..count)
            .map(|at| product(&format!("p{at}"), "Bota"))
            .collect()
    };
    let reply = shop
        .bulk("products", "es", &many(501))
        .error(400, "too_many_documents");
    assert_eq!(reply.json["details"], json!({"max": 500, "got": 501}));
    let none = shop
        .bulk("products", "es", &json!([]))
        .error(400, "invalid_request");
    assert_eq!(none.fields(), ["documents"]);
    assert_eq!(
        shop.bulk("products", "es", &many(500)).ok().data()["accepted"],
        500
    );
    crate::harness::eventually("all 500 are found", || {
        shop.search(&json!({"q": "bota"})).ok().data()["products"]["total"] == 500
    });
}

#[test]
fn an_unusual_document_is_accepted() {
    let shop = Shop::open();
    let mut large = product("a/b \"c\" ñ", "Bota");
    large["description"] = json!("palabra ".repeat(128 * 1024));
    large["url"] = json!("https://shop.example/a%2Fb");
    large["anything"] = json!({"deep": [1, {"x": null}]});
    // Characters by which the index separates terms must not be taken from a code.
    large["reference"] = json!("A\u{1e}É1\u{1f}\u{1d}x");
    let report = shop.bulk("products", "es", &json!([large])).ok();
    assert_eq!(report.data()["accepted"], 1, "{report:?}");
    shop.until_found("es", &["a/b \"c\" ñ"]);
    let found = shop
        .search(&json!({"q": "AÉ1X", "types": ["products"]}))
        .ok();
    assert_eq!(found.data()["products"]["total"], 1, "{found:?}");
}

#[test]
fn older_documents_are_stale() {
    let start = Timestamp::parse("2026-11-20T15:00:00Z").expect("a time");
    let clock = TestClock::fixed(start);
    let shop = Shop::open_at(clock);
    let send = |rev: i64, name: &str| {
        let mut document = product("88", name);
        document["rev"] = json!(rev);
        shop.bulk("products", "es", &json!([document])).ok().data()["stale"].clone()
    };
    assert_eq!(send(start.0, "Primera"), json!([]));
    assert_eq!(send(start.0 - 1, "Anterior"), json!(["88"]));
    assert_eq!(
        send(start.0, "Segunda"),
        json!([]),
        "an equal rev is written again"
    );
    // A `rev` from the future counts as now, so that later documents are not stale for ever.
    assert_eq!(send(start.0 + 1_000_000, "Futura"), json!([]));
    shop.clock.advance_ms(1_000);
    assert_eq!(send(start.0 + 1_000, "Tercera"), json!([]));
    crate::harness::eventually("the last one is found", || {
        shop.search(&json!({"q": "tercera"})).ok().data()["products"]["total"] == 1
    });
}

#[test]
fn a_document_for_no_group_is_not_shown() {
    let shop = Shop::open();
    let mut closed = product("1", "Bota secreta");
    closed["accessGroups"] = json!(["none"]);
    let mut open = product("2", "Bota");
    open["accessGroups"] = json!(["1", "none"]);
    shop.bulk("products", "es", &json!([closed, open])).ok();
    shop.until_found("es", &["2"]);
    let found = shop.search(&json!({"q": "secreta"})).ok();
    assert_eq!(found.data()["products"]["total"], 0);
}

#[test]
fn values_that_are_too_long_are_clipped_and_counted() {
    let shop = Shop::open();
    let mut long = product("1", &format!("Bota {}", "x".repeat(5_000)));
    long["description"] = json!(format!("cuero {} invisible", "y ".repeat(50_000)));
    long["manufacturer"] = json!("Norte".repeat(1_000));
    long["reference"] = json!("7".repeat(300));
    long["tags"] = (0..1_200).map(|tag| json!(format!("t{tag}"))).collect();
    long["hash"] = json!("sha1:of-what-was-sent");
    long["unknown"] = json!("z".repeat(30_000));
    let mut picture = product("2", "Bota");
    picture["description"] = json!(format!("<img src='data:{}'>lona", "A".repeat(1_000_000)));
    let block = json!([long, picture, product("3", "Bota")]);
    for _ in 0..2 {
        let report = shop.bulk("products", "es", &block).ok();
        let expected = json!({
            "received": 3, "accepted": 3, "clipped": 1, "stale": [], "rejected": [],
            "unknownFields": ["unknown"],
        });
        assert_eq!(report.data(), &expected);
    }
    shop.until_found("es", &["1", "2", "3"]);
    let found = |q: &str| {
        let reply = shop.search(&json!({"q": q, "types": ["products"]})).ok();
        reply.data()["products"].clone()
    };
    let hit = &found("cuero")["hits"][0];
    assert_eq!(hit["id"], "1");
    let characters = |field: &str| hit[field].as_str().map(|text| text.chars().count());
    assert_eq!(characters("name"), Some(1_000), "{hit}");
    assert_eq!(found("lona")["total"], 1);
    assert_eq!(found("invisible")["total"], 0);
    assert_eq!(found("t999")["total"], 1);
    assert_eq!(found("t1100")["total"], 0);
}

#[test]
fn a_document_that_is_too_large_is_rejected_alone() {
    let shop = Shop::open();
    let mut unknown = product("1", "Bota");
    unknown["model"] = json!("z".repeat(300_000));
    unknown["more"] = json!(["z".repeat(1_000)]);
    let with_prices = |id: &str, count: usize| {
        let mut document = product(id, "Bota");
        for tier in 0..count {
            document[format!("priceInclTax_t{tier}")] = json!(tier);
        }
        document
    };
    let own = with_prices("2", 0)
        .as_object()
        .expect("an object")
        .keys()
        .filter(|name| name.starts_with("price") || name.starts_with("originalPrice"))
        .count();
    let documents = json!([
        unknown,
        with_prices("2", 1_001 - own),
        with_prices("3", 1_000 - own),
        product("4", "Bota"),
    ]);
    let report = shop.bulk("products", "es", &documents).ok();
    assert_eq!(report.data()["accepted"], 2, "{report:?}");
    let rejected = report.data()["rejected"].as_array().expect("a list");
    let reported: Vec<(&str, &str, &str)> = rejected
        .iter()
        .map(|one| {
            let text = |field: &str| one[field].as_str().unwrap_or_default();
            (text("id"), text("code"), text("field"))
        })
        .collect();
    let last = format!("priceInclTax_t{}", 1_000 - own);
    let expected = [
        ("1", "invalid_document", "model"),
        ("2", "invalid_document", last.as_str()),
    ];
    assert_eq!(reported, expected);
    shop.until_found("es", &["3", "4"]);
}
