//! 1. `/mcp` lists the fifteen tools, `/mcp?tools=all` further ones after them; a tool of the other list is unknown, and
//!    another value is rejected.
//! 2. `/mcp?results=text` has neither output schemas nor structured content; elsewhere both forms are equal.
//! 3. What further tools return is what REST returns; a revision is named by its number, and a read key writes nothing.
//! 4. The description of one operation is read by the template; an unknown one names the nearest.
//! 5. A name that the schema does not list is rejected with the nearest one.

use super::{message, names, result};
use crate::harness::{Reply, Shop, product};
use serde_json::{Value, json};

const EVERY: &str = "/mcp?tools=all";

fn sent(shop: &Shop, path: &str, key: &str, method: &str, params: Value) -> Reply {
    let call = shop.client.call("POST", path).key(key);
    let call = call.header("Accept", "application/json, text/event-stream");
    call.json(&message(method, params)).send()
}

fn called(shop: &Shop, path: &str, key: &str, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    result(&sent(shop, path, key, "tools/call", params))
}

fn listed(shop: &Shop, path: &str, key: &str) -> Value {
    result(&sent(shop, path, key, "tools/list", json!({})))
}

#[test]
fn an_address_selects_the_tools() {
    let shop = Shop::open();
    let usual = names(&listed(&shop, "/mcp", &shop.write_key));
    let every = names(&listed(&shop, EVERY, &shop.write_key));
    assert_eq!(usual.len(), 15);
    assert_eq!(every[..15], usual[..]);
    let further = "list_filter_values list_queries get_search_summary list_revisions get_revision get_store \
        create_filter update_filter delete_filter preview_explain preview_watched get_product list_watched \
        get_hidden_queries set_watched set_hidden_queries apply_changes restore_revision \
        list_proposals get_proposal create_proposal withdraw_proposal";
    let further: Vec<&str> = further.split_whitespace().collect();
    assert_eq!(every[15..], further[..]);
    let reads = names(&listed(&shop, EVERY, &shop.read_key));
    assert!(reads.iter().any(|name| name == "get_revision"));
    assert!(!reads.iter().any(|name| name == "delete_filter"));
    let params = json!({"name": "get_store", "arguments": {}});
    let unknown = sent(&shop, "/mcp", &shop.write_key, "tools/call", params);
    assert!(unknown.json["error"].to_string().contains("Unknown tool"));
    for wrong in ["/mcp?tools=some", "/mcp?results=json"] {
        let rejected = sent(&shop, wrong, &shop.write_key, "tools/list", json!({}));
        rejected.error(400, "invalid_request");
    }
}

#[test]
fn results_are_text_alone_where_the_address_says_so() {
    let shop = Shop::open();
    let address = "/mcp?results=text";
    let tools = listed(&shop, address, &shop.read_key);
    assert!(tools["tools"][0].get("outputSchema").is_none());
    let text = called(&shop, address, &shop.read_key, "get_account", json!({}));
    assert!(text.get("structuredContent").is_none(), "{text}");
    let both = called(&shop, "/mcp", &shop.read_key, "get_account", json!({}));
    let parsed = |result: &Value| -> Value {
        let text = result["content"][0]["text"].as_str().expect("a text");
        serde_json::from_str(text).expect("JSON")
    };
    assert_eq!(parsed(&text), both["structuredContent"]);
    assert_eq!(parsed(&both), both["structuredContent"]);
}

