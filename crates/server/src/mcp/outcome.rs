//! What a call answers: structured content and the same as text, within what clients take, or an error that a model
//! can act on.

use super::definition::Definition;
use crate::http::{Failure, Success};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

/// Bytes of the text of a result, and of its structured content, which are the same.
const BYTES_MAX: usize = 60_000;
/// Bytes that the sentence about what was left out may take.
const SENTENCE_BYTES: usize = 400;

/// The result of a call that succeeded.
pub fn succeeded(tool: &Definition, success: &Success) -> CallToolResult {
    // The body was JSON a moment ago.
    let envelope = serde_json::from_slice(success.body()).unwrap_or_default();
    CallToolResult::structured(bounded(envelope, tool.more))
}

/// The result of a call that was refused or failed: text alone, because what is structured must fit the output schema.
pub fn failed(tool: &Definition, failure: &Failure, request_id: &str) -> CallToolResult {
    if failure.status.is_server_error() {
        let (tool, cause) = (tool.id, failure.cause.as_deref());
        tracing::error!(
            request_id,
            tool,
            code = failure.code,
            cause,
            "a tool failed"
        );
    }
    let mut body: Value = serde_json::from_slice(&failure.body(request_id)).unwrap_or_default();
    if let Some(step) = next_step(tool, failure.code) {
        body["nextStep"] = json!(step);
    }
    CallToolResult::error(vec![ContentBlock::text(body.to_string())])
}

/// What to do about a refusal.
fn next_step(tool: &Definition, code: &str) -> Option<&'static str> {
    Some(match code {
        "invalid_request" => {
            "Correct what errors names and call again; the input schema tells what is allowed."
        }
        "scope_missing" => {
            "Ask the owner of the store for a key with the scope config:write, which is made in the control panel. Reading and test_relevance work with this one."
        }
        "store_mismatch" => {
            "Call get_account and use a storeId that it names, or leave storeId out."
        }
        "not_found" => match tool.record {
            Some(("synId", _)) => "Call list_synonyms and use an id that it names.",
            Some(_) => "Call list_rules and use an id that it names.",
            None => "Call get_account and use a storeId that it names.",
        },
        "conflict" => {
            "Change or delete the record that is there already instead of making another."
        }
        "plan_limit" => "Delete what is no longer needed, or ask the owner for a larger plan.",
        "rate_limited" => "Wait as many seconds as retryAfter says, then call again.",
        "unavailable" => "Call again in a moment.",
        _ => return None,
    })
}

/// The envelope with as many items of its lists as fit, and a sentence about those that do not.
fn bounded(mut envelope: Value, more: &str) -> Value {
    let mut left_out = None;
    while size(&envelope) + SENTENCE_BYTES > BYTES_MAX {
        let over = size(&envelope) + SENTENCE_BYTES - BYTES_MAX;
        let Some(path) = longest_list(&envelope, &mut String::new()).map(|(_, path)| path) else {
            break;
        };
        let Some(list) = envelope.pointer_mut(&path).and_then(Value::as_array_mut) else {
            break;
        };
        let total = list.len();
        shorten(list, over);
        left_out.get_or_insert((list.len(), total));
    }
    if let Some((kept, total)) = left_out {
        let message = envelope["message"].as_str().unwrap_or_default();
        let rest = if more.is_empty() {
            String::new()
        } else {
            format!(" For the rest {more}.")
        };
        envelope["message"] = json!(format!(
            "{message} Here are the first {kept} of {total}, because an answer holds at most 60 kB.{rest}"
        ));
    }
    envelope
}

/// Takes so many items off the end that `over` bytes are saved, but keeps one.
fn shorten(list: &mut Vec<Value>, over: usize) {
    let mut saved = 0;
    while saved < over && list.len() > 1 {
        saved += list.pop().map_or(0, |item| size(&item) + 1);
    }
}

/// Bytes and pointer of the longest list of two or more items, the outermost where lists stand in each other.
fn longest_list(value: &Value, at: &mut String) -> Option<(usize, String)> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Array(items) if items.len() > 1 => return Some((size(value), at.clone())),
        Value::Array(items) => (0..).map(|n: usize| n.to_string()).zip(items).collect(),
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| (key.replace('~', "~0").replace('/', "~1"), value))
            .collect(),
        _ => return None,
    };
    let lists = inner.into_iter().filter_map(|(key, value)| {
        let end = at.len();
        at.push('/');
        at.push_str(&key);
        let found = longest_list(value, at);
        at.truncate(end);
        found
    });
    lists.max_by_key(|(bytes, _)| *bytes)
}

fn size(value: &Value) -> usize {
    // Bytes are counted, not kept.
    let mut counter = Counter(0);
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

struct Counter(usize);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    //! 1. No envelope passes the bound, whichever list makes it long; what is cut off is told.
    //! 2. A short one is left alone.

    use super::{BYTES_MAX, bounded};
    use serde_json::{Value, json};

    fn envelope(data: Value) -> Value {
        json!({"success": true, "message": "Found.", "data": data})
    }

    #[test]
    fn every_long_list_is_cut() {
        let long =
            |n: usize| -> Value { (0..n).map(|i| json!(format!("item {i:0>100}"))).collect() };
        let cases = [
            long(5000),
            json!({"hits": long(5000), "total": 5000}),
            json!({"rule": {"actions": {"pin": long(5000)}}}),
            json!([{"pin": long(5000)}]),
            json!([{"a/b": long(2000)}, {"a/b": long(2000)}]),
            json!({"a": long(700), "b": long(700)}),
        ];
        for data in cases {
            let cut = bounded(envelope(data.clone()), "pass page and limit");
            assert!(
                cut.to_string().len() <= BYTES_MAX,
                "{}",
                cut.to_string().len()
            );
            let message = cut["message"].as_str().unwrap_or_default();
            assert!(
                message.contains("the first") && message.contains("pass page and limit"),
                "{message}"
            );
        }
    }

    #[test]
    fn what_fits_is_left_alone() {
        let short = envelope(json!([1, 2, 3]));
        assert_eq!(bounded(short.clone(), ""), short);
    }
}
