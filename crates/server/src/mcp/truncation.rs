//! Truncates responses to the size that clients accept: as many list items as fit, and a sentence on how to get the rest.

use super::definition::Definition;
use super::tool::More;
use crate::catalogue::OperationRow;
use serde_json::{Value, json};

/// Maximum bytes of the text of a result, and of the equal structured content.
const BYTES_MAX: usize = 60_000;
/// Bytes reserved for the sentences about truncated lists.
const SENTENCE_BYTES: usize = 800;
/// Truncated lists that the message names.
const CUTS_SHOWN_MAX: usize = 3;
/// Page sizes that the message proposes.
const LIMITS: [u64; 7] = [100, 50, 20, 10, 5, 2, 1];

/// A truncated list.
#[derive(Debug)]
struct Cut {
    path: String,
    kept: usize,
    total: usize,
}

/// Truncates a success response if it is too large; its message then says how to get the rest.
pub fn truncate(mut envelope: Value, tool: Definition) -> Value {
    let cuts = shorten_lists(&mut envelope);
    if cuts.is_empty() {
        return envelope;
    }
    let message = envelope["message"].as_str().unwrap_or_default();
    let named: Vec<String> = cuts
        .iter()
        .take(CUTS_SHOWN_MAX)
        .map(Cut::describe)
        .collect();
    let named = named.join(", ");
    let rest = rest(&envelope, &cuts, tool);
    let message = format!("{message} A result has at most 60 kB, so {named}. {rest}");
    envelope["message"] = json!(message);
    envelope
}

/// Truncates the errors of an error response if it is too large.
pub fn truncate_error(mut body: Value) -> Value {
    shorten_lists(&mut body);
    body
}

impl Cut {
    fn describe(&self) -> String {
        let place = self.path.trim_start_matches('/').replace('/', ".");
        format!("{place} has the first {} of {}", self.kept, self.total)
    }
}

/// Says how to get the rest.
fn rest(envelope: &Value, cuts: &[Cut], tool: Definition) -> String {
    let of = |path: &str| cuts.iter().find(|cut| cut.path == path);
    match tool.tool.more {
        More::Words(words) => words.to_owned(),
        More::Pages if let Some(cut) = of("/data") => {
            let (limit, page) = next_page(envelope, cut.kept);
            format!("For the rest pass limit {limit} and page {page}, and so on.")
        }
        More::From if let Some(cut) = of("/data/hits") => {
            let last = &envelope["data"]["hits"][cut.kept - 1]["position"];
            let next = last.as_u64().unwrap_or_default() + 1;
            format!("For the rest pass from {next}; detail brief makes room for more.")
        }
        _ => {
            let OperationRow { method, path, .. } = tool.row;
            let method = if tool.tool.writes() { "GET" } else { method };
            format!("Over REST {method} /api/v1{path} returns all of it.")
        }
    }
}

/// Returns limit and number of the page that starts at the first missing record, or shortly before it.
fn next_page(envelope: &Value, kept: usize) -> (u64, u64) {
    let meta = |name: &str| envelope["meta"][name].as_u64();
    let before = match (meta("page"), meta("limit")) {
        (Some(page), Some(limit)) => page.saturating_sub(1).saturating_mul(limit),
        _ => 0,
    };
    let limits = LIMITS.iter().copied();
    let limit = limits.into_iter().find(|limit| *limit <= kept as u64);
    let limit = limit.unwrap_or(1);
    (limit, before.saturating_add(kept as u64) / limit + 1)
}

/// Shortens the longest lists until the value is small enough, and returns the truncated lists.
fn shorten_lists(value: &mut Value) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    loop {
        let bytes = size(value);
        // Only a truncated response needs room for the sentences.
        let over = match cuts.is_empty() {
            true if bytes <= BYTES_MAX => return cuts,
            _ => (bytes + SENTENCE_BYTES).saturating_sub(BYTES_MAX),
        };
        if over == 0 {
            return cuts;
        }
        let Some(path) = longest_list(value, &mut String::new()).map(|(_, path)| path) else {
            return cuts;
        };
        let Some(list) = value.pointer_mut(&path).and_then(Value::as_array_mut) else {
            return cuts;
        };
        let total = list.len();
        shorten(list, over);
        cuts.push(Cut {
            kept: list.len(),
            path,
            total,
        });
    }
}

