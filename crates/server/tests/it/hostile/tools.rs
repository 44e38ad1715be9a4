//! 1. Every tool rejects every kind of hostile arguments with at most 64 KiB, and memory rises by at most 64 MiB.
//! 2. So does the protocol itself if they are in its message.

use super::meter::REQUEST_GROWTH_MAX;
use super::payload::{KINDS, body};
use super::target::Target;
use crate::harness::Reply;
use serde_json::{Value, json};

/// The size of hostile arguments.
const ARGUMENT_BYTES: usize = 100_000;
/// The maximum size of an error response.
const RESPONSE_BYTES_MAX: usize = 64 * 1024;

fn send(target: &Target, message: String) -> Reply {
    let call = target.client().call("POST", "/mcp");
    call.key(&target.attacker.write_key)
        .header("Accept", "application/json, text/event-stream")
        .raw_json(message)
        .try_send()
        .expect("a response of few bytes")
}

fn message(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#)
}

fn assert_rejected(reply: &Reply, what: &str) {
    let length = reply.text.len();
    assert!(length <= RESPONSE_BYTES_MAX, "{what}: {length} bytes");
    assert!(reply.status < 500, "{what}: {reply:?}");
    let rejected = reply.status >= 400
        || reply.json["error"].is_object()
        || reply.json["result"]["isError"] == true;
    assert!(rejected, "{what}: {:.300}", reply.text);
}

#[test]
fn every_tool_rejects_hostile_arguments_within_the_bounds() {
    let target = Target::open();
    let listed = send(&target, message("tools/list", "{}"));
    let tools = listed.json["result"]["tools"].as_array().cloned();
    let tools = tools.expect("tools");
    assert!(tools.len() > 10, "{tools:?}");
    for tool in &tools {
        let name = tool["name"].as_str().expect("a name");
        let properties = tool["inputSchema"]["properties"].as_object();
        let fields: Vec<String> = properties
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone())
            .collect();
        for kind in KINDS {
            let what = format!("{name} {kind:?}");
            let arguments = body(kind, &fields, ARGUMENT_BYTES);
            let arguments = String::from_utf8(arguments).expect("UTF-8");
            let params = format!("{{\"name\":{},\"arguments\":{arguments}}}", json!(name));
            let meter = target.meter();
            assert_rejected(&send(&target, message("tools/call", &params)), &what);
            meter.assert_within(REQUEST_GROWTH_MAX, &what);
        }
    }
}

#[test]
fn hostile_messages_are_rejected_within_the_bounds() {
    let target = Target::open();
    let known: Vec<String> = ["jsonrpc", "id", "method", "params"]
        .map(str::to_owned)
        .into();
    target.with_bystander(|| {
        for kind in KINDS {
            let what = format!("message {kind:?}");
            let meter = target.meter();
            let hostile = String::from_utf8(body(kind, &known, 300_000)).expect("UTF-8");
            let reply = send(&target, hostile);
            assert!(reply.text.len() <= RESPONSE_BYTES_MAX, "{what}");
            assert!(
                reply.status < 500 && reply.json["result"] == Value::Null,
                "{what}"
            );
            meter.assert_within(REQUEST_GROWTH_MAX, &what);
        }
    });
}
