//! 1. Every response has an `X-Request-Id` of its own.
//! 2. Success and failure have the shape of the envelope; so have unknown paths and methods.
//! 3. The probes need no key.
//! 4. An error and each of its reasons have a key and values, the parts of a reason keys of their own; revisions too.
//! 5. Responses of the configuration API carry `ETag` and `X-Config-Revision`.

use crate::harness::Shop;
use serde_json::json;
use std::collections::HashSet;

#[test]
fn every_response_has_an_id_of_its_own() {
    let shop = Shop::open();
    let replies = [
        shop.client.call("GET", "/healthz").send(),
        shop.client.call("GET", "/nowhere").send(),
        shop.client.call("DELETE", "/healthz").send(),
        shop.api("GET", "/me").send(),
        shop.api("GET", "/me").key(&shop.read_key).send(),
        shop.api("OPTIONS", "/search").send(),
        shop.search(&json!({"limit": 0})),
        shop.own("PUT", "/relevance").raw_json("{").send(),
    ];
    let ids: HashSet<&str> = replies.iter().map(|r| r.header("x-request-id")).collect();
    assert_eq!(ids.len(), replies.len(), "{ids:?}");
    assert!(!ids.contains(""), "{ids:?}");
}

#[test]
fn success_has_message_and_data() {
    let shop = Shop::open();
    let reply = shop.api("GET", "/stores").key(&shop.read_key).send().ok();
    let names: Vec<&String> = reply.json.as_object().expect("an object").keys().collect();
    assert_eq!(names, ["success", "message", "data"]);
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.message(), "1 store.");
}

#[test]
fn texts_for_people_have_a_key_with_values() {
    let shop = Shop::open();
    let wrong = json!({"boosts": {"name": "x"}, "searchSettings": {"maxTypos": 9}});
    let reply = shop.own("PUT", "/relevance").json(&wrong).send();
    let reply = reply.error(400, "invalid_request");
    let number = json!({"key": "kind.number", "values": {}});
    let expected =
        json!({"key": "value.must_be_got", "values": {"expected": number, "got": "\"x\""}});
    let errors = &reply.json["errors"];
    assert_eq!(errors[0]["translatable"], expected, "{errors}");
    assert!(errors[1]["translatable"]["key"].is_string(), "{errors}");
    let message = json!({"field": "boosts.name", "reason": expected, "more": 1});
    let message = json!({"key": "value.in_fields", "values": message});
    assert_eq!(reply.json["translatable"], message);

    let nowhere = shop.client.call("GET", "/nowhere").send();
    let key = &nowhere.json["translatable"]["key"];
    assert_eq!(key, "request.no_such_path");

    let change = json!({"boosts": {"name": 9}});
    shop.own("PUT", "/relevance").json(&change).send().ok();
    let list = shop.own("GET", "/revisions?limit=1").send().ok();
    let saved = json!({"key": "saved.relevance_one", "values": {"field": "boosts.name"}});
    assert_eq!(list.data()[0]["translatable"], saved);
}

#[test]
fn unknown_paths_and_methods_get_the_envelope() {
    let shop = Shop::open();
    for path in [
        "/",
        "/api",
        "/api/v1",
        "/api/v1/",
        "/api/v2/me",
        "/api/v1/me/",
        "/demo/search",
    ] {
        let reply = shop.client.call("GET", path).send().error(404, "not_found");
        assert_eq!(reply.header("content-type"), "application/json", "{path}");
    }
    let reply = shop
        .api("DELETE", "/stores")
        .send()
        .error(405, "method_not_allowed");
    assert_eq!(reply.header("allow"), "GET,HEAD");
    let path = format!("/stores/{}", shop.store);
    let reply = shop
        .api("POST", &path)
        .send()
        .error(405, "method_not_allowed");
    assert_eq!(reply.header("allow"), "GET,HEAD,PUT,DELETE");
    shop.api("PUT", "/search")
        .send()
        .error(405, "method_not_allowed");
}

#[test]
fn the_probes_need_no_key() {
    let shop = Shop::open();
    let probe = |path| shop.client.call("GET", path).send().ok().data().clone();
    assert_eq!(probe("/healthz"), json!({"status": "alive"}));
    assert_eq!(
        probe("/readyz"),
        json!({"status": "ready", "storage": "up"})
    );
}

#[test]
fn configuration_responses_carry_tag_and_revision() {
    let shop = Shop::open();
    let before = shop.own("GET", "/relevance").send().ok();
    let tag = before.header("etag").to_owned();
    assert!(
        tag.starts_with('"') && tag.ends_with('"') && tag.len() > 2,
        "{tag}"
    );
    let revision: u64 = before
        .header("x-config-revision")
        .parse()
        .expect("a number");

    let same = shop.own("PUT", "/relevance").json(&json!({})).send().ok();
    assert_eq!(same.header("etag"), tag);
    assert_eq!(same.header("x-config-revision"), revision.to_string());

    let change = json!({"boosts": {"name": 9}});
    let changed = shop.own("PUT", "/relevance").json(&change).send().ok();
    assert_ne!(changed.header("etag"), tag);
    let next: u64 = changed
        .header("x-config-revision")
        .parse()
        .expect("a number");
    assert!(next > revision);
    let store = shop.own("GET", "").send().ok();
    assert_eq!(store.header("x-config-revision"), next.to_string());

    let test = shop
        .own("POST", "/relevance/test")
        .json(&json!({"q": "x"}))
        .send()
        .ok();
    assert_eq!(
        (test.header("etag"), test.header("x-config-revision")),
        ("", "")
    );
}
