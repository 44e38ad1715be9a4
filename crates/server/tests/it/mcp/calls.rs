//! 1. Every tool runs its operation, with the store left out or named.
//! 2. The simulator answers ten products and as much of them as is wanted; its boosts are merged, as a save merges.
//! 3. Nested arguments that come as text are read.
//! 4. A long answer is cut below 60 kB and says how to get the rest.
//! 5. What is answered fits the output schema that was told.

use super::{call, done, message, result, send};
use crate::harness::{Shop, product};
use domain::Scope;
use serde_json::{Value, json};

fn tools(shop: &Shop) -> Vec<Value> {
    let listed = result(&send(
        &shop.client,
        &shop.write_key,
        &message("tools/list", json!({})),
    ));
    listed["tools"].as_array().cloned().unwrap_or_default()
}

/// Runs a tool and compares what it answers with what it said that it would.
fn fitting(shop: &Shop, tools: &[Value], name: &str, arguments: Value) -> Value {
    let answer = done(shop, name, arguments);
    let tool = tools
        .iter()
        .find(|tool| tool["name"] == name)
        .expect("a tool");
    let schema = &tool["outputSchema"];
    let missing = schema["required"].as_array().into_iter().flatten();
    for key in missing.filter_map(Value::as_str) {
        assert!(answer.get(key).is_some(), "{name} {key}");
    }
    answer
}

#[test]
fn every_tool_runs_its_operation() {
    let shop = Shop::open();
    let tools = tools(&shop);
    let run =
        |name: &str, arguments: Value| fitting(&shop, &tools, name, arguments)["data"].clone();
    assert_eq!(
        run("get_account", json!({}))["key"]["storeId"],
        json!(shop.store)
    );
    assert_eq!(
        run("get_relevance", json!({"storeId": shop.store}))["boosts"]["name"],
        6.0
    );
    let saved = run("update_relevance", json!({"boosts": {"name": 9}}));
    let saved_again = run("update_relevance", json!({"boosts": {"tags": 5}}));
    assert_eq!(
        (&saved["boosts"]["name"], &saved_again["boosts"]["name"]),
        (&json!(9.0), &json!(9.0))
    );
    assert_eq!(run("test_relevance", json!({"q": "x"}))["total"], 0);

    let made = run(
        "create_synonym",
        json!({"terms": ["sofa", "couch"], "language": "en"}),
    );
    let id = json!({"synId": made["id"]});
    assert_eq!(
        run("list_synonyms", json!({"q": "couch"}))[0]["id"],
        made["id"]
    );
    let changed = run(
        "update_synonym",
        json!({"synId": made["id"], "active": false}),
    );
    assert_eq!(changed["active"], false);
    assert_eq!(run("delete_synonym", id), json!({"id": made["id"]}));
    let imported = run("import_synonyms_csv", json!({"csv": "tv, television\ntv"}));
    assert_eq!(
        (&imported["created"], &imported["errors"][0]["line"]),
        (&json!(1), &json!(2))
    );

    let rule = json!({"name": "Pin", "type": "PIN", "trigger": {"query": "a", "match": "exact"}, "actions": {"pin": ["1"]}});
    let made = run("create_rule", rule);
    let id = json!({"ruleId": made["id"]});
    assert_eq!(run("list_rules", json!({}))[0]["id"], made["id"]);
    assert_eq!(run("get_rule", id.clone()), made);
    let changed = run("update_rule", json!({"ruleId": made["id"], "priority": 7}));
    assert_eq!(changed["priority"], 7);
    assert_eq!(run("delete_rule", id), json!({"id": made["id"]}));
    assert_eq!(run("list_filters", json!({})), json!([]));
}

#[test]
fn the_simulator_is_lean() {
    let shop = Shop::open();
    let products: Vec<Value> = (0..30)
        .map(|n| product(&format!("p{n:02}"), &format!("Sofa {n}")))
        .collect();
    shop.bulk("products", "es", &json!(products)).ok();
    let ids: Vec<String> = (0..30).map(|n| format!("p{n:02}")).collect();
    shop.until_found("es", &ids.iter().map(String::as_str).collect::<Vec<_>>());
    let normal = done(&shop, "test_relevance", json!({"q": "sofa"}));
    let hits = normal["data"]["hits"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    assert_eq!((hits.len(), &normal["data"]["total"]), (10, &json!(30)));
    assert!(hits[0]["breakdown"]["summary"].is_string());
    assert_eq!(hits[0]["breakdown"].get("pinned"), None);
    let brief = done(
        &shop,
        "test_relevance",
        json!({"q": "sofa", "detail": "brief"}),
    );
    assert!(brief.to_string().len() < normal.to_string().len() / 2);
    let full = done(
        &shop,
        "test_relevance",
        json!({"q": "sofa", "detail": "full", "limit": 1}),
    );
    assert_eq!(full["data"]["hits"][0]["breakdown"]["pinned"], false);
    let many = done(
        &shop,
        "test_relevance",
        json!({"q": "sofa", "detail": "full", "limit": 500}),
    );
    assert!(many.to_string().len() <= 60_000);

    done(&shop, "update_relevance", json!({"boosts": {"tags": 7}}));
    let tried = done(
        &shop,
        "test_relevance",
        json!({"q": "sofa", "detail": "full", "boosts": {"name": 9}}),
    );
    let boosts = &tried["data"]["config"]["boosts"];
    assert_eq!(
        (&boosts["name"], &boosts["tags"]),
        (&json!(9.0), &json!(7.0))
    );
}

#[test]
fn nested_arguments_may_come_as_text() {
    let shop = Shop::open();
    let saved = done(
        &shop,
        "update_relevance",
        json!({"boosts": "{\"name\": 8}"}),
    );
    assert_eq!(saved["data"]["boosts"]["name"], 8.0);
    let made = done(
        &shop,
        "create_synonym",
        json!({"terms": "[\"a1\", \"b1\"]"}),
    );
    assert_eq!(made["data"]["terms"], json!(["a1", "b1"]));
}

#[test]
fn a_long_answer_is_cut() {
    let shop = Shop::open();
    let lines: Vec<String> = (0..1500)
        .map(|n| format!("word{n}, other word{n}"))
        .collect();
    let imported = done(
        &shop,
        "import_synonyms_csv",
        json!({"csv": lines.join("\n")}),
    );
    assert_eq!(imported["data"]["created"], 1500);
    let listed = done(&shop, "list_synonyms", json!({}));
    assert!(listed.to_string().len() <= 60_000);
    let message = listed["message"].as_str().unwrap_or_default();
    assert!(
        message.starts_with("1500 synonym groups.") && message.contains("pass page and limit"),
        "{message}"
    );
}

#[test]
fn a_key_of_several_stores_names_one() {
    let shop = Shop::open();
    let other = shop.new_store("Other");
    let key = shop.account_key(&shop.account, Scope::Read);
    let body = super::refused(&shop, &key, "get_relevance", json!({}));
    let message = body["message"].as_str().unwrap_or_default();
    assert!(
        message.contains(&other.0) && message.contains(&shop.store.0),
        "{message}"
    );
    let named = call(&shop, &key, "get_relevance", json!({"storeId": other}));
    assert_eq!(named["isError"], false);
}
