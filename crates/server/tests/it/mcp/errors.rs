//! 1. A tool error is the body of REST as text, with the next step; an unknown tool is an error of the protocol.
//! 2. A write tool without the scope reports which one it needs, and changes nothing.
//! 3. Calls share the limits with REST, writes as writes; a limited call reports the seconds to wait, and the headers
//!    report the limit that will be reached first.
//! 4. Arguments may be sent as text; anything but an object is rejected.
//! 5. Duplicate arguments are rejected as over REST; several errors are reported at once.

use super::{call, message, send, tool_error};
use crate::harness::{Reply, Shop, TestClock};
use domain::Timestamp;
use operations::rates::Rates;
use serde_json::{Value, json};

fn fields(body: &Value) -> Vec<&str> {
    let errors = body["errors"].as_array().into_iter().flatten();
    errors.filter_map(|error| error["field"].as_str()).collect()
}

#[test]
fn errors_are_reported_as_over_rest() {
    let shop = Shop::open();
    let key = &shop.write_key;
    let wrong =
        json!({"boosts": {"name": 350, "nam": 1}, "searchSettings": {"fuzziness": 3}, "other": 1});
    let error = tool_error(&shop, key, "update_relevance", wrong.clone());
    let same = shop
        .own("PUT", "/relevance")
        .json(&wrong)
        .send()
        .error(400, "invalid_request");
    assert_eq!(error["errors"], same.json["errors"]);
    assert_eq!(error["message"], same.json["message"]);
    assert!(error["nextStep"].is_string());
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
        let body = tool_error(&shop, key, tool, arguments);
        assert_eq!(
            (body["code"].as_str(), fields(&body)),
            (Some("invalid_request"), vec![field]),
            "{tool}"
        );
    }
    let missing = tool_error(&shop, key, "get_rule", json!({"ruleId": "none"}));
    assert_eq!(missing["code"], "not_found");
    assert!(
        missing["nextStep"]
            .as_str()
            .is_some_and(|step| step.contains("list_rules"))
    );
    let another_store = shop.foreign_store();
    let elsewhere = tool_error(
        &shop,
        key,
        "get_relevance",
        json!({"storeId": another_store}),
    );
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
        let body = tool_error(&shop, &shop.read_key, tool, arguments);
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
fn tools_and_rest_share_the_limits() {
    let shop = Shop::open_at_with(TestClock::fixed(Timestamp(1_800_000_000_000)), |options| {
        options.rates = Rates {
            requests: 5,
            writes: 2,
        };
    });
    let key = &shop.write_key;
    shop.own("PUT", "/relevance").json(&json!({})).send().ok();
    let saved = call(&shop, key, "update_relevance", json!({}));
    assert_eq!(saved["isError"], false);
    let body = tool_error(&shop, key, "update_relevance", json!({}));
    assert_eq!(
        (&body["code"], &body["retryAfter"]),
        (&json!("rate_limited"), &json!(60))
    );
    shop.own("PUT", "/relevance")
        .json(&json!({}))
        .send()
        .error(429, "rate_limited");
    assert_eq!(
        call(&shop, key, "get_relevance", json!({}))["isError"],
        false
    );
    let body = tool_error(&shop, key, "get_relevance", json!({}));
    assert_eq!(
        (&body["code"], &body["retryAfter"]),
        (&json!("rate_limited"), &json!(60))
    );
    send(&shop.client, key, &message("tools/list", json!({}))).error(429, "rate_limited");
    shop.own("GET", "/relevance")
        .send()
        .error(429, "rate_limited");
}

/// Sends a call whose arguments are literal JSON.
fn call_literal(shop: &Shop, tool: &str, arguments: &str) -> Reply {
    let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
    let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    send_literal(shop, &message)
}

fn send_literal(shop: &Shop, message: &str) -> Reply {
    let call = shop.client.call("POST", "/mcp").key(&shop.write_key);
    call.raw_json(message).send()
}

