//! 1. Every tool runs its operation, with the store given or omitted.
//! 2. The simulator returns ten products and a projection of them; its boosts are merged, as a save merges them.
//! 3. Nested arguments may be sent as text.
//! 4. A long result is truncated below 60 kB and says how to get the rest; following that returns everything.
//! 5. Results match the published output schema, also those of dry runs, and it names their keys.
//! 6. Values of a field stand beside its filters, with the words that they are sought by.

use super::{call, call_ok, message, result, send};
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

/// Runs a tool and validates its result against its output schema.
fn validated(shop: &Shop, tools: &[Value], name: &str, arguments: Value) -> Value {
    let result = call_ok(shop, name, arguments);
    let tool = tools
        .iter()
        .find(|tool| tool["name"] == name)
        .expect("a tool");
    let schema = jsonschema::draft202012::new(&tool["outputSchema"]).expect("a schema");
    let wrong: Vec<String> = schema
        .iter_errors(&result)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{name}: {wrong:?}");
    // Every key of the result is named.
    let named = tool["outputSchema"]["properties"]
        .as_object()
        .expect("keys");
    for key in result.as_object().into_iter().flatten().map(|(key, _)| key) {
        assert!(named.contains_key(key), "{name} {key}");
    }
    result
}

#[test]
fn every_tool_runs_its_operation() {
    let shop = Shop::open();
    let tools = tools(&shop);
    let run =
        |name: &str, arguments: Value| validated(&shop, &tools, name, arguments)["data"].clone();
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

    let created = run(
        "create_synonym",
        json!({"terms": ["sofa", "couch"], "language": "en"}),
    );
    let id = json!({"synId": created["id"]});
    assert_eq!(
        run("list_synonyms", json!({"q": "couch"}))[0]["id"],
        created["id"]
    );
    let changed = run(
        "update_synonym",
        json!({"synId": created["id"], "active": false}),
    );
    assert_eq!(changed["active"], false);
    assert_eq!(run("delete_synonym", id), json!({"id": created["id"]}));
    let imported = run("import_synonyms_csv", json!({"csv": "tv, television\ntv"}));
    assert_eq!(
        (&imported["created"], &imported["errors"][0]["line"]),
        (&json!(1), &json!(2))
    );

    let rule = json!({"name": "Pin", "type": "PIN", "trigger": {"query": "a", "match": "exact"}, "actions": {"pin": ["1"]}});
    let created = run("create_rule", rule);
    let id = json!({"ruleId": created["id"]});
    assert_eq!(run("list_rules", json!({}))[0]["id"], created["id"]);
    assert_eq!(run("get_rule", id.clone()), created);
    let changed = run(
        "update_rule",
        json!({"ruleId": created["id"], "priority": 7}),
    );
    assert_eq!(changed["priority"], 7);
    assert_eq!(run("delete_rule", id), json!({"id": created["id"]}));
    assert_eq!(run("list_filters", json!({})), json!([]));
}

