//! 1. `null` for an optional argument of a tool means that it is not given; a required one is missing.
//! 2. Dates of a rule are unset with `clear`; `null` leaves them as they are.
//! 3. Numbers, flags, lists and objects may be sent as text, also inside of objects; text arguments stay text.
//! 4. What text cannot mean is rejected, and so is `null` inside of an argument; REST takes neither null nor text.
//! 5. `/mcp/` is `/mcp`.

use super::{call_ok, message, result, tool_error};
use crate::harness::Shop;
use serde_json::{Value, json};

/// Creates a rule with a start and an end, and returns its id.
fn dated_rule(shop: &Shop) -> Value {
    let rule = json!({
        "name": "Pin", "type": "PIN", "trigger": {"query": "a", "match": "exact"}, "actions": {"pin": ["1"]},
        "startDate": "2026-01-01T00:00:00Z", "endDate": "2040-01-01T00:00:00Z", "priority": null
    });
    call_ok(shop, "create_rule", rule)["data"]["id"].clone()
}

#[test]
fn null_is_an_argument_that_is_not_given() {
    let shop = Shop::open();
    for (tool, arguments) in [
        (
            "test_relevance",
            json!({"q": "tent", "lang": null, "limit": null, "from": null, "detail": null, "boosts": null, "storeId": null}),
        ),
        (
            "list_synonyms",
            json!({"page": null, "limit": null, "q": null}),
        ),
        (
            "list_rules",
            json!({"page": null, "limit": null, "storeId": null}),
        ),
        ("list_filters", json!({"page": null})),
        ("get_relevance", json!({"storeId": null})),
        (
            "update_relevance",
            json!({"boosts": {"name": 9}, "searchSettings": null}),
        ),
    ] {
        call_ok(&shop, tool, arguments);
    }
    let key = &shop.write_key;
    for (tool, arguments, field) in [
        ("test_relevance", json!({"q": null}), "q"),
        ("get_rule", json!({"ruleId": null}), "ruleId"),
        ("create_synonym", json!({"terms": null}), "terms"),
    ] {
        let body = tool_error(&shop, key, tool, arguments);
        let error = &body["errors"][0];
        assert_eq!(
            (&error["field"], &error["reason"]),
            (&json!(field), &json!("is required"))
        );
    }
    let unknown = tool_error(
        &shop,
        key,
        "test_relevance",
        json!({"q": "a", "lnag": null}),
    );
    assert_eq!(unknown["errors"][0]["field"], "lnag");
}

#[test]
fn clear_unsets_the_dates_of_a_rule() {
    let shop = Shop::open();
    let id = dated_rule(&shop);
    let update = |more: Value| {
        let mut arguments = more;
        arguments["ruleId"] = id.clone();
        arguments
    };
    let kept = call_ok(
        &shop,
        "update_rule",
        update(json!({"startDate": null, "priority": 3})),
    );
    assert!(kept["data"]["startDate"].is_string(), "{kept}");
    let cleared = call_ok(
        &shop,
        "update_rule",
        update(json!({"clear": ["startDate"]})),
    );
    assert_eq!(cleared["data"].get("startDate"), None);
    assert!(cleared["data"]["endDate"].is_string());
    let cleared = call_ok(
        &shop,
        "update_rule",
        update(json!({"clear": "[\"endDate\"]", "endDate": null})),
    );
    assert_eq!(cleared["data"].get("endDate"), None);
    for (more, field) in [
        (json!({"clear": ["name"]}), "clear[0]"),
        (
            json!({"clear": ["endDate"], "endDate": "2041-01-01T00:00:00Z"}),
            "clear[0]",
        ),
    ] {
        let body = tool_error(&shop, &shop.write_key, "update_rule", update(more));
        assert_eq!(body["errors"][0]["field"], field, "{body}");
    }
    let path = format!("/rules/{}", id.as_str().unwrap_or_default());
    let same = json!({"clear": ["endDate"]});
    shop.own("PUT", &path)
        .json(&same)
        .send()
        .error(400, "invalid_request");
}

#[test]
fn values_may_be_sent_as_text() {
    let shop = Shop::open();
    let tested = call_ok(
        &shop,
        "test_relevance",
        json!({"q": "5", "limit": "5", "from": "1", "applyRules": "true", "boosts": "{\"name\": \"9\"}"}),
    );
    assert_eq!(tested["data"]["query"]["q"], "5");
    call_ok(
        &shop,
        "list_synonyms",
        json!({"page": "1", "limit": "20.0", "q": "5"}),
    );
    let saved = call_ok(
        &shop,
        "update_relevance",
        json!({"boosts": {"name": "8.5"}}),
    );
    assert_eq!(saved["data"]["boosts"]["name"], 8.5);
    let terms = json!({"terms": "[\"5\", \"five\"]"});
    let created = call_ok(&shop, "create_synonym", terms);
    assert_eq!(created["data"]["terms"], json!(["5", "five"]));
    let rule = json!({
        "name": "Boost", "type": "BOOST", "trigger": "{\"query\": \"5\", \"match\": \"exact\"}", "priority": "7", "active": "False",
        "actions": {"boost": "[{\"field\": \"tags\", \"value\": \"5\", \"weight\": \"2\"}]"}
    });
    let rule = call_ok(&shop, "create_rule", rule);
    assert_eq!(rule["data"]["priority"], 7);
    assert_eq!(rule["data"]["active"], false);
    assert_eq!(rule["data"]["actions"]["boost"][0]["value"], "5");
    assert_eq!(rule["data"]["actions"]["boost"][0]["weight"], 2.0);
}

#[test]
fn what_is_in_doubt_is_rejected() {
    let shop = Shop::open();
    for (tool, arguments, field) in [
        (
            "test_relevance",
            json!({"q": "a", "limit": "many"}),
            "limit",
        ),
        ("test_relevance", json!({"q": "a", "limit": ""}), "limit"),
        ("test_relevance", json!({"q": "a", "limit": "5.5"}), "limit"),
        ("test_relevance", json!({"q": "a", "limit": "501"}), "limit"),
        (
            "test_relevance",
            json!({"q": "a", "applyRules": "yes"}),
            "applyRules",
        ),
        (
            "update_relevance",
            json!({"boosts": {"name": null}}),
            "boosts.name",
        ),
        ("update_relevance", json!({"boosts": "name: 9"}), "boosts"),
        (
            "update_relevance",
            json!({"boosts": "{\"name\": "}),
            "boosts",
        ),
        ("create_synonym", json!({"terms": ["a", null]}), "terms[1]"),
        ("test_relevance", json!({"q": 5}), "q"),
    ] {
        let body = tool_error(&shop, &shop.write_key, tool, arguments);
        assert_eq!(body["errors"][0]["field"], field, "{body}");
    }
    for body in [
        json!({"boosts": {"name": "9"}}),
        json!({"boosts": null}),
        json!({"boosts": "{}"}),
    ] {
        shop.own("PUT", "/relevance")
            .json(&body)
            .send()
            .error(400, "invalid_request");
    }
}

#[test]
fn a_slash_at_the_end_of_the_address_is_accepted() {
    let shop = Shop::open();
    let list = message("tools/list", json!({}));
    let call = shop.client.call("POST", "/mcp/").key(&shop.write_key);
    let call = call.header("Accept", "application/json, text/event-stream");
    assert!(result(&call.json(&list).send())["tools"].is_array());
    let bare = shop.client.call("POST", "/mcp/").json(&list).send();
    assert_eq!(bare.status, 401);
    assert_eq!(
        shop.client
            .call("GET", "/mcp/")
            .key(&shop.write_key)
            .send()
            .status,
        405
    );
}
