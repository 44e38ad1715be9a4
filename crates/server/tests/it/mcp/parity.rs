//! The same change by REST and by tool leaves the same state, the same audit record and the same revision.

use super::call_ok;
use crate::harness::{Call, Shop};
use serde_json::{Value, json};

/// Keys whose values differ from store to store and from request to request.
const VARIABLE_KEYS: [&str; 12] = [
    "id",
    "at",
    "createdAt",
    "updatedAt",
    "requestId",
    "storeId",
    "keyId",
    "actor",
    "by",
    "resource",
    "key",
    "accountId",
];

/// `value` without ids, times and the keys that identify a request.
fn without_ids(value: &Value) -> Value {
    match value {
        Value::Object(entries) => entries
            .iter()
            .filter(|(key, value)| {
                // The record of an import has the id of the import as its key.
                let is_id = *key == "path" && value.as_str().is_some_and(|path| path.len() == 24);
                !is_id && !VARIABLE_KEYS.contains(&key.as_str())
            })
            .map(|(key, value)| (key.clone(), without_ids(value)))
            .collect(),
        Value::Array(items) => {
            // Ids are random, and so is the order of what was created in the same millisecond.
            let mut items: Vec<Value> = items.iter().map(without_ids).collect();
            items.sort_by_key(Value::to_string);
            items.into()
        }
        other => other.clone(),
    }
}

/// The configuration of a store and its audit records.
fn state(shop: &Shop) -> Value {
    let read = |path: &str| shop.own("GET", path).send().ok().data().clone();
    let audit = shop.audit(100);
    let of_configuration = |record: &&Value| {
        let operation = record["operation"].as_str().unwrap_or_default();
        ["relevance", "synonym", "rule"]
            .iter()
            .any(|resource| operation.contains(resource))
    };
    let trail = audit
        .as_array()
        .into_iter()
        .flatten()
        .filter(of_configuration);
    let trail: Vec<Value> = trail.cloned().collect();
    let revisions = read("/revisions?limit=100");
    without_ids(&json!({
        "relevance": read("/relevance"),
        "synonyms": read("/synonyms"),
        "rules": read("/rules"),
        "revisions": revisions,
        "last": read("/revisions/2"),
        "audit": trail,
    }))
}

#[test]
fn rest_and_tools_leave_the_same_state() {
    let (rest, tools) = (Shop::open(), Shop::open());
    let ok = |call: Call<'_>, body: Value| call.json(&body).send().ok().data().clone();

    let relevance = json!({"boosts": {"name": 9}, "searchSettings": {"stockBoost": 3}});
    ok(rest.own("PUT", "/relevance"), relevance.clone());
    call_ok(&tools, "update_relevance", relevance);

    let group = json!({"terms": ["sofa", "couch"], "language": "en"});
    let by_rest = ok(rest.own("POST", "/synonyms"), group.clone());
    let by_tool = call_ok(&tools, "create_synonym", group);
    let path = format!("/synonyms/{}", by_rest["id"].as_str().unwrap_or_default());
    ok(rest.own("PUT", &path), json!({"active": false}));
    call_ok(
        &tools,
        "update_synonym",
        json!({"synId": by_tool["data"]["id"], "active": false}),
    );

    rest.own("DELETE", &path).send().ok();
    call_ok(
        &tools,
        "delete_synonym",
        json!({"synId": by_tool["data"]["id"]}),
    );

    let csv = json!({"csv": "tv, television\nbad"});
    ok(rest.own("POST", "/synonyms/import"), csv.clone());
    call_ok(&tools, "import_synonyms_csv", csv);

    let rule = json!({"name": "Hide", "type": "HIDE", "trigger": {"query": "a", "match": "exact"}, "actions": {"hide": ["1"]}});
    let by_rest = ok(rest.own("POST", "/rules"), rule.clone());
    let by_tool = call_ok(&tools, "create_rule", rule);
    let path = format!("/rules/{}", by_rest["id"].as_str().unwrap_or_default());
    ok(rest.own("PUT", &path), json!({"priority": 7}));
    call_ok(
        &tools,
        "update_rule",
        json!({"ruleId": by_tool["data"]["id"], "priority": 7}),
    );
    rest.own("DELETE", &path).send().ok();
    call_ok(
        &tools,
        "delete_rule",
        json!({"ruleId": by_tool["data"]["id"]}),
    );

    let (rest, tools) = (state(&rest), state(&tools));
    assert_eq!(
        rest["audit"].as_array().map(Vec::len),
        tools["audit"].as_array().map(Vec::len)
    );
    assert!(
        rest["audit"]
            .as_array()
            .is_some_and(|trail| trail.len() >= 8),
        "{rest}"
    );
    assert_eq!(rest, tools);
}
