//! 1. Every tool runs its operation, with the store left out or named.
//! 2. The simulator answers ten products and as much of them as is wanted; its boosts are merged, as a save merges.
//! 3. Nested arguments that come as text are read.
//! 4. A long answer is cut below 60 kB and says how to get the rest, and whoever does as it says gets all of it.
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
        message.starts_with("1500 synonym groups.") && message.contains("pass limit 100 and page"),
        "{message}"
    );
}

/// What a list answers in parts, when every answer's own words are followed to the next one.
fn followed(shop: &Shop, tool: &str, mut arguments: Value) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    loop {
        let answer = done(shop, tool, arguments.clone());
        assert!(answer.to_string().len() <= 60_000);
        let hits = answer["data"].get("hits").unwrap_or(&answer["data"]);
        for item in hits.as_array().into_iter().flatten() {
            if !seen.contains(item) {
                seen.push(item.clone());
            }
        }
        let message = answer["message"].as_str().unwrap_or_default();
        let after = |word: &str| {
            let (_, rest) = message.split_once(word)?;
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
            digits.parse::<u64>().ok()
        };
        let meta = &answer["meta"];
        if let Some(from) = after("pass from ") {
            arguments["from"] = json!(from);
        } else if let (Some(limit), Some(page)) = (after("pass limit "), after("and page ")) {
            (arguments["limit"], arguments["page"]) = (json!(limit), json!(page));
        } else if meta["page"].as_u64() < meta["totalPages"].as_u64() {
            arguments["page"] = json!(meta["page"].as_u64().unwrap_or_default() + 1);
        } else {
            return seen;
        }
    }
}

#[test]
fn all_of_a_long_list_is_got_in_parts() {
    let shop = Shop::open();
    let pins: Vec<String> = (0..100).map(|n| format!("product-{n:0>40}")).collect();
    for n in 0..30 {
        let rule = json!({
            "name": format!("Rule {n}"), "type": "PIN", "trigger": {"query": "a", "match": "exact"},
            "actions": {"pin": pins}
        });
        shop.own("POST", "/rules").json(&rule).send().ok();
    }
    let all = shop.own("GET", "/rules").send();
    let listed = followed(&shop, "list_rules", json!({}));
    assert_eq!(Some(&listed), all.data().as_array());
    let page = done(&shop, "list_rules", json!({"page": 2, "limit": 7}));
    let all = all.data().as_array().cloned().unwrap_or_default();
    assert_eq!(page["data"].as_array(), Some(&all[7..14].to_vec()));
    assert_eq!(
        page["meta"],
        json!({"page": 2, "limit": 7, "total": 30, "totalPages": 5})
    );
    assert_eq!(page["message"], "30 rules, page 2 of 5.");

    for group in 0..20 {
        let filter = json!({"field": format!("attributes.{group}"), "label": {"es": "x".repeat(200)}, "type": "list"});
        shop.own("POST", "/filters").json(&filter).send().ok();
    }
    let all = shop.own("GET", "/filters").send();
    let listed = followed(&shop, "list_filters", json!({"limit": 6}));
    assert_eq!(Some(&listed), all.data().as_array());
    assert_eq!(listed.len(), 20);
}

#[test]
fn all_of_a_ranking_is_got_in_parts() {
    let shop = Shop::open();
    let products: Vec<Value> = (0..100)
        .map(|n| product(&format!("p{n:02}"), &format!("Sofa {}", "x".repeat(250))))
        .collect();
    let ids: Vec<String> = (0..100).map(|n| format!("p{n:02}")).collect();
    shop.bulk("products", "es", &json!(products)).ok();
    shop.until_found("es", &ids.iter().map(String::as_str).collect::<Vec<_>>());
    let ranked = followed(
        &shop,
        "test_relevance",
        json!({"q": "sofa", "limit": 500, "detail": "full"}),
    );
    let positions: Vec<u64> = ranked
        .iter()
        .filter_map(|hit| hit["position"].as_u64())
        .collect();
    assert_eq!(positions, (1..=100).collect::<Vec<u64>>());
    let first = done(
        &shop,
        "test_relevance",
        json!({"q": "sofa", "limit": 100, "detail": "full"}),
    );
    assert!(
        first["message"]
            .as_str()
            .is_some_and(|text| text.contains("pass from"))
    );
    let some = done(
        &shop,
        "test_relevance",
        json!({"q": "sofa", "from": 41, "limit": 3, "detail": "full"}),
    );
    assert_eq!(
        some["data"]["hits"].as_array(),
        Some(&ranked[40..43].to_vec())
    );
    assert_eq!(some["data"]["total"], 100);
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
