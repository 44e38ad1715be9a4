//! 1. A read returns the defaults, overlaid with what was saved.
//! 2. `PUT` replaces boosts and merges settings; putting back what was read changes nothing.
//! 3. Every bound of a setting is valid itself, and nothing beyond it is.
//! 4. Advice names values that are high.
//! 5. A save shows in the shopper's next search, although responses are cached.

use crate::harness::{Shop, product};
use serde_json::{Value, json};

fn put(shop: &Shop, body: &Value) -> crate::harness::Reply {
    shop.own("PUT", "/relevance").json(body).send()
}

#[test]
fn boosts_are_replaced_and_settings_merged() {
    let shop = Shop::open();
    let defaults = shop.own("GET", "/relevance").send().ok();
    assert_eq!(defaults.data()["boosts"]["name"], 6.0);
    assert_eq!(defaults.data()["searchSettings"]["fuzziness"], "AUTO");
    assert_eq!(
        defaults.data()["overrides"],
        json!({"boosts": {}, "searchSettings": {}})
    );

    put(
        &shop,
        &json!({"boosts": {"name": 9}, "searchSettings": {"stockBoost": 3}}),
    )
    .ok();
    let next = json!({"boosts": {"tags": 7}, "searchSettings": {"longQueryThreshold": 7.0}});
    let saved = put(&shop, &next).ok();
    assert_eq!(saved.data()["boosts"]["name"], 6.0);
    assert_eq!(saved.data()["boosts"]["tags"], 7.0);
    assert_eq!(saved.data()["searchSettings"]["stockBoost"], 3.0);
    let overrides = &saved.data()["overrides"];
    assert_eq!(overrides["boosts"], json!({"tags": 7.0}));
    assert_eq!(overrides["searchSettings"]["longQueryThreshold"], 7);

    let back = json!({
        "boosts": saved.data()["boosts"], "searchSettings": saved.data()["searchSettings"]
    });
    let same = put(&shop, &back).ok();
    assert_eq!(same.data(), saved.data());
    assert_eq!(
        same.header("x-config-revision"),
        saved.header("x-config-revision")
    );
}

#[test]
fn bounds_are_inclusive() {
    let shop = Shop::open();
    for (name, least, most) in [
        ("fuzzyPrefixLength", 0, 2),
        ("longQueryThreshold", 1, 20),
        ("phraseBoost", 0, 300),
        ("exactRefBoost", 0, 500),
        ("crossFieldsBoost", 0, 200),
        ("stockBoost", 0, 50),
        ("scoreCutoff", 0, 100),
    ] {
        for value in [least, most] {
            put(&shop, &json!({"searchSettings": {name: value}})).ok();
        }
        for value in [least - 1, most + 1] {
            let reply = put(&shop, &json!({"searchSettings": {name: value}}));
            let field = format!("searchSettings.{name}");
            assert_eq!(
                reply.error(400, "invalid_request").fields(),
                [field.as_str()]
            );
        }
    }
    for (boost, status) in [(0.0, 200), (200.0, 200), (200.5, 400), (-0.5, 400)] {
        assert_eq!(
            put(&shop, &json!({"boosts": {"name": boost}})).status,
            status,
            "{boost}"
        );
    }
    for (text, status) in [
        ("0%", 200),
        ("100%", 200),
        ("101%", 400),
        ("7.5%", 400),
        ("75", 400),
    ] {
        let body = json!({"searchSettings": {"minMatchLong": text}});
        assert_eq!(put(&shop, &body).status, status, "{text}");
    }
}

#[test]
fn advice_names_high_values() {
    let shop = Shop::open();
    let body = json!({
        "boosts": {"name": 150}, "searchSettings": {"exactRefBoost": 51}
    });
    let saved = put(&shop, &body).ok();
    let advice = saved.data()["advice"].as_array().expect("a list");
    let fields: Vec<&str> = advice.iter().filter_map(|a| a["field"].as_str()).collect();
    for field in ["boosts.name", "searchSettings.exactRefBoost"] {
        assert!(fields.contains(&field), "{field} in {fields:?}");
    }
}

#[test]
fn a_save_shows_in_the_next_search() {
    let shop = Shop::open();
    let mut described = product("1", "Mochila");
    described["description"] = json!("Una linterna cabe dentro");
    shop.bulk(
        "products",
        "es",
        &json!([described, product("2", "Linterna")]),
    )
    .ok();
    shop.until_found("es", &["1", "2"]);
    let first = || {
        let found = shop
            .search(&json!({"q": "linterna", "types": ["products"]}))
            .ok();
        found.data()["products"]["hits"][0]["id"].clone()
    };
    assert_eq!(first(), "2");
    put(
        &shop,
        &json!({"boosts": {"name": 0, "name.autocomplete": 0}}),
    )
    .ok();
    assert_eq!(first(), "1");
    put(&shop, &json!({"boosts": {}})).ok();
    assert_eq!(first(), "2");
}
