//! 1. Without a valid configuration key the response is 401 in the envelope, before any protocol.
//! 2. Where clients look for OAuth there is a plain 404.
//! 3. Unknown origins and hosts are rejected; configured ones are not.
//! 4. Both eras are supported: initialize, ping, lists, and the same without a handshake.
//! 5. Write tools are listed for `config:write` only; the list for one key is never returned for another.
//! 6. What is not a message of the protocol, and what the SDK rejects by itself, is reported in the envelope; clients
//!    that accept JSON get it.
//! 7. The two resources exist; any other is not found.

use super::{MODERN, message, names, result, send, send_modern};
use crate::harness::Shop;
use domain::{KeyKind, Scope};
use serde_json::json;
use server::boot::ToolServer;

#[test]
fn the_key_is_checked_before_the_protocol() {
    let shop = Shop::open();
    let list = message("tools/list", json!({}));
    let bare = shop.client.call("POST", "/mcp").json(&list).send();
    let bare = bare.error(401, "key_missing");
    assert!(bare.header("www-authenticate").starts_with("Bearer realm="));
    assert!(
        !bare
            .header("www-authenticate")
            .contains("resource_metadata")
    );
    for (key, code) in [
        ("cfg_x", "key_invalid"),
        (&*shop.connector, "key_kind"),
        (&*shop.public, "key_kind"),
    ] {
        send(&shop.client, key, &list).error(401, code);
    }
    shop.client
        .call("GET", "/mcp")
        .send()
        .error(401, "key_missing");
    let bearer = format!("Bearer {}", shop.read_key);
    let call = shop
        .client
        .call("POST", "/mcp")
        .header("Authorization", &bearer);
    let call = call.header("Accept", "application/json, text/event-stream");
    result(&call.json(&list).send());
    assert_eq!(
        shop.client
            .call("GET", "/mcp")
            .key(&shop.read_key)
            .send()
            .status,
        405
    );
}

#[test]
fn there_is_no_oauth_to_discover() {
    let shop = Shop::open();
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/openid-configuration",
    ] {
        shop.client.call("GET", path).send().error(404, "not_found");
    }
}

#[test]
fn unknown_origins_and_hosts_are_rejected() {
    let shop = Shop::open_with(|options| {
        options.tools = ToolServer {
            hosts: vec!["mcp.example.com".to_owned()],
            origins: vec!["https://agent.example:443".to_owned()],
        };
    });
    let status = |header: &str, value: &str| {
        let call = shop
            .client
            .call("POST", "/mcp")
            .key(&shop.read_key)
            .header(header, value);
        let call = call.header("Accept", "application/json, text/event-stream");
        call.json(&message("tools/list", json!({}))).send().status
    };
    assert_eq!(status("Origin", "https://evil.example"), 403);
    assert_eq!(status("Origin", "http://localhost:3000"), 200);
    assert_eq!(status("Origin", "https://agent.example"), 200);
    assert_eq!(status("Host", "evil.example"), 403);
    assert_eq!(status("Host", "mcp.example.com"), 200);
    assert_eq!(status("Host", "localhost:7700"), 200);
}

#[test]
fn errors_before_the_protocol_are_in_the_envelope() {
    let shop = Shop::open();
    let request = |method: &'static str| shop.client.call(method, "/mcp").key(&shop.read_key);
    let list = message("tools/list", json!({}));
    for accepted in [
        "*/*",
        "application/json",
        "application/json, text/event-stream",
    ] {
        result(
            &request("POST")
                .header("Accept", accepted)
                .json(&list)
                .send(),
        );
    }
    result(&request("POST").json(&list).send());
    let plain = request("POST")
        .header("Accept", "text/plain")
        .json(&list)
        .send();
    plain.error(406, "not_acceptable");
    let text = request("POST").body(list.to_string()).send();
    text.error(415, "unsupported_media_type");
    for (body, expected) in [
        ("{\"jsonrpc\": \"2.0\",\n oops}", "line 2, column 2"),
        ("[]", "one message"),
        ("7", "one message"),
        ("{\"a\": 1}", "not a message"),
        ("", "malformed JSON"),
    ] {
        let reply = request("POST").raw_json(body).send();
        let reply = reply.error(400, "invalid_request");
        assert!(reply.text.contains(expected), "{reply:?}");
    }
    for method in ["GET", "DELETE", "PUT"] {
        let reply = request(method).send().error(405, "method_not_allowed");
        assert!(reply.header("allow").contains("POST"), "{reply:?}");
    }
    let reply = request("POST")
        .header("Host", "evil.example")
        .json(&list)
        .send();
    let error = reply.error(403, "host_not_allowed");
    assert!(error.text.contains("--mcp-host"), "{error:?}");
    let large = request("POST").raw_json("x".repeat(1024 * 1024 + 1)).send();
    large.error(413, "payload_too_large");
}

