//! 1. The OpenAPI description and its page need no key, and the page loads nothing else.
//! 2. Responses match their schemas in the description, error responses too.

use crate::harness::{Reply, Shop, product};
use serde_json::{Value, json};

fn document(shop: &Shop) -> Value {
    let reply = shop.api("GET", "/openapi.json").send();
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), "application/json");
    reply.json
}

/// The definition that `value` refers to, or `value` itself.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"]
        .as_str()
        .and_then(|text| text.strip_prefix('#'))
    {
        Some(pointer) => document.pointer(pointer).expect("the component is there"),
        None => value,
    }
}

/// Validates a response against the description of `path` and `method`.
fn assert_matches(document: &Value, path: &str, method: &str, reply: &Reply) {
    let place = format!("{method} {path} {}", reply.status);
    let described = &document["paths"][path][method.to_lowercase()]["responses"];
    let response = resolved(document, &described[reply.status.to_string()]);
    let schema = &response["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{place} is not described");
    let schema_with_components = json!({"allOf": [schema], "components": document["components"]});
    let validator = jsonschema::draft202012::new(&schema_with_components).expect("a schema");
    let wrong: Vec<String> = validator
        .iter_errors(&reply.json)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{place}: {wrong:#?}");
}

#[test]
fn the_page_needs_no_key_and_loads_nothing_else() {
    let shop = Shop::open();
    assert_eq!(document(&shop)["info"]["version"], "1.0.0");
    let page = shop.client.call("GET", "/docs").send();
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"));
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(
        page.text
            .contains("<code>/api/v1/stores/{id}/relevance</code>")
    );
}

#[test]
fn responses_match_their_schemas() {
    let shop = Shop::open();
    let document = document(&shop);
    shop.bulk("products", "es", &json!([product("p1", "Camiseta roja")]))
        .ok();
    shop.until_found("es", &["p1"]);
    let q = json!({"q": "camiseta roja"});
    let rows = [
        ("GET", "/me", &shop.read_key, None),
        ("GET", "/stores", &shop.read_key, None),
        ("GET", "/stores/{id}", &shop.read_key, None),
        ("GET", "/stores/{id}/relevance", &shop.read_key, None),
        (
            "PUT",
            "/stores/{id}/relevance",
            &shop.write_key,
            Some(json!({"boosts": {"name": 9}})),
        ),
        (
            "PUT",
            "/stores/{id}/relevance",
            &shop.write_key,
            Some(json!({"boosts": {"nam": 9}})),
        ),
        (
            "PUT",
            "/stores/{id}",
            &shop.write_key,
            Some(json!({"name": "New"})),
        ),
        (
            "PUT",
            "/stores/{id}",
            &shop.write_key,
            Some(json!({"status": "paused"})),
        ),
        (
            "PUT",
            "/stores/{id}",
            &shop.read_key,
            Some(json!({"name": "New"})),
        ),
        (
            "POST",
            "/stores/{id}/relevance/test",
            &shop.read_key,
            Some(q.clone()),
        ),
        ("POST", "/search", &shop.public, Some(q.clone())),
        ("POST", "/search", &shop.read_key, Some(q.clone())),
        ("POST", "/suggest", &shop.public, Some(json!({"q": "cam"}))),
        ("GET", "/feed/connect", &shop.connector, None),
        ("GET", "/feed/plan", &shop.connector, None),
    ];
    for (method, path, key, body) in rows {
        let call = shop
            .api(method, &path.replace("{id}", shop.store.as_str()))
            .key(key);
        let reply = match &body {
            Some(body) => call.json(body).send(),
            None => call.send(),
        };
        assert_matches(&document, path, method, &reply);
    }
    let reply = shop.api("GET", "/me").send();
    assert_matches(&document, "/me", "GET", &reply);
}
