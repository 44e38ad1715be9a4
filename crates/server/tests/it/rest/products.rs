//! 1. A product is returned as it is stored, with the languages that have it, its price, its run and whether it was cut;
//!    one that the feed rejected with the reason; an unknown one is 404.
//! 2. With a query its position is returned, or the code of the first condition that keeps it out, of each kind.
//! 3. Explanations of missing products name the same conditions; those of two products list the same parts.

use crate::harness::{Reply, Shop, product};
use serde_json::{Value, json};

fn get(shop: &Shop, id: &str, query: &str) -> Reply {
    let path = format!("/stores/{}/products/{id}{query}", shop.store);
    shop.api("GET", &path).key(&shop.read_key).send()
}

fn shop() -> Shop {
    let mut sold_out = product("gone", "Silla de roble");
    sold_out["inStock"] = json!(false);
    let mut private = product("private", "Silla de cuero");
    private["accessGroups"] = json!(["5"]);
    let documents = json!([
        product("red", "Silla roja de madera"),
        product("blue", "Silla azul"),
        sold_out,
        private,
    ]);
    let shop = Shop::open();
    let groups =
        json!({"enabled": true, "visitorGroup": "1", "groups": [{"id": "1"}, {"id": "5"}]});
    let declared = shop.feed("POST", "/feed/access-groups").json(&groups);
    declared.send().ok();
    shop.bulk("products", "es", &documents).ok();
    shop.bulk("products", "en", &json!([product("chair", "Chair")]))
        .ok();
    shop.until_found("es", &["blue", "gone", "red"]);
    shop.until_found("en", &["chair"]);
    shop
}

#[test]
fn a_product_is_returned_as_it_is_stored() {
    let shop = shop();
    let long = json!([{"id": "long", "name": "x".repeat(5_000), "description": "Larga"}]);
    shop.bulk("products", "es", &long).ok();
    let red = get(&shop, "red", "").ok();
    let data = red.data();
    assert_eq!(data["document"]["name"], "Silla roja de madera");
    assert_eq!(
        (&data["language"], &data["languages"]),
        (&json!("es"), &json!(["es"]))
    );
    assert_eq!(
        (&data["price"], &data["currency"]),
        (&json!(10.0), &json!("EUR"))
    );
    assert_eq!(
        (&data["priceField"], &data["clipped"]),
        (&json!("priceInclTax"), &json!(false))
    );
    assert!(
        data["receivedAt"].is_string() && data["rev"].is_i64(),
        "{data}"
    );
    assert_eq!((data.get("runId"), data.get("found")), (None, None));
    assert!(!red.header("x-config-revision").is_empty());
    assert_eq!(get(&shop, "long", "").ok().data()["clipped"], true);
    // In another language than the one that was asked for.
    let chair = get(&shop, "chair", "").ok();
    assert_eq!(chair.data()["language"], "en");
    let wrong = json!([{"id": "bad", "name": "Silla", "reference": 7}]);
    shop.bulk("products", "es", &wrong).ok();
    let rejected = get(&shop, "bad", "").ok();
    assert_eq!(rejected.data()["rejected"]["code"], "invalid_document");
    assert_eq!(rejected.data().get("document"), None);
    get(&shop, "nobody", "").error(404, "not_found");
    get(&shop, "red", "?lang=fr").error(400, "invalid_request");
    let shopper = format!("/stores/{}/products/red", shop.store);
    let shopper = shop.api("GET", &shopper).key(&shop.public).send();
    shopper.error(401, "key_kind");
}

#[test]
fn the_first_condition_that_fails_is_named() {
    let shop = shop();
    let hide = json!({"name": "h", "language": "es", "type": "HIDE", "actions": {"hide": ["blue"]},
        "trigger": {"query": "silla azul", "match": "exact"}});
    let rule = shop.own("POST", "/rules").json(&hide).send();
    let settings = json!({"searchSettings": {"hideOutOfStock": true, "minMatchShort": "100%", "fuzziness": "0"}});
    shop.own("PUT", "/relevance").json(&settings).send().ok();
    let asked = |id: &str, q: &str| {
        let reply = get(&shop, id, &format!("?lang=es&q={}", q.replace(' ', "%20"))).ok();
        reply.data().clone()
    };
    let found = asked("red", "silla roja");
    assert_eq!(
        (&found["found"], &found["position"]),
        (&json!(true), &json!(1))
    );
    let hidden = asked("blue", "silla azul");
    assert_eq!(hidden["code"], "hidden_by_rule");
    assert_eq!(hidden["conditions"][0]["ruleId"], rule.data()["id"]);
    for (id, q, code) in [
        ("gone", "silla", "out_of_stock"),
        ("private", "silla", "not_visible"),
        ("chair", "silla", "other_language"),
        ("red", "mesa", "no_word"),
        ("red", "silla grande verde", "too_few_words"),
    ] {
        let missing = asked(id, q);
        assert_eq!(
            (&missing["found"], &missing["code"]),
            (&json!(false), &json!(code)),
            "{missing}"
        );
        let conditions = missing["conditions"].as_array().expect("conditions");
        let failed = conditions.iter().find(|one| one["holds"] == false);
        assert_eq!(
            failed.map(|one| &one["code"]),
            Some(&json!(code)),
            "{missing}"
        );
        assert_eq!(failed.map(|one| &one["text"]), Some(&missing["reason"]));
    }
    let few = asked("red", "silla grande verde");
    let few = few["conditions"].as_array().expect("conditions");
    let few = few.iter().find(|one| one["code"] == "too_few_words");
    assert_eq!(
        few.map(|one| (&one["matched"], &one["needed"])),
        Some((&json!(1), &json!(3)))
    );
}

#[test]
fn explanations_name_conditions_and_the_same_parts() {
    let shop = shop();
    let explain = |body: Value| {
        let path = format!("/stores/{}/preview/explain", shop.store);
        let reply = shop
            .api("POST", &path)
            .key(&shop.read_key)
            .json(&body)
            .send();
        reply.ok().data().clone()
    };
    let hide = json!({"name": "h", "language": "es", "type": "HIDE", "actions": {"hide": ["blue"]},
        "trigger": {"query": "", "match": "contains"}});
    let draft = json!({"rules": {"create": [hide]}});
    let hidden = explain(json!({"q": "silla", "lang": "es", "draft": draft, "ids": ["blue"]}));
    assert_eq!(hidden[0]["code"], "hidden_by_rule");
    assert_eq!(hidden[0]["conditions"][0]["ruleId"], "draft:0");
    let both = explain(json!({"q": "silla roja azul", "lang": "es", "ids": ["red", "blue"]}));
    let parts = |of: &Value| -> Vec<(Value, Value)> {
        let matches = of["breakdown"]["text"]["matches"].as_array().cloned();
        let matches = matches.unwrap_or_default().into_iter();
        matches
            .map(|part| (part["word"].clone(), part["field"].clone()))
            .collect()
    };
    assert_eq!(parts(&both[0]), parts(&both[1]));
    assert!(parts(&both[0]).len() >= 3, "{both}");
    let lacking = both[0]["breakdown"]["text"]["matches"]
        .as_array()
        .expect("parts");
    let lacking = lacking
        .iter()
        .find(|part| part["word"] == "azul")
        .expect("a part");
    assert_eq!(
        (&lacking["score"], lacking.get("matched")),
        (&json!(0.0), None)
    );
}
