//! 1. The prefix of a word finds products, categories and brands; POST and GET find the same.
//! 2. Limits hold; a key in the query string is rejected.
//! 3. Popular queries are suggested: those that anonymous shoppers searched on several days and that find products,
//!    unless the owner hides them.

use crate::harness::{Shop, TestClock, eventually, product};
use domain::Timestamp;
use domain::analytics::HiddenQueries;
use operations::hidden_queries;
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
    let without_id = |response: &Value| {
        let mut response = response.clone();
        assert!(response["queryId"].is_string(), "{response}");
        response["queryId"].take();
        response
    };
    assert_eq!(without_id(got.data()), without_id(&found));
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
        (json!({"sessionId": "x".repeat(129)}), "sessionId"),
        (json!({"analytics": "no"}), "analytics"),
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

const DAY_MS: i64 = 86_400_000;

fn suggested(shop: &Shop, q: &str) -> Value {
    let request = json!({"q": q, "analytics": false});
    suggest(shop, &request)["queries"].clone()
}

/// Waits until these queries are suggested; lists are read in the background.
fn until_suggested(shop: &Shop, q: &str, expected: &[&str]) {
    shop.clock.advance_ms(5 * 60_000);
    eventually(&format!("{expected:?} are suggested for {q}"), || {
        suggested(shop, q) == json!(expected)
    });
}

#[test]
fn popular_queries_are_suggested_and_can_be_hidden() {
    let shop = Shop::open_at(TestClock::fixed(Timestamp(1_763_650_000_000)));
    let names = ["Camiseta roja", "Camisa azul", "Abrigo"];
    let products: Vec<Value> = (names.iter().enumerate())
        .map(|(at, name)| product(&format!("p{at}"), name))
        .collect();
    shop.bulk("products", "es", &json!(products)).ok();
    shop.until_found("es", &["p0", "p1", "p2"]);
    let search = |q: &str, times: usize| {
        for _ in 0..times {
            shop.search(&json!({ "q": q })).ok();
        }
    };
    for (q, times) in [
        ("Camiseta ROJA", 3),
        ("camisa azul", 2),
        ("zzqx", 4),
        ("camisa 123456", 4),
    ] {
        search(q, times);
    }
    let with_token = json!({"q": "abrigo", "visitor": "x.y.z"});
    for _ in 0..9 {
        shop.search(&with_token).ok();
    }
    search("azul camisa", 9);
    shop.write_search_log();
    assert_eq!(suggested(&shop, "cam"), json!([]), "one day is too few");
    shop.clock.advance_ms(DAY_MS);
    for (q, times) in [
        ("camiseta roja", 3),
        ("camisa azul", 4),
        ("zzqx", 4),
        ("camisa 123456", 4),
    ] {
        search(q, times);
    }
    shop.search(&with_token).ok();
    shop.write_search_log();
    until_suggested(&shop, "cam", &["camisa azul", "camiseta roja"]);
    assert_eq!(
        suggested(&shop, ""),
        json!(["camisa azul", "camiseta roja"])
    );
    assert_eq!(suggested(&shop, "RÓJ"), json!(["camiseta roja"]));
    let limited = json!({"q": "cam", "limit": 1, "analytics": false});
    assert_eq!(suggest(&shop, &limited)["queries"], json!(["camisa azul"]));
    assert_eq!(suggested(&shop, "zz"), json!([]), "it finds nothing");
    shop.hide_queries(&[" Camisa Ázul"]);
    until_suggested(&shop, "cam", &["camiseta roja"]);
    // Its latest search found nothing.
    let gone = json!({"ids": ["p0"]});
    shop.feed("POST", "/feed/products/delete")
        .json(&gone)
        .send()
        .ok();
    shop.until_found("es", &["p1", "p2"]);
    search("camiseta roja", 1);
    shop.write_search_log();
    until_suggested(&shop, "cam", &[]);
}

#[test]
fn hidden_queries_are_checked_and_audited() {
    let shop = Shop::open();
    let service = shop.running().service();
    let operator = domain::Caller::operator();
    let set = |queries: &[&str]| {
        let queries = queries.iter().map(|text| (*text).to_owned()).collect();
        let set = hidden_queries::set(service, &operator, &shop.store, HiddenQueries { queries });
        shop.block_on(set)
    };
    let get = || shop.block_on(hidden_queries::get(service, &operator, &shop.store));
    assert_eq!(get().expect("read").queries, Vec::<String>::new());
    assert_eq!(set(&["b", " a "]).expect("saved").queries, ["b", "a"]);
    assert_eq!(get().expect("read").queries, ["b", "a"]);
    let rejected = set(&["a", "a"]).expect_err("twice");
    assert_eq!(rejected.to_string(), "queries[1]: is given twice");
    assert_eq!(get().expect("read").queries, ["b", "a"]);
    let unknown = domain::StoreId::from("none");
    let missing = shop.block_on(hidden_queries::get(service, &operator, &unknown));
    assert_eq!(missing.expect_err("unknown").code(), "not_found");
    let revisions = shop.own("GET", "/revisions").send().ok();
    let list = revisions.data().as_array().expect("a list").clone();
    assert!(
        list.iter()
            .all(|one| one["operation"] != "set_hidden_queries"),
        "{list:?}"
    );
    let audit = shop.audit(1);
    assert_eq!(audit[0]["operation"], "set_hidden_queries");
    assert_eq!(audit[0]["resource"], "hidden-queries");
}
