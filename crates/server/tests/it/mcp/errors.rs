//! 1. A refusal is the body of REST as text, with the next step; a tool that does not exist is the protocol's error.
//! 2. A write tool without the scope says which one it needs, and changes nothing.
//! 3. Calls are counted with those over REST, writes as writes; a limited call tells the seconds.

use super::{call, message, refused, send};
use crate::harness::Shop;
use domain::Timestamp;
use operations::clock::Clock;
use operations::rates::Rates;
use serde_json::{Value, json};

fn fields(body: &Value) -> Vec<&str> {
    let errors = body["errors"].as_array().into_iter().flatten();
    errors.filter_map(|error| error["field"].as_str()).collect()
}

#[test]
fn what_is_wrong_is_told_as_over_rest() {
    let shop = Shop::open();
    let key = &shop.write_key;
    let wrong =
        json!({"boosts": {"name": 350, "nam": 1}, "searchSettings": {"fuzziness": 3}, "other": 1});
    let told = refused(&shop, key, "update_relevance", wrong.clone());
    let same = shop
        .own("PUT", "/relevance")
        .json(&wrong)
        .send()
        .refused(400, "invalid_request");
    assert_eq!(told["errors"], same.json["errors"]);
    assert_eq!(told["message"], same.json["message"]);
    assert!(told["nextStep"].is_string());
    let cases = [
        ("test_relevance", json!({}), "q"),
        (
            "test_relevance",
            json!({"q": "a", "detail": "more"}),
            "detail",
        ),
        ("get_relevance", json!({"q": "a"}), "q"),
        ("get_relevance", json!({"storeId": 1}), "storeId"),
        ("get_rule", json!({}), "ruleId"),
        ("get_account", json!({"storeId": "x"}), "storeId"),
        ("create_synonym", json!({"terms": "a, b"}), "terms"),
    ];
    for (tool, arguments, field) in cases {
        let body = refused(&shop, key, tool, arguments);
        assert_eq!(
            (body["code"].as_str(), fields(&body)),
            (Some("invalid_request"), vec![field]),
            "{tool}"
        );
    }
    let missing = refused(&shop, key, "get_rule", json!({"ruleId": "none"}));
    assert_eq!(missing["code"], "not_found");
    assert!(
        missing["nextStep"]
            .as_str()
            .is_some_and(|step| step.contains("list_rules"))
    );
    let foreign = shop.foreign_store();
    let elsewhere = refused(&shop, key, "get_relevance", json!({"storeId": foreign}));
    assert_eq!(elsewhere["code"], "store_mismatch");
    let unknown = send(
        &shop.client,
        key,
        &message("tools/call", json!({"name": "drop_store", "arguments": {}})),
    );
    assert_eq!(unknown.json["error"]["code"], -32602, "{unknown:?}");
}

#[test]
fn a_write_needs_its_scope() {
    let shop = Shop::open();
    for (tool, arguments) in [
        ("update_relevance", json!({"boosts": {"name": 9}})),
        ("create_synonym", json!({"terms": ["a", "b"]})),
        ("delete_rule", json!({"ruleId": "x"})),
        ("import_synonyms_csv", json!({"wrong": 1})),
    ] {
        let body = refused(&shop, &shop.read_key, tool, arguments);
        assert_eq!(body["code"], "scope_missing");
        assert!(
            body["message"]
                .as_str()
                .is_some_and(|text| text.contains("config:write"))
        );
    }
    assert_eq!(
        shop.own("GET", "/relevance").send().data()["overrides"]["boosts"],
        json!({})
    );
}

#[test]
fn both_doors_share_one_budget() {
    let shop = Shop::open_with(|options| {
        options.clock = Clock::fixed(Timestamp(1_800_000_000_000));
        options.rates = Rates {
            requests: 5,
            writes: 2,
        };
    });
    let key = &shop.write_key;
    shop.own("PUT", "/relevance").json(&json!({})).send().ok();
    let saved = call(&shop, key, "update_relevance", json!({}));
    assert_eq!(saved["isError"], false);
    let body = refused(&shop, key, "update_relevance", json!({}));
    assert_eq!(
        (&body["code"], &body["retryAfter"]),
        (&json!("rate_limited"), &json!(60))
    );
    shop.own("PUT", "/relevance")
        .json(&json!({}))
        .send()
        .refused(429, "rate_limited");
    assert_eq!(
        call(&shop, key, "get_relevance", json!({}))["isError"],
        false
    );
    let body = refused(&shop, key, "get_relevance", json!({}));
    assert_eq!(
        (&body["code"], &body["retryAfter"]),
        (&json!("rate_limited"), &json!(60))
    );
    send(&shop.client, key, &message("tools/list", json!({}))).refused(429, "rate_limited");
    shop.own("GET", "/relevance")
        .send()
        .refused(429, "rate_limited");
}
