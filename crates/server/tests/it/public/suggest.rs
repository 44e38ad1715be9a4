//! 1. The prefix of a word finds products, categories and brands; POST and GET find the same.
//! 2. Limits hold; a key in the query string is rejected.
//! 3. Products whose names have all words, or words that begin so, come first, in any order, those that start with what was
//!    typed before others; then other fields and writings; then typos in finished words; at last what the search finds.
//! 4. Categories and brands are suggested by their names, not by typos where anything else is found.
//! 5. Codes of variants are found whole and by what was typed of them. Pins stay first, hidden products out.
//! 6. Popular queries are suggested: those that anonymous shoppers searched on several days and that find products,
//!    unless the owner hides them.
//! 7. Before anything is typed the best products are suggested, and the categories with the most of them.

use crate::harness::{Shop, TestClock, eventually, product};
use domain::Timestamp;
use domain::analytics::HiddenQueries;
use operations::{Precondition, hidden_queries};
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

fn shop_of(products: &Value) -> Shop {
    let shop = Shop::open();
    let new = json!({"types": ["brands"], "languages": [{"code": "en", "default": true}]});
    shop.feed("POST", "/feed/indices").json(&new).send().ok();
    shop.bulk("products", "en", products).ok();
    let ids = products.as_array().expect("a list").iter();
    let mut ids: Vec<&str> = ids.filter_map(|one| one["id"].as_str()).collect();
    ids.sort_unstable();
    shop.until_found("en", &ids);
    shop
}

fn ids(shop: &Shop, of: &str, q: &str) -> Vec<String> {
    let found = suggest(
        shop,
        &json!({"q": q, "lang": "en", "limit": 4, "analytics": false}),
    );
    let hits = found[of]["hits"].as_array().cloned().unwrap_or_default();
    let ids = hits.iter().filter_map(|hit| hit["id"].as_str());
    ids.map(str::to_owned).collect()
}

#[test]
fn best_products_and_largest_categories_are_suggested_before_anything_is_typed() {
    let of = |id: &str, category: &str, sales: u32| {
        let mut made = product(id, "Camiseta");
        made["sales_count"] = json!(sales);
        made["categoryIds"] = json!([category]);
        made["categories"] = json!([{"id": category, "name": "C", "path": ["C"]}]);
        made
    };
    let shop = shop_of(&json!([
        of("a", "1", 0),
        of("b", "2", 900),
        of("c", "2", 3)
    ]));
    let categories: Vec<Value> = (1..=30)
        .map(|at| json!({"id": at.to_string(), "name": format!("C{at}"), "url": "https://shop.example/c"}))
        .collect();
    shop.bulk("categories", "en", &json!(categories)).ok();
    eventually("the categories are there", || {
        ids(&shop, "categories", "C30") == ["30"]
    });
    assert_eq!(ids(&shop, "products", "")[0], "b");
    let found = ids(&shop, "categories", " ");
    assert_eq!(
        (&found[..2], found.len()),
        (["2", "1"].map(str::to_owned).as_slice(), 4)
    );
}

#[test]
fn prefixes_come_before_writings_and_typos() {
    let shop = shop_of(&json!([
        {"id": "boots", "name": "Boots", "sales_count": 9_000},
        {"id": "bottle", "name": "Bottle of steel"},
        {"id": "steel", "name": "Steel bottle opener", "sales_count": 500},
        {"id": "described", "name": "Cup", "description": "Goes with every bottle of steel", "sales_count": 9_000},
        {"id": "sleeping", "name": "Sleepingbag Alaska"},
        {"id": "mat", "name": "Sleeping mat", "sales_count": 9_000},
    ]));
    assert_eq!(ids(&shop, "products", "bott"), ["bottle", "steel"]);
    assert_eq!(ids(&shop, "products", "steel bott")[0], "steel");
    assert_eq!(
        ids(&shop, "products", "bottle of ste")[..2],
        ["bottle", "steel"],
        "it starts with what was typed"
    );
    assert_eq!(
        ids(&shop, "products", "steel bottle"),
        ["steel", "bottle", "described"],
        "other fields come after names"
    );
    assert_eq!(ids(&shop, "products", "sleeping bag")[0], "sleeping");
    let mut found = ids(&shop, "products", "botle st");
    found.sort_unstable();
    assert_eq!(found, ["bottle", "steel"], "a typo in a finished word");
    assert_eq!(
        ids(&shop, "products", "bottel")[..1],
        ["steel"],
        "nothing else is found"
    );
}

#[test]
fn categories_and_brands_are_suggested_by_their_names() {
    let shop = shop_of(&json!([{"id": "1", "name": "Bottle", "manufacturer": "Boots & Co"}]));
    let described = "Everything for your bottle";
    let categories = json!([
        {"id": "c1", "name": "Bottles and flasks", "url": "https://shop.example/c1"},
        {"id": "c2", "name": "Kitchen", "description": described, "url": "https://shop.example/c2"},
    ]);
    shop.bulk("categories", "en", &categories).ok();
    let brands = json!([
        {"id": "b1", "type": "MANUFACTURER", "name": "Boots & Co"},
        {"id": "b2", "type": "MANUFACTURER", "name": "Steel Bottom"},
    ]);
    shop.bulk("brands", "en", &brands).ok();
    eventually("all are suggested", || {
        ids(&shop, "categories", "kit") == ["c2"] && ids(&shop, "brands", "steel") == ["b2"]
    });
    assert_eq!(ids(&shop, "categories", "bott"), ["c1"]);
    assert_eq!(
        ids(&shop, "brands", "bott"),
        ["b2"],
        "not by a typo of boots"
    );
    assert_eq!(ids(&shop, "brands", "bottle"), [""; 0]);
    assert_eq!(ids(&shop, "products", "boots bot"), ["1"], "brand and name");
    assert_eq!(
        ids(&shop, "brands", "stel "),
        ["b2"],
        "nothing else is found"
    );
}

#[test]
fn codes_of_variants_pins_and_hidden_products() {
    let shop = shop_of(&json!([
        {"id": "1", "name": "Tent", "combinationReferences": ["KT-1200-RED", "KT-1200-BLUE"]},
        {"id": "2", "name": "Tent for four", "sales_count": 900},
        {"id": "3", "name": "Lamp"},
        {"id": "4", "name": "Tent pegs"},
    ]));
    assert_eq!(ids(&shop, "products", "kt-1200-blue")[0], "1");
    assert_eq!(ids(&shop, "products", "KT-120"), ["1"]);
    for (rule, actions) in [
        ("PIN", json!({"pin": ["3"]})),
        ("HIDE", json!({"hide": ["2"]})),
    ] {
        let rule = json!({"name": rule, "language": "en", "type": rule,
            "trigger": {"query": "ten", "match": "contains"}, "actions": actions});
        shop.own("POST", "/rules").json(&rule).send().ok();
    }
    let pinned = json!({"name": "x", "language": "en", "type": "PIN",
        "trigger": {"query": "tent", "match": "contains"}, "actions": {"pin": ["3"]}});
    shop.own("POST", "/rules").json(&pinned).send().ok();
    assert_eq!(ids(&shop, "products", "ten"), ["3", "1", "4"]);
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
        let (hidden, guard) = (HiddenQueries { queries }, Precondition::None);
        let set = hidden_queries::set(service, &operator, &shop.store, hidden, guard);
        shop.block_on(set).map(|(hidden, _)| hidden)
    };
    let get = || {
        let hidden = shop.block_on(hidden_queries::get(service, &operator, &shop.store));
        hidden.map(|(hidden, _)| hidden)
    };
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
