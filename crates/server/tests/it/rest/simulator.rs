//! 1. A simulation has the documented shape, and the parts of a score add up.
//! 2. It saves nothing; for the saved configuration it ranks as the search does.
//! 3. The word that a query word matched is shown as people write it.
//! 4. Its limits hold; the error for a language that the store does not have lists those it has.

use crate::harness::{Shop, product};
use serde_json::{Value, json};

fn stocked() -> Shop {
    let shop = Shop::open();
    let mut lamp = product("3", "Lámpara de mesa");
    lamp["description"] = json!("Una linterna no es una lámpara");
    lamp["sales_count"] = json!(90);
    let mut torch = product("2", "Linterna frontal");
    torch["originalPriceInclTax"] = json!(20.0);
    let documents = json!([product("1", "Linterna"), torch, lamp]);
    shop.bulk("products", "es", &documents).ok();
    shop.until_found("es", &["1", "2", "3"]);
    shop
}

fn test(shop: &Shop, body: &Value) -> crate::harness::Reply {
    shop.own("POST", "/relevance/test").json(body).send()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("expected a number, got {value}"))
}

#[test]
fn the_breakdown_of_a_score_adds_up() {
    let shop = stocked();
    let reply = test(&shop, &json!({"q": "linterna frontal", "limit": 10})).ok();
    let data = reply.data();
    assert_eq!(data["query"]["lang"], "es");
    assert_eq!(data["query"]["words"][0]["text"], "linterna");
    assert_eq!(data["config"]["provisional"], false);
    assert_eq!(data["redirect"], Value::Null);
    let hits = data["hits"].as_array().expect("a list");
    assert_eq!(number(&data["total"]), hits.len() as f64);
    for (place, hit) in hits.iter().enumerate() {
        assert_eq!(hit["position"], place + 1);
        assert_eq!(hit["savedPosition"], place + 1);
        let breakdown = &hit["breakdown"];
        let text = &breakdown["text"];
        let matches: f64 = text["matches"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|m| number(&m["score"]))
            .sum();
        let bonus = |name: &str| text[name]["score"].as_f64().unwrap_or(0.0);
        let sum = matches + bonus("phrase") + bonus("exactReference") + bonus("crossFields");
        assert!((sum / number(&text["score"]) - 1.0).abs() < 5e-4, "{hit}");
        let factors = &breakdown["factors"];
        let of = |name: &str| number(&factors[name]);
        let multiplier = 1.0 + of("stock") + of("sales") + of("rating") + of("discount");
        assert!((of("multiplier") / multiplier - 1.0).abs() < 5e-4, "{hit}");
        let score = number(&text["score"]) * of("multiplier");
        assert!((number(&hit["score"]) / score - 1.0).abs() < 5e-4, "{hit}");
        assert!(
            breakdown["summary"].as_str().is_some_and(|s| s.len() > 10),
            "{hit}"
        );
    }
}

#[test]
fn words_are_shown_as_people_write_them() {
    let shop = stocked();
    for (q, kind, matched) in [
        ("linternas", "exact", "linterna"),
        ("linterma", "typo", "linterna"),
        ("lint", "prefix", "linterna"),
    ] {
        let reply = test(&shop, &json!({"q": q, "limit": 1})).ok();
        let first = &reply.data()["hits"][0]["breakdown"]["text"]["matches"][0];
        assert_eq!(
            (&first["kind"], &first["matched"]),
            (&json!(kind), &json!(matched)),
            "{q}"
        );
    }
}

#[test]
fn a_simulation_ranks_like_the_search_and_saves_nothing() {
    let shop = stocked();
    let before = shop.own("GET", "/relevance").send().ok();
    let ids = |hits: &Value| -> Vec<String> {
        let hits = hits.as_array().expect("a list");
        hits.iter().map(|hit| hit["id"].to_string()).collect()
    };
    for q in ["linterna", "lámpara", "linterna frontal", "ref-2", ""] {
        let found = shop.search(&json!({"q": q, "types": ["products"]})).ok();
        if q.is_empty() {
            continue;
        }
        let tested = test(&shop, &json!({"q": q})).ok();
        assert_eq!(
            ids(&tested.data()["hits"]),
            ids(&found.data()["products"]["hits"]),
            "{q}"
        );
    }
    let provisional = json!({"q": "linterna", "boosts": {"name": 0, "name.autocomplete": 0}});
    let tested = test(&shop, &provisional).ok();
    assert_eq!(tested.data()["config"]["provisional"], true);
    assert_eq!(tested.data()["hits"][0]["id"], "3");
    let after = shop.own("GET", "/relevance").send().ok();
    assert_eq!(after.data(), before.data());
    assert_eq!(
        after.header("x-config-revision"),
        before.header("x-config-revision")
    );
}

#[test]
fn invalid_tests_are_rejected() {
    let shop = Shop::open();
    for (body, field) in [
        (json!({}), "q"),
        (json!({"q": ""}), "q"),
        (json!({"q": "x".repeat(501)}), "q"),
        (json!({"q": "x", "limit": 0}), "limit"),
        (json!({"q": "x", "limit": 501}), "limit"),
        (json!({"q": "x", "boosts": {"name": 201}}), "boosts.name"),
        (json!({"q": "x", "applyRules": "yes"}), "applyRules"),
        (json!({"q": "x", "lang": "fr"}), "lang"),
    ] {
        let reply = test(&shop, &body).error(400, "invalid_request");
        assert_eq!(reply.fields(), [field], "{body}");
    }
    let reply = test(&shop, &json!({"q": "x", "lang": "fr"}));
    assert!(
        reply.message().contains("es") && reply.message().contains("en"),
        "{reply:?}"
    );
    test(&shop, &json!({"q": "x", "limit": 500.0})).ok();
}
