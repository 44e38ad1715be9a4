//! 1. A clear empties the languages given, or all, at once; the response counts the deleted documents; the body is
//!    optional.
//! 2. It leaves no deletion marks: a document older than the deleted one, or than its deletion, is accepted again.
//! 3. With `keepServing` nothing is deleted until the next run closes, which purges what it neither sent nor touched,
//!    however much that is; a run that was already open does not count as the next.
//! 4. A missing index is 409; a misspelled key is 400 and clears nothing.

use super::calls::{close, many, opened, send, spanish, touch, until_count, view};
use crate::harness::{Reply, Shop, product};
use serde_json::{Value, json};

fn clear(shop: &Shop, body: &Value) -> Reply {
    shop.feed("POST", "/feed/products/clear").json(body).send()
}

fn dated(id: &str, rev: i64) -> Value {
    let mut document = product(id, "Bota");
    document["rev"] = json!(rev);
    document
}

#[test]
fn a_clear_empties_at_once() {
    let shop = Shop::open();
    shop.bulk("products", "es", &many(0, 120)).ok();
    shop.bulk("products", "en", &json!([product("1", "Boot")]))
        .ok();
    let spanish = clear(&shop, &json!({"languages": ["es"]})).ok();
    let expected = json!({"cleared": [{"language": "es", "documents": 120}]});
    assert_eq!(spanish.data(), &expected);
    shop.until_found("es", &[]);
    shop.until_found("en", &["1"]);
    let detail = shop.own("GET", "").send().ok();
    let counts = detail.data()["indices"].as_array().expect("a list").clone();
    let products = counts
        .iter()
        .find(|i| i["type"] == "products" && i["language"] == "es");
    assert_eq!(products.map(|i| i["documents"].clone()), Some(json!(0)));

    shop.bulk("products", "es", &json!([product("7", "Bota")]))
        .ok();
    shop.until_found("es", &["7"]);
    let all = shop.feed("POST", "/feed/products/clear").send().ok();
    let expected = json!({"cleared": [
        {"language": "es", "documents": 1}, {"language": "en", "documents": 1}
    ]});
    assert_eq!(all.data(), &expected);
    shop.until_found("es", &[]);
    shop.until_found("en", &[]);
    assert_eq!(
        clear(&shop, &json!({})).ok().data()["cleared"][0]["documents"],
        0
    );
}

#[test]
fn a_clear_leaves_no_marks() {
    for keep in [false, true] {
        let shop = Shop::open();
        shop.bulk(
            "products",
            "es",
            &json!([dated("1", 5_000), dated("2", 5_000)]),
        )
        .ok();
        shop.feed("POST", "/feed/products/delete")
            .json(&json!({"ids": ["1"]}))
            .send()
            .ok();
        let stale = shop
            .bulk("products", "es", &json!([dated("1", 4_000)]))
            .ok();
        assert_eq!(stale.data()["stale"], json!(["1"]));
        clear(&shop, &json!({"keepServing": keep})).ok();
        let back = shop
            .bulk("products", "es", &json!([dated("1", 4_000)]))
            .ok();
        assert_eq!(back.data()["accepted"], 1, "keepServing: {keep}");
        shop.until_found("es", if keep { &["1", "2"] } else { &["1"] });
    }
}

#[test]
fn a_rebuild_that_keeps_serving_ends_with_the_next_run() {
    let shop = Shop::open();
    shop.bulk("products", "es", &many(0, 100)).ok();
    let before = opened(&shop, "before");
    let kept = clear(&shop, &json!({"languages": ["es"], "keepServing": true})).ok();
    let expected = json!({"cleared": [{"language": "es", "documents": 100}]});
    assert_eq!(kept.data(), &expected);
    until_count(&shop, 100);

    // A run opened before the clear is held as usual.
    send(&shop, &before, &many(0, 1)).ok();
    let closed = close(&shop, &before, &json!([spanish(1, 0)])).ok();
    assert_eq!(closed.data()["scopes"][0]["status"], "held");
    shop.feed("POST", &format!("/feed/runs/{before}/abort"))
        .send()
        .ok();

    let rebuild = opened(&shop, "rebuild");
    send(&shop, &rebuild, &json!([product("5", "Zapato")])).ok();
    touch(&shop, &rebuild, &json!([{"id": "6", "hash": "a"}])).ok();
    until_count(&shop, 100);
    let closed = close(&shop, &rebuild, &json!([spanish(1, 1)])).ok();
    assert_eq!(
        (
            &closed.data()["scopes"][0]["status"],
            &closed.data()["scopes"][0]["purged"]
        ),
        (&json!("purged"), &json!(98))
    );
    shop.until_found("es", &["5", "6"]);

    // The rebuild is complete: the run after it is held again.
    shop.bulk("products", "es", &many(10, 100)).ok();
    let later = opened(&shop, "later");
    send(&shop, &later, &json!([product("5", "Zapato")])).ok();
    let closed = close(&shop, &later, &json!([spanish(1, 0)])).ok();
    assert_eq!(closed.data()["scopes"][0]["status"], "held");
}

#[test]
fn a_clear_in_the_middle_of_a_run_keeps_its_counts() {
    let shop = Shop::open();
    let run = opened(&shop, "a");
    send(&shop, &run, &many(0, 3)).ok();
    clear(&shop, &json!({})).ok();
    send(&shop, &run, &many(0, 2)).ok();
    assert_eq!(view(&shop, &run).data()["scopes"][0]["seen"], 3);
    let touched = touch(&shop, &run, &json!([{"id": "2", "hash": "a"}])).ok();
    assert_eq!(touched.data()["missing"], json!(["2"]));
    shop.until_found("es", &["0", "1"]);
}

#[test]
fn invalid_clears_clear_nothing() {
    let shop = Shop::open();
    shop.bulk("products", "es", &json!([product("1", "Bota")]))
        .ok();
    for (body, field) in [
        (json!({"keepserving": true}), "keepserving"),
        (json!({"keepServing": "yes"}), "keepServing"),
        (json!({"languages": []}), "languages"),
        (json!({"languages": ["x"]}), "languages[0]"),
        (json!({"languages": null}), "languages"),
    ] {
        let reply = clear(&shop, &body).error(400, "invalid_request");
        assert_eq!(reply.fields(), [field], "{body}");
    }
    clear(&shop, &json!({"languages": ["es", "fr"]})).error(409, "index_missing");
    for doc_type in ["categories", "brands", "pages"] {
        let path = format!("/feed/{doc_type}/clear");
        shop.feed("POST", &path).send().error(404, "not_found");
    }
    shop.until_found("es", &["1"]);
}
