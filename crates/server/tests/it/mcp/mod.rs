//! The tool server (MCP) as its clients see it.

mod addresses;
mod arguments;
mod calls;
mod errors;
pub mod nul;
mod official_client;
mod parity;
mod protocol;

use crate::harness::{Client, Reply, Shop};
use serde_json::{Value, json};

/// The current revision of the protocol, whose requests are self-contained.
const MODERN: &str = "2026-07-28";

/// A message of the protocol, without HTTP around it.
fn message(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

/// Sends a message as the revisions before the current one do.
fn send(client: &Client, key: &str, message: &Value) -> Reply {
    client
        .call("POST", "/mcp")
        .key(key)
        .header("Accept", "application/json, text/event-stream")
        .json(message)
        .send()
}

/// Sends a message as the current revision does.
fn send_modern(
    client: &Client,
    key: &str,
    method: &str,
    name: Option<&str>,
    params: Value,
) -> Reply {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let mut call = client
        .call("POST", "/mcp")
        .key(key)
        .header("Accept", "application/json, text/event-stream")
        .header("MCP-Protocol-Version", MODERN)
        .header("Mcp-Method", method);
    if let Some(name) = name {
        call = call.header("Mcp-Name", name);
    }
    call.json(&message(method, params)).send()
}

/// The result in a successful response of the protocol.
fn result(reply: &Reply) -> Value {
    assert_eq!(reply.status, 200, "{reply:?}");
    let result = reply.json["result"].clone();
    assert!(result.is_object(), "{reply:?}");
    result
}

/// Calls a tool with `key`.
pub fn call(shop: &Shop, key: &str, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    result(&send(&shop.client, key, &message("tools/call", params)))
}

/// The structured content of a call that must succeed; its text must be the same.
pub fn call_ok(shop: &Shop, tool: &str, arguments: Value) -> Value {
    let result = call(shop, &shop.write_key, tool, arguments);
    assert_eq!(result["isError"], false, "{tool}: {result}");
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    assert_eq!(
        serde_json::from_str::<Value>(text).ok(),
        Some(result["structuredContent"].clone())
    );
    assert_eq!(result["structuredContent"]["success"], true);
    result["structuredContent"].clone()
}

/// The structured content of a call that succeeds, at the address with all tools.
pub fn call_all(client: &Client, key: &str, tool: &str, arguments: Value) -> Value {
    let call = message("tools/call", json!({"name": tool, "arguments": arguments}));
    let reply = at_all(client, key, &call);
    let result = &reply.json["result"];
    assert_eq!(result["isError"], false, "{tool}: {reply:?}");
    result["structuredContent"].clone()
}

/// The names of all tools that a key lists.
pub fn tools_of(client: &Client, key: &str) -> Vec<String> {
    let reply = at_all(client, key, &message("tools/list", json!({})));
    let tools = reply.json["result"]["tools"]
        .as_array()
        .into_iter()
        .flatten();
    let names = tools.filter_map(|tool| tool["name"].as_str());
    names.map(str::to_owned).collect()
}

fn at_all(client: &Client, key: &str, message: &Value) -> Reply {
    client
        .call("POST", "/mcp?tools=all")
        .key(key)
        .header("Accept", "application/json, text/event-stream")
        .json(message)
        .send()
}

/// The body of a call that must fail: text only.
fn tool_error(shop: &Shop, key: &str, tool: &str, arguments: Value) -> Value {
    let result = call(shop, key, tool, arguments);
    assert_eq!(result["isError"], true, "{tool}: {result}");
    assert_eq!(result.get("structuredContent"), None);
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    serde_json::from_str(text).expect("the body of an error")
}

/// The names of listed tools, in order.
fn names(result: &Value) -> Vec<String> {
    let tools = result["tools"].as_array().cloned().unwrap_or_default();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap_or_default().to_owned())
        .collect()
}
