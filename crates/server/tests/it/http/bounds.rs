//! 1. An error response has at most 100 errors and 64 KiB, and the number of the others, whatever the body is.
//! 2. Bodies of searches and suggestions, keys and query strings have their own size limits.
//! 3. A block is read document by document: an invalid document is reported, or rejected alone.
//! 4. No cache stores what depends on a key, including errors; what does not depend on one may be cached.
//! 5. What is the same for all clients is sent compressed, and not again to a client that has it.

use crate::harness::{Reply, Shop, product};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::io::Write;

const RESPONSE_BYTES_MAX: usize = 64 * 1024;

fn search(shop: &Shop, body: impl Into<Vec<u8>>) -> Reply {
    let call = shop.api("POST", "/search").key(&shop.public);
    let reply = call.raw_json(body).send();
    assert!(
        reply.text.len() <= RESPONSE_BYTES_MAX,
        "{}",
        reply.text.len()
    );
    reply
}

#[test]
fn an_error_response_is_small() {
    let shop = Shop::open();
    let key = "k".repeat(1_000);
    let duplicates = format!("{{\"{key}\":{{{}\"\":1}}}}", "\"\":1,".repeat(30_000));
    let reply = search(&shop, duplicates).error(400, "invalid_request");
    assert_eq!(reply.fields().len(), 100);
    assert_eq!(reply.json["details"]["more"], 29_900);
    let items = format!("{{\"filters\":{{\"{key}\":[{}0]}}}}", "0,".repeat(100_000));
    let reply = search(&shop, items).error(400, "invalid_request");
    assert_eq!(reply.fields().len(), 100);
    // All items, and one error because there are too many of them.
    assert_eq!(reply.json["details"]["more"], 100_002 - 100);
    assert!(
        reply.message().ends_with("(and 100001 more)"),
        "{}",
        reply.message()
    );
    let unknown: String = (0..10_000).map(|n| format!("\"k{n}\":1,")).collect();
    let reply = search(&shop, format!("{{{unknown}\"q\":\"x\"}}"));
    let reply = reply.error(400, "invalid_request");
    assert_eq!(reply.json["details"]["more"], 9_900);
    let long = format!("{{\"sort\": \"{}\"}}", "\u{1F9E6}".repeat(60_000));
    search(&shop, long).error(400, "invalid_request");
    let few = search(&shop, r#"{"limit": 0}"#).error(400, "invalid_request");
    assert_eq!(few.json.get("details"), None);
}

#[test]
fn sizes_are_bounded() {
    let shop = Shop::open();
    let padded = |bytes: usize| format!("{{}}{}", " ".repeat(bytes - 2));
    search(&shop, padded(256 * 1024)).ok();
    search(&shop, padded(256 * 1024 + 1)).error(413, "payload_too_large");
    let suggest = |bytes: usize| {
        let call = shop.api("POST", "/suggest").key(&shop.public);
        call.raw_json(padded(bytes)).send()
    };
    suggest(64 * 1024).ok();
    suggest(64 * 1024 + 1).error(413, "payload_too_large");
    let key = format!("{{\"{}\": 1}}", "k".repeat(1_025));
    let reply = search(&shop, key).error(400, "invalid_request");
    assert!(
        reply.message().contains("a key has more than 1024 bytes"),
        "{reply:?}"
    );
    let values = format!("{{\"z\": [{}0]}}", "0,".repeat(400_000));
    let call = shop.own("PUT", "/relevance").raw_json(values).send();
    let reply = call.error(400, "invalid_request");
    assert!(reply.message().contains("too many values"), "{reply:?}");
    let query: String = (0..101).map(|n| format!("p{n}&")).collect();
    let call = shop
        .api("GET", &format!("/search?{query}"))
        .key(&shop.public);
    let reply = call.send().error(400, "invalid_request");
    assert_eq!(reply.fields(), ["query"]);
    shop.api("GET", &format!("/me?{query}"))
        .send()
        .error(401, "key_missing");
}

#[test]
fn a_block_is_read_document_by_document() {
    let shop = Shop::open();
    let send = |body: String| {
        let call = shop.feed("POST", "/feed/products/bulk");
        call.raw_json(body).send()
    };
    let with = |documents: &str| format!("{{\"language\": \"es\", \"documents\": [{documents}]}}");
    let reply = send(with(
        "{\"id\": \"1\"}, {\"id\": \"2\", \"x\": {\"y\": 1, \"y\": 2}}",
    ));
    let reply = reply.error(400, "invalid_request");
    assert_eq!(reply.fields(), ["documents[1].x.y"]);
    let reply = send(with("{\"id\": \"1\"},\n{\"id\": nope}"));
    let reply = reply.error(400, "invalid_request");
    assert!(reply.message().contains("line 2, column"), "{reply:?}");
    let many = "0,".repeat(400_000);
    let documents = format!(
        "{}, {{\"id\": \"2\", \"name\": \"x\", \"z\": [{many}0]}}, 7",
        product("1", "Camisa")
    );
    let reply = send(with(&documents)).ok();
    let rejected = reply.data()["rejected"].clone();
    assert_eq!(reply.data()["accepted"], 1);
    let too_many = json!({"key": "request.too_many_values", "values": {}});
    let object = json!({"key": "kind.object", "values": {}});
    let object = json!({"key": "value.must_be", "values": {"expected": object}});
    assert_eq!(
        rejected,
        json!([
            {"index": 1, "code": "invalid_document", "message": "contains too many values",
             "translatable": too_many},
            {"index": 2, "code": "invalid_document", "message": "must be an object", "translatable": object}
        ])
    );
    let reply = send(with(&format!("{}1", "1,".repeat(100_000))));
    let reply = reply.error(400, "too_many_documents");
    assert!(reply.message().contains("got 100001"), "{reply:?}");
    // A compressed block that is small on the wire and large when it is decompressed.
    let mut compressed = GzEncoder::new(Vec::new(), Compression::best());
    let padding = " ".repeat(7 << 20);
    let body = with(&format!("{}{padding}", product("3", "Camisa")));
    compressed.write_all(body.as_bytes()).expect("memory");
    let call = shop.feed("POST", "/feed/products/bulk");
    let call = call.header("Content-Encoding", "gzip");
    let compressed = compressed.finish().expect("memory");
    assert_eq!(call.raw_json(compressed).send().ok().data()["accepted"], 1);
}

#[test]
fn no_cache_stores_what_depends_on_a_key() {
    let shop = Shop::open();
    let kept_out = |reply: Reply| {
        assert_eq!(reply.header("cache-control"), "no-store", "{reply:?}");
        let vary = reply.headers.get_all("vary").iter();
        let vary: Vec<&str> = vary.filter_map(|value| value.to_str().ok()).collect();
        assert!(vary.contains(&"X-API-Key, Authorization"), "{vary:?}");
    };
    let own = format!("/stores/{}", shop.store);
    for path in ["/me", "/stores", own.as_str(), "/stores/none"] {
        kept_out(shop.api("GET", path).key(&shop.read_key).send());
    }
    kept_out(shop.api("GET", "/me").send());
    kept_out(shop.api("GET", "/nowhere").send());
    for path in ["/search?q=x", "/suggest?q=x", "/search?limit=0"] {
        kept_out(shop.api("GET", path).key(&shop.public).send());
    }
    for path in ["/feed/connect", "/feed/plan", "/feed/runs/none"] {
        kept_out(shop.feed("GET", path).send());
    }
    kept_out(shop.client.call("POST", "/mcp").send());
    for path in ["/api/v1/openapi.json", "/docs"] {
        let reply = shop.client.call("GET", path).send();
        assert_eq!(reply.header("cache-control"), "no-cache");
        assert_eq!(reply.header("vary"), "Accept-Encoding");
    }
}

#[test]
fn the_description_is_sent_once() {
    let shop = Shop::open();
    for path in ["/api/v1/openapi.json", "/docs"] {
        let first = shop.client.call("GET", path).send();
        assert_eq!(first.status, 200);
        let call = shop.client.call("GET", path);
        let again = call.header("If-None-Match", first.header("etag")).send();
        assert_eq!((again.status, again.text.len()), (304, 0));
    }
}
