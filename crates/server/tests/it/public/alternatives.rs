//! 1. Alternatives trigger a synonym group, too, and the response names them; a misspelled word only if no document contains
//!    it.
//! 2. Alternatives trigger a rule, too, and its report names them; a regular expression has none.

use crate::harness::{Shop, product};
use serde_json::{Value, json};

fn stocked() -> Shop {
    let shop = Shop::open();
    let names = [
        ("s1", "Red sofa"),
        ("s2", "Blue sofa"),
        ("o", "Omega"),
        ("c", "Red couch"),
        ("r", "Red carpet"),
    ];
    let documents = names.map(|(id, name)| product(id, name));
    shop.bulk("products", "en", &json!(documents)).ok();
    shop.until_found("en", &["c", "o", "r", "s1", "s2"]);
    shop
}

fn add(shop: &Shop, group: &Value) -> String {
    let created = shop.own("POST", "/synonyms").json(group).send().ok();
    created.data()["id"].as_str().expect("an id").to_owned()
}

/// The ids of the products that are found, sorted.
fn found(shop: &Shop, q: &str) -> Vec<String> {
    let request = json!({"q": q, "lang": "en", "types": ["products"]});
    let reply = shop.search(&request).ok();
    let hits = reply.data()["products"]["hits"].as_array().expect("hits");
    let ids = hits
        .iter()
        .map(|hit| hit["id"].as_str().expect("an id").to_owned());
    let mut ids: Vec<String> = ids.collect();
    ids.sort_unstable();
    ids
}

fn simulated(shop: &Shop, q: &str) -> Value {
    let test = json!({"q": q, "lang": "en", "applyRules": true});
    let tested = shop.own("POST", "/relevance/test").json(&test).send().ok();
    tested.data().clone()
}

#[test]
fn alternatives_trigger_a_group() {
    let shop = stocked();
    let alternatives = json!(["plurals", "joined", "typos"]);
    let group =
        json!({"language": "en", "terms": ["day bed", "couch"], "alternatives": alternatives});
    let id = add(&shop, &group);
    for (q, alternative) in [
        ("day beds", json!("plurals")),
        ("daybed", json!("joined")),
        ("dayy bed", json!("typos")),
        ("day bed", Value::Null),
    ] {
        assert_eq!(found(&shop, q), ["c"], "{q}");
        let data = simulated(&shop, q);
        let synonym = &data["query"]["synonyms"][0];
        assert_eq!(synonym["id"], id.as_str(), "{data}");
        assert_eq!(synonym["from"], "day bed");
        assert_eq!(synonym["alternative"], alternative, "{data}");
    }
    // "Carpet" exists, so it is no misspelling.
    add(
        &shop,
        &json!({"language": "en", "terms": ["carpel", "omega"], "alternatives": ["typos"]}),
    );
    assert_eq!(found(&shop, "carpet"), ["r"]);
    assert_eq!(found(&shop, "carpef"), ["o", "r"]);
    shop.own("PUT", &format!("/synonyms/{id}"))
        .json(&json!({"alternatives": []}))
        .send()
        .ok();
    assert!(found(&shop, "daybed").is_empty());
    let read = shop.own("GET", &format!("/synonyms/{id}")).send().ok();
    assert!(read.data().get("alternatives").is_none());
}

#[test]
fn alternatives_trigger_a_rule() {
    let shop = stocked();
    let trigger = json!({"query": "sofa", "match": "exact", "alternatives": ["plurals", "typos"]});
    let rule = json!({"name": "x", "language": "en", "type": "HIDE", "actions": {"hide": ["s1"]}, "trigger": trigger});
    shop.own("POST", "/rules").json(&rule).send().ok();
    for q in ["sofa", "sofas", "soffa"] {
        assert_eq!(found(&shop, q), ["s2"], "{q}");
    }
    assert!(found(&shop, "red sofas").contains(&"s1".to_owned()));
    let test = json!({"q": "sofas", "lang": "en", "applyRules": true});
    let tested = shop.own("POST", "/relevance/test").json(&test).send().ok();
    let report = &tested.data()["rules"][0];
    assert_eq!(report["alternative"], "plurals");
    assert_eq!(
        report["reason"],
        "the query is \"sofa\" in another writing (plurals)"
    );
    let regex = json!({"query": "s.fa", "match": "regex", "alternatives": ["typos"]});
    let rule = json!({"name": "x", "language": "en", "type": "HIDE", "actions": {"hide": ["s1"]}, "trigger": regex});
    let reply = shop.own("POST", "/rules").json(&rule).send();
    assert_eq!(reply.status, 400);
    assert_eq!(reply.json["errors"][0]["field"], "trigger.alternatives");
}
