//! A text with the character NUL is an error of the caller, in any argument of any tool and with any database.

use super::{message, send};
use crate::harness::Shop;
use serde_json::{Map, Value, json};

/// Sends the character in each text of each tool, alone and in all of them at once.
pub fn no_tool_fails(shop: &Shop) {
    let listed = send(
        &shop.client,
        &shop.write_key,
        &message("tools/list", json!({})),
    );
    let tools = listed.json["result"]["tools"].as_array().cloned();
    let tools = tools.expect("tools");
    assert!(tools.len() > 10, "{tools:?}");
    for tool in &tools {
        let all = texts(tool);
        for (name, value) in &all {
            rejects(shop, tool, &Map::from_iter([(name.clone(), value.clone())]));
        }
        rejects(shop, tool, &all);
    }
}

/// The arguments of a tool that are texts, each with the character.
fn texts(tool: &Value) -> Map<String, Value> {
    let properties = tool["inputSchema"]["properties"].as_object();
    let text = |schema: &Value| {
        let is_one = |of: &Value| of["type"].to_string().contains("string");
        if is_one(schema) {
            Some(json!("a\0b"))
        } else {
            is_one(&schema["items"]).then(|| json!(["a\0b"]))
        }
    };
    let texts = properties
        .into_iter()
        .flatten()
        .filter_map(|(name, schema)| {
            let is_store = name == "storeId";
            let text = text(schema).filter(|_| !is_store);
            Some((name.clone(), text?))
        });
    texts.collect()
}

fn rejects(shop: &Shop, tool: &Value, arguments: &Map<String, Value>) {
    let params = json!({"name": tool["name"], "arguments": arguments});
    let called = message("tools/call", params);
    let reply = send(&shop.client, &shop.write_key, &called);
    let text = &reply.text;
    let failed = ["\\\"internal\\\"", "\\\"unavailable\\\""];
    assert!(
        reply.status < 500 && failed.iter().all(|code| !text.contains(code)),
        "{called} {text}"
    );
}

#[test]
fn in_a_file() {
    no_tool_fails(&Shop::open());
}