/// Removes items from the end until `over` bytes are saved, but keeps one.
fn shorten(list: &mut Vec<Value>, over: usize) {
    let mut saved = 0;
    while saved < over && list.len() > 1 {
        saved += list.pop().map_or(0, |item| size(&item) + 1);
    }
}

/// Returns bytes and pointer of the longest list of two or more items; of nested lists, the outermost.
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
    // Writing to the counter cannot fail.
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
    //! 1. No response exceeds the maximum, whichever list is long; the message says what was truncated.
    //! 2. A small response is unchanged.
    //! 3. The proposed page starts at the first missing record, or before it.
    //! 4. An error response with very many errors does not exceed the maximum either.

    use super::{BYTES_MAX, truncate, truncate_error};
    use crate::mcp::address::Address;
    use crate::mcp::definition::Definition;
    use serde_json::{Value, json};

    fn envelope(data: Value) -> Value {
        json!({"success": true, "message": "Found.", "data": data})
    }

    fn cut(tool: &str, envelope: Value) -> (Value, String) {
        let cut = truncate(
            envelope,
            Definition::named(tool, Address::default()).expect("a tool"),
        );
        let bytes = cut.to_string().len();
        assert!(bytes <= BYTES_MAX, "{tool}: {bytes}");
        let message = cut["message"].as_str().unwrap_or_default().to_owned();
        (cut, message)
    }

    fn long(n: usize) -> Value {
        (0..n).map(|i| json!(format!("item {i:0>100}"))).collect()
    }

    #[test]
    fn every_long_list_is_truncated() {
        let hits: Value = (1..=500)
            .map(|n| json!({"position": n + 7, "name": "x".repeat(300)}))
            .collect();
        let cases = [
            (
                "list_rules",
                long(5000),
                "data has the first 547 of 5000. For the rest pass limit 100 and page 6, and so on.",
            ),
            (
                "test_relevance",
                json!({"hits": hits, "total": 5000}),
                "data.hits has the first 181 of 500. For the rest pass from 189; detail brief makes room for more.",
            ),
            (
                "get_rule",
                json!({"actions": {"pin": long(5000)}}),
                "data.actions.pin has the first 547 of 5000. Over REST GET /api/v1/stores/{id}/rules/{ruleId} returns all of it.",
            ),
            (
                "update_rule",
                json!({"actions": {"pin": long(5000)}}),
                "Over REST GET /api/v1/stores/{id}/rules/{ruleId} returns all of it.",
            ),
            (
                "list_rules",
                json!([{"pin": long(5000)}]),
                "data.0.pin has the first",
            ),
            (
                "list_rules",
                json!([{"a/b": long(2000)}, {"a/b": long(2000)}]),
                "For the rest pass limit 1 and page 2",
            ),
            (
                "import_synonyms_csv",
                json!({"created": 1, "errors": long(700)}),
                "Correct the lines",
            ),
            (
                "get_account",
                json!({"a": long(700), "b": long(700)}),
                "Over REST GET /api/v1/me returns",
            ),
        ];
        for (tool, data, expected) in cases {
            let (_, message) = cut(tool, envelope(data));
            assert!(
                message.starts_with("Found.") && message.contains(expected),
                "{message}"
            );
        }
    }

    #[test]
    fn a_small_response_is_unchanged() {
        let room = BYTES_MAX - envelope(json!("")).to_string().len();
        for short in [json!([1, 2, 3]), json!("x".repeat(room))] {
            let short = envelope(short);
            assert_eq!(cut("list_rules", short.clone()).0, short);
        }
    }

    #[test]
    fn the_next_page_starts_at_the_first_missing_record() {
        let mut third = envelope(long(90));
        third["data"]
            .as_array_mut()
            .expect("a list")
            .iter_mut()
            .for_each(|item| *item = json!("x".repeat(2_000)));
        third["meta"] = json!({"page": 3, "limit": 90, "total": 300, "totalPages": 4});
        let (kept, message) = cut("list_synonyms", third);
        assert_eq!(kept["data"].as_array().map(Vec::len), Some(29));
        assert!(message.contains("pass limit 20 and page 11"), "{message}");
    }

    #[test]
    fn an_error_response_is_truncated_too() {
        let errors: Value = (0..5000)
            .map(|n| json!({"field": format!("boosts.f{n}"), "reason": "is not a known field"}))
            .collect();
        let body = truncate_error(json!({"success": false, "message": "Wrong.", "errors": errors}));
        assert!(body.to_string().len() <= BYTES_MAX);
        assert_eq!(body["message"], "Wrong.");
    }
}