#[test]
fn duplicate_arguments_are_rejected() {
    let shop = Shop::open();
    let tool_error = |tool: &str, arguments: &str| -> Value {
        let reply = call_literal(&shop, tool, arguments);
        assert_eq!(reply.json["result"]["isError"], true, "{reply:?}");
        let text = reply.json["result"]["content"][0]["text"].as_str();
        serde_json::from_str(text.unwrap_or_default()).expect("the body of an error")
    };
    let twice = r#"{"boosts":{"name":1,"name":2},"searchSettings":{},"searchSettings":{}}"#;
    let error = tool_error("update_relevance", twice);
    let same = shop.own("PUT", "/relevance").raw_json(twice).send();
    let same = same.error(400, "invalid_request");
    assert_eq!(error["errors"], same.json["errors"]);
    assert_eq!(error["message"], same.json["message"]);
    assert_eq!(fields(&error), ["boosts.name", "searchSettings"]);
    let texts = tool_error(
        "update_relevance",
        r#"{"boosts":"{\"name\":1,\"name\":2}"}"#,
    );
    assert_eq!(fields(&texts), ["boosts.name"]);
    for (tool, arguments, field) in [
        ("get_account", r#"{"a":1,"a":1}"#, "a"),
        ("get_relevance", r#"{"storeId":"","storeId":""}"#, "storeId"),
        ("list_rules", r#"{"page":1,"page":2}"#, "page"),
    ] {
        let error = tool_error(
            tool,
            &arguments.replace("\"\"", &format!("\"{}\"", shop.store.0)),
        );
        assert!(fields(&error).contains(&field), "{tool} {error}");
    }
    for message in [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{"name":"get_account"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_account","name":"list_rules"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_account","arguments":{},"arguments":{}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":1}}"#,
    ] {
        send_literal(&shop, message).error(400, "invalid_request");
    }
    let view = shop.own("GET", "/relevance").send();
    assert_eq!(view.data()["overrides"]["boosts"], json!({}));
}

#[test]
fn arguments_are_an_object() {
    let shop = Shop::open();
    let text = call_literal(
        &shop,
        "update_relevance",
        r#""{\"boosts\": {\"name\": 8}}""#,
    );
    let data = &text.json["result"]["structuredContent"]["data"];
    assert_eq!(data["boosts"]["name"], 8.0, "{text:?}");
    for (arguments, error) in [
        ("[]", "got a list"),
        ("7", "got 7"),
        (r#""boosts""#, "got text"),
        (r#""{\"boosts\": 1, \"boosts\": 2}""#, "given twice"),
    ] {
        let reply = call_literal(&shop, "update_relevance", arguments);
        let result = &reply.json["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(
            result["isError"] == true && text.contains(error),
            "{arguments} {reply:?}"
        );
    }
    let nameless = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
    send_literal(&shop, nameless).error(400, "invalid_request");
}

#[test]
fn all_errors_are_reported_at_once() {
    let shop = Shop::open();
    let key = &shop.write_key;
    let wrong = json!({"q": "", "detail": "more", "from": 501, "limit": 0, "other": 1});
    let error = tool_error(&shop, key, "test_relevance", wrong);
    let mut named = fields(&error);
    named.sort_unstable();
    assert_eq!(named, ["detail", "from", "limit", "other", "q"]);
    let error = tool_error(
        &shop,
        key,
        "list_rules",
        json!({"page": 0, "limit": 101, "lang": "x"}),
    );
    assert_eq!(fields(&error), ["limit", "page", "lang"]);
    let error = tool_error(&shop, key, "create_rule", json!({"actions": {}}));
    assert!(
        error.to_string().contains("is required: one of"),
        "what it may be: {error}"
    );
    let error = tool_error(
        &shop,
        key,
        "create_synonym",
        json!({"terms": "[\"a\", \"b\""}),
    );
    let message = error["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("terms: malformed JSON"), "{message}");
    let many: serde_json::Map<String, Value> =
        (0..4_000).map(|n| (format!("f{n}"), json!(1))).collect();
    let error = tool_error(&shop, key, "update_relevance", json!({"boosts": many}));
    assert!(error.to_string().len() <= 60_000, "{error}");
    assert_eq!(fields(&error).len(), 100);
    assert_eq!(error["details"]["more"], 3_900);
}

#[test]
fn the_headers_report_the_limit_that_is_reached_first() {
    let shop = Shop::open_at_with(TestClock::fixed(Timestamp(1_800_000_000_000)), |options| {
        options.rates = Rates {
            requests: 10,
            writes: 3,
        };
    });
    let rate_headers = |tool: &str| {
        let call = message("tools/call", json!({"name": tool, "arguments": {}}));
        let reply = send(&shop.client, &shop.write_key, &call);
        let header = |name: &str| reply.header(name).to_owned();
        (
            header("x-ratelimit-limit"),
            header("x-ratelimit-remaining"),
            header("x-ratelimit-reset"),
        )
    };
    let limit_headers =
        |limit: &str, left: &str| (limit.to_owned(), left.to_owned(), "60".to_owned());
    assert_eq!(rate_headers("get_relevance"), limit_headers("10", "9"));
    assert_eq!(rate_headers("update_relevance"), limit_headers("3", "2"));
    assert_eq!(rate_headers("get_relevance"), limit_headers("10", "7"));
}
