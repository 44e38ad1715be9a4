//! 1. An outline of a revision has its changes, unless they are large.
//! 2. Products and records are named by id, whatever shoppers may see; what does not exist is left out.
//! 3. A request names at most 50 of each, and a store that the user reaches.

use super::shop;
use crate::harness::Shop;
use domain::Role;
use serde_json::{Value, json};

fn rule(shop: &Shop, pins: &Value) -> String {
    let body = json!({"name": "Gifts first", "language": "es", "type": "PIN", "actions": {"pin": pins},
        "trigger": {"query": "gift", "match": "contains"}});
    let made = shop.own("POST", "/rules").json(&body).send().ok();
    made.data()["id"].as_str().expect("an id").to_owned()
}

#[test]
fn an_outline_has_changes_that_are_not_large() {
    let shop = shop();
    let vic = shop.member("vic@shop.example", Role::Viewer);
    let many: Vec<String> = (0..100).map(|n| format!("{n:0>100}")).collect();
    rule(&shop, &json!(many));
    let boosts = json!({"boosts": {"name": 9}});
    shop.own("PUT", "/relevance").json(&boosts).send().ok();
    let read = |limit: u32| {
        let path = shop.of_store(&format!("/outlines?limit={limit}"));
        shop.by(&vic, "GET", &path).send()
    };
    let outlines = read(2).ok();
    let [latest, first] = [&outlines.data()[0], &outlines.data()[1]];
    assert_eq!(latest["revision"], 2);
    assert_eq!(latest["changes"][0]["path"], "boosts.name");
    assert_eq!(latest["changes"][0]["after"], 9.0);
    assert_eq!(first["changes"], json!([]), "the pins are large");
    read(101).error(400, "invalid_request");
    let foreign = shop.by(&vic, "GET", "/stores/none/outlines").send();
    foreign.error(404, "not_found");
}

#[test]
fn what_exists_is_named() {
    let shop = shop();
    let vic = shop.member("vic@shop.example", Role::Viewer);
    let product = |id: &str, stock: bool| {
        json!({"id": id, "name": format!("Tienda {id}"), "url": "https://shop.example/x", "reference": id,
            "inStock": stock, "priceInclTax": 1, "currency": "EUR"})
    };
    let products = json!([product("a", true), product("b", false), product("c", true)]);
    shop.bulk("products", "es", &products).ok();
    crate::harness::eventually("all products are found", || shop.products("es").len() == 3);
    let hide = json!({"searchSettings": {"hideOutOfStock": true}});
    shop.own("PUT", "/relevance").json(&hide).send().ok();
    let id = rule(&shop, &json!(["a"]));
    let ask = |body: Value| {
        let path = shop.of_store("/names");
        shop.by(&vic, "POST", &path).json(&body).send()
    };
    let rules = format!("rules/{id}");
    let records = [rules.as_str(), "rules/none", "synonyms/none", "x"];
    let named = ask(json!({"products": ["b", "a", "none"], "records": records})).ok();
    assert_eq!(
        named.data(),
        &json!({"products": {"a": "Tienda a", "b": "Tienda b"}, "records": {rules: {"name": "Gifts first"}}})
    );
    let many: Vec<String> = (0..51).map(|n| n.to_string()).collect();
    let reply = ask(json!({"products": many})).error(400, "invalid_request");
    assert_eq!(reply.fields(), ["products"]);
    let reply = ask(json!({"products": ["a"], "lang": "fr"})).error(400, "invalid_request");
    assert_eq!(reply.fields(), ["lang"]);
}