#[test]
fn the_simulator_returns_a_projection() {
    let shop = Shop::open();
    let products: Vec<Value> = (0..30)
        .map(|n| product(&format!("p{n:02}"), &format!("Sofa {n}")))
        .collect();
    shop.bulk("products", "es", &json!(products)).ok();
    let ids: Vec<String> = (0..30).map(|n| format!("p{n:02}")).collect();
    shop.until_found("es", &ids.iter().map(String::as_str).collect::<Vec<_>>());
    let normal = call_ok(&shop, "test_relevance", json!({"q": "sofa"}));
    let hits = normal["data"]["hits"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    assert_eq!((hits.len(), &normal["data"]["total"]), (10, &json!(30)));
    assert!(hits[0]["breakdown"]["summary"].is_string());
    assert_eq!(hits[0]["breakdown"].get("pinned"), None);
    let brief = call_ok(
        &shop,
        "test_relevance",
        json!({"q": "sofa", "detail": "brief"}),
    );
    assert!(brief.to_string().len() < normal.to_string().len() / 2);
    let full = call_ok(
        &shop,
        "test_relevance",
        json!({"q": "sofa", "detail": "full", "limit": 1}),
    );
    assert_eq!(full["data"]["hits"][0]["breakdown"]["pinned"], false);
    let many = call_ok(
        &shop,
        "test_relevance",
        json!({"q": "sofa", "detail": "full", "limit": 500}),
    );
    assert!(many.to_string().len() <= 60_000);

    call_ok(&shop, "update_relevance", json!({"boosts": {"tags": 7}}));
    let tried = call_ok(
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
fn nested_arguments_may_be_text() {
    let shop = Shop::open();
    let saved = call_ok(
        &shop,
        "update_relevance",
        json!({"boosts": "{\"name\": 8}"}),
    );
    assert_eq!(saved["data"]["boosts"]["name"], 8.0);
    let created = call_ok(
        &shop,
        "create_synonym",
        json!({"terms": "[\"a1\", \"b1\"]"}),
    );
    assert_eq!(created["data"]["terms"], json!(["a1", "b1"]));
}

#[test]
fn a_long_result_is_truncated() {
    let shop = Shop::open();
    let lines: Vec<String> = (0..1500)
        .map(|n| format!("word{n}, other word{n}"))
        .collect();
    let imported = call_ok(
        &shop,
        "import_synonyms_csv",
        json!({"csv": lines.join("\n")}),
    );
    assert_eq!(imported["data"]["created"], 1500);
    let listed = call_ok(&shop, "list_synonyms", json!({}));
    assert!(listed.to_string().len() <= 60_000);
    let message = listed["message"].as_str().unwrap_or_default();
    assert!(
        message.starts_with("1500 synonym groups.") && message.contains("pass limit 100 and page"),
        "{message}"
    );
}

/// Everything a list returns in pages, when the message of each result is followed to the next one.
fn all_pages(shop: &Shop, tool: &str, mut arguments: Value) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    loop {
        let result = call_ok(shop, tool, arguments.clone());
        assert!(result.to_string().len() <= 60_000);
        let hits = result["data"].get("hits").unwrap_or(&result["data"]);
        for item in hits.as_array().into_iter().flatten() {
            if !seen.contains(item) {
                seen.push(item.clone());
            }
        }
        let message = result["message"].as_str().unwrap_or_default();
        let after = |word: &str| {
            let (_, rest) = message.split_once(word)?;
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
            digits.parse::<u64>().ok()
        };
        let meta = &result["meta"];
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
fn a_long_list_can_be_read_in_pages() {
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
    let listed = all_pages(&shop, "list_rules", json!({}));
    assert_eq!(Some(&listed), all.data().as_array());
    let page = call_ok(&shop, "list_rules", json!({"page": 2, "limit": 7}));
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
    let listed = all_pages(&shop, "list_filters", json!({"limit": 6}));
    assert_eq!(Some(&listed), all.data().as_array());
    assert_eq!(listed.len(), 20);
}

#[test]
fn a_long_ranking_can_be_read_in_pages() {
    let shop = Shop::open();
    let products: Vec<Value> = (0..100)
        .map(|n| product(&format!("p{n:02}"), &format!("Sofa {}", "x".repeat(250))))
        .collect();
    let ids: Vec<String> = (0..100).map(|n| format!("p{n:02}")).collect();
    shop.bulk("products", "es", &json!(products)).ok();
    shop.until_found("es", &ids.iter().map(String::as_str).collect::<Vec<_>>());
    let ranked = all_pages(
        &shop,
        "test_relevance",
        json!({"q": "sofa", "limit": 500, "detail": "full"}),
    );
    let positions: Vec<u64> = ranked
        .iter()
        .filter_map(|hit| hit["position"].as_u64())
        .collect();
    assert_eq!(positions, (1..=100).collect::<Vec<u64>>());
    let first = call_ok(
        &shop,
        "test_relevance",
        json!({"q": "sofa", "limit": 100, "detail": "full"}),
    );
    assert!(
        first["message"]
            .as_str()
            .is_some_and(|text| text.contains("pass from"))
    );
    let some = call_ok(
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
fn a_key_for_several_stores_must_name_one() {
    let shop = Shop::open();
    let other = shop.new_store("Other");
    let key = shop.account_key(&shop.account, Scope::Read);
    let body = super::tool_error(&shop, &key, "get_relevance", json!({}));
    let message = body["message"].as_str().unwrap_or_default();
    assert!(
        message.contains(&other.0) && message.contains(&shop.store.0),
        "{message}"
    );
    let named = call(&shop, &key, "get_relevance", json!({"storeId": other}));
    assert_eq!(named["isError"], false);
}

#[test]
fn values_stand_beside_filters() {
    let makers = ["Nordic Wool", "Far North", "Minor"];
    let products = (0..).zip(makers).map(|(n, maker): (u32, &str)| {
        let mut one = product(&n.to_string(), "Manta");
        one["manufacturer"] = json!(maker);
        one
    });
    let products: Value = products.collect();
    let shop = Shop::with_products("es", &products);
    let tools = tools(&shop);
    let listed = |arguments: Value| validated(&shop, &tools, "list_filters", arguments);
    shop.own("POST", "/filters")
        .json(&json!({"field": "price"}))
        .send();
    shop.own("POST", "/filters")
        .json(&json!({"field": "manufacturer"}))
        .send();
    let found = listed(json!({"values": "manufacturer", "q": "NOR"}));
    assert_eq!(found["data"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["data"][0]["field"], "manufacturer");
    let values = &found["values"];
    assert_eq!(
        (&values["field"], &values["total"]),
        (&json!("manufacturer"), &json!(2))
    );
    let labels: Vec<&Value> = values["items"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|item| &item["label"])
        .collect();
    assert_eq!(labels, ["Far North", "Nordic Wool"]);
    let second = listed(json!({"values": "manufacturer", "limit": 1, "page": 3}));
    assert_eq!(second["values"]["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(listed(json!({}))["data"].as_array().map(Vec::len), Some(2));
    assert_eq!(listed(json!({"limit": 1, "page": 2}))["meta"]["total"], 2);
    for (arguments, field) in [
        (json!({"values": "colour"}), "values"),
        (json!({"q": "nor"}), "q"),
        (json!({"values": "manufacturer", "lang": "fr"}), "lang"),
    ] {
        let error = super::tool_error(&shop, &shop.write_key, "list_filters", arguments);
        assert_eq!(error["errors"][0]["field"], field, "{error}");
    }
}

#[test]
fn dry_runs_match_the_schemas() {
    let shop = Shop::with_products("es", &json!([product("1", "Silla")]));
    let tools = tools(&shop);
    let rule = json!({"name": "Pin", "type": "PIN", "language": "es", "dryRun": true,
        "trigger": {"query": "silla", "match": "exact"}, "actions": {"pin": ["9"]}});
    let tried = validated(&shop, &tools, "create_rule", rule);
    assert_eq!(tried["data"]["advice"][0]["code"], "product_not_indexed");
    assert!(tried["impact"].is_object(), "{tried}");
    let boosts = json!({"boosts": {"name": 9}, "dryRun": true, "impact": false});
    let tried = validated(&shop, &tools, "update_relevance", boosts);
    assert!(tried["data"]["unfilledFields"].is_array(), "{tried}");
    let advice = tried["data"]["advice"].to_string();
    assert!(!advice.contains("not_filled"), "{advice}");
}
