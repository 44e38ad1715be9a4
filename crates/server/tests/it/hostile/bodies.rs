//! 1. Duplicate keys below a long key, and lists of wrong values below one, are rejected without multiplying memory or
//!    bytes; so they are if each key has the maximum length.
//! 2. An error response lists at most 100 errors and counts the others, and a key has at most 1,024 bytes.
//! 3. This holds for searches, for the `filters` of a query string, for compressed blocks of the feed and for messages
//!    to the tools.

use super::meter::REQUEST_GROWTH_MAX;
use super::payload::{Kind, body, gzip, list};
use super::target::Target;
use crate::harness::Reply;
use serde_json::Value;

/// The maximum size of an error response.
const RESPONSE_BYTES_MAX: usize = 64 * 1024;
/// The maximum of errors it lists.
const ERRORS_MAX: usize = 100;

/// Asserts that an error response is small and lists a bounded number of errors.
pub fn assert_bounded(reply: &Reply, what: &str) {
    assert!(
        (400..500).contains(&reply.status),
        "{what}: {} {:.200}",
        reply.status,
        reply.text
    );
    let length = reply.text.len();
    assert!(length <= RESPONSE_BYTES_MAX, "{what}: {length} bytes");
    let errors = reply.json["errors"].as_array().map_or(0, Vec::len);
    assert!(errors <= ERRORS_MAX, "{what}: {errors} errors");
}

/// A key of `key` characters above `count` duplicate keys.
fn duplicates_below(key: usize, count: usize) -> Vec<u8> {
    let duplicates = vec!["\"\":1"; count].join(",");
    format!("{{\"{}\":{{{duplicates}}}}}", "K".repeat(key)).into_bytes()
}

/// A filter with a long name and `count` wrong values.
fn wrong_below(key: usize, count: usize) -> Vec<u8> {
    let items = vec!["0"; count].join(",");
    let name = "K".repeat(key);
    format!("{{\"q\":\"\",\"filters\":{{\"{name}\":[{items}]}}}}").into_bytes()
}

#[test]
fn long_keys_do_not_multiply_the_errors_below_them() {
    let target = Target::open();
    let search = |body: &[u8]| {
        let call = target.api("POST", "/search", &target.attacker.public);
        call.raw_json(body).try_send()
    };
    search(b"{\"\":0,\"\":0}").expect("a response");
    let bodies = [
        duplicates_below(30_000, 6_000),
        wrong_below(30_000, 15_000),
        duplicates_below(1_024, 24_000),
        wrong_below(255, 60_000),
        body(Kind::DuplicateKeys, &["filters".to_owned()], 120_000),
    ];
    target.with_bystander(|| {
        for body in &bodies {
            let meter = target.meter();
            let what = format!("{:.40}", String::from_utf8_lossy(body));
            let reply = search(body);
            meter.assert_within(REQUEST_GROWTH_MAX, &what);
            assert_bounded(&reply.expect("a response of few bytes"), &what);
        }
    });
}

#[test]
fn a_key_has_at_most_1024_bytes() {
    let target = Target::open();
    let of = |length: usize| {
        let body = format!("{{\"{}\":0}}", "K".repeat(length));
        let call = target.api("POST", "/search", &target.attacker.public);
        call.raw_json(body).send()
    };
    let known = of(1_024).error(400, "invalid_request");
    assert_eq!(known.fields().len(), 1, "it is not known: {known:?}");
    let long = of(1_025).error(400, "invalid_request");
    assert!(long.message().contains("malformed JSON"), "{long:?}");
    assert_bounded(&long, "a long key");
}

#[test]
fn errors_that_are_not_listed_are_counted() {
    let target = Target::open();
    let wrong = format!("{{\"q\":\"\",\"types\":{}}}", list("0", 2_000));
    let call = target.api("POST", "/search", &target.attacker.public);
    let reply = call.raw_json(wrong).send();
    assert_bounded(&reply, "wrong types");
    let duplicates = body(Kind::DuplicateKeys, &[], 1_000);
    let call = target.api("POST", "/search", &target.attacker.public);
    let reply = call
        .raw_json(duplicates)
        .send()
        .error(400, "invalid_request");
    assert_bounded(&reply, "duplicate keys");
    let listed = reply.json["errors"].as_array().map_or(0, Vec::len);
    let more = reply.json["details"]["more"].as_u64();
    assert_eq!(listed, ERRORS_MAX, "{reply:?}");
    assert!(more.is_some_and(|more| more > 0), "{reply:?}");
}

#[test]
fn blocks_query_strings_and_messages_are_rejected_alike() {
    let target = Target::open();
    let duplicates = duplicates_below(100_000, 30_000);
    let block = || {
        let call = target.api("POST", "/feed/products/bulk", &target.attacker.connector);
        call.header("Content-Encoding", "gzip")
            .raw_json(gzip(&duplicates))
            .try_send()
    };
    let filters = format!(
        "%7B%22{}%22:%7B{}%7D%7D",
        "K".repeat(20_000),
        vec!["%22%22:1"; 4_000].join(",")
    );
    let query = || {
        let path = format!("/search?filters={filters}");
        target.api("GET", &path, &target.attacker.public).try_send()
    };
    let message = || {
        let call = target.client().call("POST", "/mcp");
        let body = String::from_utf8(duplicates_below(30_000, 6_000)).expect("UTF-8");
        call.key(&target.attacker.write_key)
            .header("Accept", "application/json, text/event-stream")
            .raw_json(body)
            .try_send()
    };
    let ways: [(&str, &dyn Fn() -> Option<Reply>); 3] = [
        ("a block", &block),
        ("a query string", &query),
        ("a message", &message),
    ];
    target.with_bystander(|| {
        for (what, send) in ways {
            let meter = target.meter();
            let reply = send();
            meter.assert_within(REQUEST_GROWTH_MAX, what);
            let reply = reply.expect("a response of few bytes");
            let length = reply.text.len();
            assert!(length <= RESPONSE_BYTES_MAX, "{what}: {length} bytes");
            let rejected = reply.status >= 400 || reply.json["error"] != Value::Null;
            assert!(rejected, "{what}: {reply:?}");
        }
    });
}
