//! 1. A key that reads sees watched and hidden queries, and what a draft moves; it saves nothing.
//! 2. A key that writes saves a draft as one revision and restores a former one, but no custom code.
//! 3. Hidden queries are replaced under their entity tag.

use crate::harness::Shop;
use serde_json::json;

#[test]
fn a_reading_key_reads_and_saves_nothing() {
    let shop = Shop::open();
    let read = |method: &'static str, path: &str| {
        let path = format!("/stores/{}{path}", shop.store);
        shop.api(method, &path).key(&shop.read_key)
    };
    for path in ["/watched", "/hidden-queries"] {
        let listed = read("GET", path).send().ok();
        assert_eq!(listed.data()["queries"], json!([]), "{path}");
        assert!(!listed.header("etag").is_empty(), "{path}");
    }
    let draft = json!({"draft": {}, "count": 25});
    let moved = read("POST", "/preview/watched").json(&draft).send().ok();
    assert_eq!(moved.data(), &json!([]));
    let save = json!({"draft": {"synonyms": {"create": [{"terms": ["a", "b"]}]}}});
    read("POST", "/changes")
        .json(&save)
        .send()
        .error(403, "scope_missing");
    for path in ["/watched", "/hidden-queries"] {
        let body = json!({"queries": []});
        let reply = read("PUT", path).json(&body).send();
        reply.error(403, "scope_missing");
    }
}

#[test]
fn a_writing_key_saves_drafts_and_restores_revisions() {
    let shop = Shop::open();
    let draft =
        json!({"draft": {"synonyms": {"create": [{"terms": ["a", "b"], "language": "en"}]}}});
    let saved = shop.own("POST", "/changes").json(&draft).send().ok();
    let revision = saved.data()["revision"].as_i64().expect("a number");
    let groups = || {
        shop.own("GET", "/synonyms")
            .send()
            .ok()
            .data()
            .as_array()
            .map(Vec::len)
    };
    assert_eq!(groups(), Some(1));
    let path = format!("/revisions/{}/restore", revision - 1);
    let of = |part: &str| json!({"parts": [part], "ifRevision": revision});
    let code = shop.own("POST", &path).json(&of("custom")).send();
    code.error(403, "reserved");
    let restored = shop.own("POST", &path).json(&of("synonyms")).send().ok();
    assert_eq!(restored.data()["revision"], revision + 1);
    assert_eq!(groups(), Some(0));
}

#[test]
fn hidden_queries_are_replaced_under_their_entity_tag() {
    let shop = Shop::open();
    let before = shop.own("GET", "/hidden-queries").send().ok();
    let tag = before.header("etag").to_owned();
    let put = |query: &str| {
        let body = json!({"queries": [query]});
        let call = shop.own("PUT", "/hidden-queries").header("If-Match", &tag);
        call.json(&body).send()
    };
    put("rude").ok();
    put("ruder").error(412, "precondition_failed");
}
