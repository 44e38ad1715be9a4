//! 1. Every response to a request with or without a key, success or error, varies by both key headers and is
//!    `no-store`; only the widget's configuration, which shoppers' browsers ask for on each page, they may keep privately.
//! 2. The OpenAPI description, which is public, is sent compressed to clients that accept it, and not again to clients
//!    that have it.

use super::target::Target;
use super::wire::get as raw_get;
use crate::harness::Reply;
use operations::catalogue::{RequiredAccess, all_operations};
use serde_json::json;

/// The maximum size of the compressed description.
const DESCRIPTION_BYTES_MAX: usize = 280_000;

/// The operation whose successful response a browser may keep.
const KEPT: &str = "get_widget_config";

fn assert_not_stored(reply: &Reply, what: &str) {
    let cached = reply.header("cache-control");
    let kept = if what == KEPT { "private" } else { "no-store" };
    assert!(
        cached.contains(kept) && !cached.contains("public"),
        "{what}: {} {cached:?}",
        reply.status
    );
    let vary = reply.headers.get_all("vary").iter();
    let vary: Vec<String> = vary
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_lowercase())
        .collect();
    for name in ["x-api-key", "authorization"] {
        let varies = vary.iter().any(|other| other == name);
        assert!(varies, "{what}: {} varies by {vary:?}", reply.status);
    }
}

#[test]
fn responses_that_depend_on_a_key_are_not_stored() {
    let target = Target::open();
    for operation in all_operations() {
        let Some((method, path)) = server::route(operation.id) else {
            continue;
        };
        let path = path
            .replace("{id}", &target.attacker.store)
            .replace("{type}", "products")
            .replace(['{', '}'], "");
        let key = match operation.access {
            RequiredAccess::Feed => &target.attacker.connector,
            RequiredAccess::Search => &target.attacker.public,
            RequiredAccess::Configuration(_) | RequiredAccess::Panel | RequiredAccess::Operator => {
                &target.attacker.write_key
            }
        };
        // No body is valid, except where none is needed.
        let bare = target.client().call(method, format!("/api/v1{path}"));
        assert_not_stored(&bare.send(), &format!("{} without a key", operation.id));
        let wrong = target.api(method, &path, "cfg_wrong");
        assert_not_stored(&wrong.send(), &format!("{} with a wrong key", operation.id));
        let with = target.api(method, &path, key);
        let reply = match method {
            "POST" | "PUT" => with.json(&json!({"unknown": 1})).send(),
            _ => with.send(),
        };
        assert_not_stored(&reply, operation.id);
    }
    let key = &target.attacker.public;
    for path in ["/search?q=a", "/suggest?q=a", "/search?limit=x"] {
        assert_not_stored(&target.api("GET", path, key).send(), path);
    }
    let search = target.search(&json!({"q": "bota"}));
    assert_not_stored(&search.ok(), "POST /search");
}

#[test]
fn the_description_is_sent_compressed_and_once() {
    let target = Target::open();
    for path in ["/api/v1/openapi.json", "/docs"] {
        let get = || target.client().call("GET", path);
        // A client might decompress it; the bytes sent are counted.
        let compressed = raw_get(target.client().base(), path, "Accept-Encoding: gzip");
        let compressed = compressed.expect("a response");
        assert!(
            compressed.head.contains("content-encoding: gzip"),
            "{path}: {}",
            compressed.head
        );
        let length = compressed.body.len();
        assert!(length <= DESCRIPTION_BYTES_MAX, "{path}: {length} bytes");
        let response = get().send();
        let tag = response.header("etag");
        assert_ne!(tag, "", "{path}");
        let again = get().header("If-None-Match", tag).send();
        assert_eq!((again.status, again.text.len()), (304, 0), "{path}");
    }
}
