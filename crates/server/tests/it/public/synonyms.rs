//! 1. A group takes effect at once, in search and simulator, in its own language only, and not when it is inactive.
//! 2. A synonym match scores 0.9 of the same match of the typed word, and the response names group and match.
//! 3. Terms match whole words, not their plurals; the typed words are what is counted.
//! 4. A term of several words matches as a phrase.

use crate::harness::{Shop, product};
use serde_json::{Value, json};

fn stocked() -> Shop {
    let shop = Shop::open();
    let names = [
        ("a", "Alpha"),
        ("o", "Omega"),
        ("f", "Flat screen 50"),
        ("s", "Screen cleaner, flat"),
        ("c", "Red couch"),
        ("r", "Red carpet"),
    ];
    let documents = names.map(|(id, name)| product(id, name));
    shop.bulk("products", "en", &json!(documents)).ok();
    shop.bulk("products", "es", &json!([product("o", "Omega")]))
        .ok();
    shop.until_found("en", &["a", "c", "f", "o", "r", "s"]);
    shop.until_found("es", &["o"]);
    shop
}

fn add(shop: &Shop, group: &Value) -> String {
    let created = shop.own("POST", "/synonyms").json(group).send().ok();
    created.data()["id"].as_str().expect("an id").to_owned()
}

fn ids(hits: &Value) -> Vec<String> {
    let hits = hits.as_array().expect("a list").iter();
    hits.map(|hit| hit["id"].as_str().expect("an id").to_owned())
        .collect()
}

fn found(shop: &Shop, lang: &str, q: &str) -> Vec<String> {
    let request = json!({"q": q, "lang": lang, "types": ["products"]});
    ids(&shop.search(&request).ok().data()["products"]["hits"])
}

fn simulated(shop: &Shop, q: &str) -> Value {
    let test = shop
        .own("POST", "/relevance/test")
        .json(&json!({"q": q, "lang": "en"}));
    test.send().ok().data().clone()
}

#[test]
fn a_group_takes_effect_at_once() {
    let shop = stocked();
    assert_eq!(found(&shop, "en", "alpha"), ["a"]);
    let id = add(
        &shop,
        &json!({"language": "en", "terms": ["Álpha", "omega"]}),
    );
    assert_eq!(found(&shop, "en", "alpha"), ["a", "o"]);
    assert_eq!(found(&shop, "en", "OMEGA"), ["o", "a"]);
    assert!(found(&shop, "es", "alpha").is_empty());
    assert!(
        found(&shop, "en", "alphas alphabetical").len() < 2,
        "no plural fires"
    );

    let data = simulated(&shop, "alpha");
    assert_eq!(
        data["query"]["synonyms"],
        json!([{"id": id, "from": "Álpha", "to": ["omega"]}])
    );
    let matches = |at: usize| &data["hits"][at]["breakdown"]["text"]["matches"][0];
    assert_eq!(matches(1)["kind"], "synonym");
    assert_eq!(matches(1)["matched"], "omega");
    let score = |at| matches(at)["score"].as_f64().expect("a number");
    assert!(
        (score(1) - 0.9 * score(0)).abs() < 1e-6 * score(0),
        "{data}"
    );

    let path = format!("/synonyms/{id}");
    shop.own("PUT", &path)
        .json(&json!({"active": false}))
        .send()
        .ok();
    assert_eq!(found(&shop, "en", "alpha"), ["a"]);
    assert_eq!(simulated(&shop, "alpha")["query"]["synonyms"], json!([]));
    shop.own("PUT", &path)
        .json(&json!({"active": true}))
        .send()
        .ok();
    assert_eq!(found(&shop, "en", "alpha"), ["a", "o"]);
    shop.own("DELETE", &path).send().ok();
    assert_eq!(found(&shop, "en", "alpha"), ["a"]);
}

#[test]
fn an_input_is_expanded_to_its_terms_and_not_the_other_way_round() {
    let shop = stocked();
    let group = json!({"language": "en", "type": "UNIDIRECTIONAL", "input": "tv",
        "terms": ["flat screen"]});
    add(&shop, &group);
    assert_eq!(
        found(&shop, "en", "tv"),
        ["f"],
        "side by side, and in this order"
    );
    assert!(!found(&shop, "en", "flat screen").is_empty());
    assert_eq!(
        simulated(&shop, "flat screen")["query"]["synonyms"],
        json!([])
    );
    let response = shop
        .search(&json!({"q": "tv", "lang": "en", "types": ["products"]}))
        .ok();
    let marked = &response.data()["products"]["hits"][0]["highlight"]["name"];
    assert_eq!(marked, "<em>Flat</em> <em>screen</em> 50");
    assert_eq!(response.data()["words"][0]["found"], true);
}

#[test]
fn the_typed_words_are_what_is_counted() {
    let shop = stocked();
    let group = json!({"language": "en", "type": "UNIDIRECTIONAL",
        "input": "three seat sofa", "terms": ["couch"]});
    add(&shop, &group);
    // Four words, three of which must match: the couch matches all of them, the carpet one.
    let data = simulated(&shop, "red three seat sofa");
    assert_eq!(data["query"]["minMatch"]["words"], 3);
    assert_eq!(ids(&data["hits"]), ["c"]);
    let matches = data["hits"][0]["breakdown"]["text"]["matches"]
        .as_array()
        .cloned();
    let kinds: Vec<Value> = matches
        .unwrap_or_default()
        .iter()
        .map(|m| m["kind"].clone())
        .collect();
    assert_eq!(kinds, ["exact", "synonym", "synonym", "synonym"]);
}
