//! The order of the checks: of two errors the earlier one is reported.
//!
//! 404 path, 405, 401, 403 (scope, then store), 404, 413, 415, 406, malformed 400, reserved 403, 400.

use crate::harness::{Call, Shop};
use domain::limits::BODY_BYTES_MAX;

/// Starts a `PUT` request.
fn put<'a>(shop: &'a Shop, path: &str) -> Call<'a> {
    shop.api("PUT", path)
}

#[test]
fn of_two_errors_the_earlier_one_is_reported() {
    let shop = Shop::open();
    let own = format!("/stores/{}", shop.store);
    let huge = vec![b' '; BODY_BYTES_MAX + 1];

    // An unknown path and a wrong method need no key.
    put(&shop, "/nowhere")
        .body(huge.clone())
        .send()
        .error(404, "not_found");
    put(&shop, "/me")
        .body(huge.clone())
        .send()
        .error(405, "method_not_allowed");
    // The key is checked before everything that follows.
    put(&shop, &own)
        .body(huge.clone())
        .send()
        .error(401, "key_missing");
    put(&shop, &own)
        .key("cfg_x")
        .body(huge.clone())
        .send()
        .error(401, "key_invalid");
    put(&shop, &own)
        .key(&shop.connector)
        .body(huge.clone())
        .send()
        .error(401, "key_kind");
    // Scope is checked before store, and both before the body.
    let reader = |path: &str| put(&shop, path).key(&shop.read_key);
    reader("/stores/other")
        .body(huge.clone())
        .send()
        .error(403, "scope_missing");
    let writer = |path: &str| put(&shop, path).key(&shop.write_key);
    writer("/stores/other")
        .body(huge.clone())
        .send()
        .error(403, "store_mismatch");
    // Size, media type, accepted types, JSON, reserved keys, values.
    writer(&own)
        .body(huge)
        .send()
        .error(413, "payload_too_large");
    let text = writer(&own)
        .header("Content-Type", "text/plain")
        .header("Accept", "text/html");
    text.body("{").send().error(415, "unsupported_media_type");
    let html = writer(&own).header("Accept", "text/html").raw_json("{");
    html.send().error(406, "not_acceptable");
    writer(&own)
        .raw_json("{\"url\": ")
        .send()
        .error(400, "invalid_request");
    let reserved = writer(&own)
        .raw_json(r#"{"url": "https://x.example", "name": 3}"#)
        .send();
    assert_eq!(reserved.error(403, "reserved").fields(), ["url"]);
    let wrong = writer(&own).raw_json(r#"{"name": 3}"#).send();
    assert_eq!(
        wrong.error(400, "invalid_request").message(),
        "name: must be text, got 3"
    );
}

#[test]
fn a_store_of_another_account_is_not_found_with_an_account_key() {
    let shop = Shop::open();
    let key = shop.account_key(&shop.account, domain::Scope::Write);
    for store in [shop.foreign_store(), "nothere".into()] {
        let path = format!("/stores/{store}");
        let reply = put(&shop, &path).key(&key).body("x").send();
        let error = reply.error(404, "not_found");
        assert_eq!(error.message(), "no such store");
    }
}