#[test]
fn further_tools_return_what_rest_returns() {
    let shop = Shop::open();
    let run = |tool: &str, arguments: Value| {
        let result = called(&shop, EVERY, &shop.write_key, tool, arguments);
        assert_eq!(result["isError"], false, "{tool}: {result}");
        result["structuredContent"]["data"].clone()
    };
    let created = run("create_filter", json!({"field": "manufacturer"}));
    let id = created["id"].clone();
    run("update_filter", json!({"filterId": id, "active": false}));
    let path = format!("/filters/{}", id.as_str().expect("an id"));
    assert_eq!(shop.own("GET", &path).send().ok().data()["active"], false);
    run("delete_filter", json!({"filterId": id}));
    for number in [json!(1), json!("1")] {
        let rest = shop.own("GET", "/revisions/1").send().ok();
        assert_eq!(&run("get_revision", json!({"n": number})), rest.data());
    }
    for (tool, arguments, path) in [
        ("list_revisions", json!({}), "/revisions"),
        ("get_store", json!({}), ""),
        ("list_queries", json!({}), "/analytics/queries"),
        ("get_search_summary", json!({}), "/analytics/summary"),
    ] {
        let rest = shop.own("GET", path).send().ok();
        assert_eq!(&run(tool, arguments), rest.data(), "{tool}");
    }
    shop.bulk("products", "es", &json!([product("7", "Tienda")]))
        .ok();
    shop.until_found("es", &["7"]);
    for id in [json!("7"), json!(7)] {
        let found = run("get_product", json!({"productId": id, "q": "tienda"}));
        assert_eq!(
            (&found["position"], &found["document"]["name"]),
            (&json!(1), &json!("Tienda"))
        );
    }
    let explained = run("preview_explain", json!({"q": "tienda", "ids": ["7", "8"]}));
    assert_eq!(
        (&explained[0]["position"], &explained[1]["code"]),
        (&json!(1), &json!("not_indexed"))
    );
    let queries = json!([{"q": "tent", "lang": "en", "note": ""}]);
    run("set_watched", json!({ "queries": queries }));
    run("set_hidden_queries", json!({"queries": ["rude"]}));
    for (tool, path) in [
        ("list_watched", "/watched"),
        ("get_hidden_queries", "/hidden-queries"),
    ] {
        let rest = shop.own("GET", path).send().ok();
        assert_eq!(&run(tool, json!({})), rest.data(), "{tool}");
    }
    let group = json!({"terms": ["tent", "shelter"], "language": "en"});
    let draft = json!({"synonyms": {"create": [group]}});
    let moved = run("preview_watched", json!({"draft": draft, "count": 1}));
    assert!(moved.is_array(), "{moved}");
    let saved = run("apply_changes", json!({"draft": draft}));
    assert!(saved["created"]["synonyms/draft:0"].is_string(), "{saved}");
    let latest = saved["revision"].as_i64().expect("a number");
    let back = json!({"n": latest - 1, "parts": ["synonyms"], "ifRevision": latest});
    assert_eq!(run("restore_revision", back)["restores"], latest - 1);
    let denied = called(
        &shop,
        EVERY,
        &shop.read_key,
        "delete_filter",
        json!({"filterId": id}),
    );
    assert_eq!(denied["isError"], true);
    assert!(denied.to_string().contains("scope_missing"), "{denied}");
}

#[test]
fn one_operation_is_described_alone() {
    let shop = Shop::open();
    let read = |uri: &str| {
        let params = json!({ "uri": uri });
        sent(&shop, "/mcp", &shop.read_key, "resources/read", params)
    };
    let params = json!({});
    let templates = sent(
        &shop,
        "/mcp",
        &shop.read_key,
        "resources/templates/list",
        params,
    );
    let template = &result(&templates)["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(template, "svc://docs/openapi/{operation}");
    let group = result(&read("svc://docs/openapi/create_synonym"));
    let text = group["contents"][0]["text"].as_str().expect("a text");
    assert!(text.len() <= 24_000 && text.contains("create_synonym"));
    let index = result(&read("svc://docs/openapi/index"));
    assert!(index.to_string().contains("config:propose"));
    let unknown = read("svc://docs/openapi/create_rul");
    let error = unknown.json["error"].to_string();
    assert!(error.contains("svc://docs/openapi/create_rule"), "{error}");
}

#[test]
fn a_name_that_no_schema_lists_is_rejected_with_the_nearest() {
    let shop = Shop::open();
    let arguments = json!({"boosts": {"nmae": 3}});
    let rejected = called(
        &shop,
        "/mcp",
        &shop.write_key,
        "update_relevance",
        arguments,
    );
    assert_eq!(rejected["isError"], true);
    let text = rejected["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("did you mean \\\"name\\\""), "{text}");
}