#[test]
fn both_eras_are_supported() {
    let shop = Shop::open();
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let hello = result(&send(
        &shop.client,
        &shop.read_key,
        &message("initialize", hello),
    ));
    assert_eq!(hello["protocolVersion"], "2025-11-25");
    assert_eq!(hello["serverInfo"]["name"], "findwell");
    assert!(
        hello["instructions"]
            .as_str()
            .is_some_and(|text| text.contains("test_relevance"))
    );
    let legacy = result(&send(
        &shop.client,
        &shop.read_key,
        &message("tools/list", json!({})),
    ));
    send(&shop.client, &shop.read_key, &message("ping", json!({})));

    let found = result(&send_modern(
        &shop.client,
        &shop.read_key,
        "server/discover",
        None,
        json!({}),
    ));
    let versions = found["supportedVersions"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    assert!(versions.contains(&json!(MODERN)) && versions.contains(&json!("2025-11-25")));
    let modern = result(&send_modern(
        &shop.client,
        &shop.read_key,
        "tools/list",
        None,
        json!({}),
    ));
    assert_eq!(names(&modern), names(&legacy));
    assert_eq!(modern["cacheScope"], "private");
    let account = send_modern(
        &shop.client,
        &shop.read_key,
        "tools/call",
        Some("get_account"),
        json!({"name": "get_account", "arguments": {}}),
    );
    assert_eq!(result(&account)["isError"], false);
}

#[test]
fn the_list_follows_the_scope() {
    let shop = Shop::open();
    let listed = |key: &str| {
        names(&result(&send(
            &shop.client,
            key,
            &message("tools/list", json!({})),
        )))
    };
    let all = listed(&shop.write_key);
    assert_eq!(all.len(), 15, "{all:?}");
    let reads = [
        "get_account",
        "get_relevance",
        "test_relevance",
        "list_synonyms",
        "list_rules",
        "get_rule",
        "list_filters",
    ];
    assert_eq!(listed(&shop.read_key), reads);
    let other = shop.new_store("Other");
    let other = shop.new_key(&other, KeyKind::Configuration, Some(Scope::Write));
    assert_eq!(listed(&other), all);
}

#[test]
fn the_resources_can_be_read() {
    let shop = Shop::open();
    let read = |uri: &str| {
        send(
            &shop.client,
            &shop.read_key,
            &message("resources/read", json!({"uri": uri})),
        )
    };
    let listed = result(&send(
        &shop.client,
        &shop.read_key,
        &message("resources/list", json!({})),
    ));
    assert_eq!(listed["resources"].as_array().map(Vec::len), Some(2));
    let guide = result(&read("svc://docs/agent"));
    let text = guide["contents"][0]["text"].as_str().unwrap_or_default();
    assert!(text.len() <= 12_000, "{} bytes", text.len());
    assert!(text.contains("never instructions"));
    for tool in server_tools(&shop) {
        let expected = ["get_", "list_", "test_", "update_relevance", "create_"];
        assert!(
            !expected.contains(&&*tool) || text.contains(&tool),
            "{tool}"
        );
    }
    let described = result(&read("svc://docs/openapi"));
    let same = shop.api("GET", "/openapi.json").send();
    assert_eq!(described["contents"][0]["text"], same.text);
    assert_eq!(read("svc://docs/other").json["error"]["code"], -32002);
}

fn server_tools(shop: &Shop) -> Vec<String> {
    names(&result(&send(
        &shop.client,
        &shop.write_key,
        &message("tools/list", json!({})),
    )))
}
