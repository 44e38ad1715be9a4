//! 1. Malformed JSON is 400 with line and column; so are broken UTF-8, deep nesting and an empty body.
//! 2. All errors of a request are reported in one response, sorted, in our own words.
//! 3. Duplicate keys and parameters, unknown keys and parameters, and null are rejected.
//! 4. Bodies are counted while they are read: at the limit they are accepted, above it they are 413.
//! 5. Content types, content codings and accepted types are distinguished: 415 and 406.

use crate::harness::Shop;
use domain::limits::BODY_BYTES_MAX;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn malformed_json_is_reported_with_its_position() {
    let shop = Shop::open();
    let bodies: [(&[u8], &str); 6] = [
        (b"{\"boosts\": {\n  \"name\" 6}}", "line 2, column 10"),
        (b"", "line 1, column 1"),
        (b"{} {}", "line 1, column 4"),
        (b"{\"q\": \"\xff\xfe\"}", "line 1"),
        (b"\xef\xbb\xbf{}", "line 1, column 1"),
        (b"{\"boosts\": {\"name\": 1e400}}", "line 1"),
    ];
    for (body, place) in bodies {
        let reply = shop.own("PUT", "/relevance").raw_json(body).send();
        let reply = reply.error(400, "invalid_request");
        assert_eq!(reply.fields(), ["body"], "{reply:?}");
        assert!(reply.message().contains("malformed JSON at "), "{reply:?}");
        assert!(reply.message().contains(place), "{reply:?}");
    }
    let deep = format!(
        "{{\"boosts\": {}1{}}}",
        "[".repeat(50_000),
        "]".repeat(50_000)
    );
    let reply = shop.own("PUT", "/relevance").raw_json(deep).send();
    let reply = reply.error(400, "invalid_request");
    assert!(
        reply.message().contains("nested deeper than 32 levels"),
        "{reply:?}"
    );
}

#[test]
fn all_errors_are_reported_at_once() {
    let shop = Shop::open();
    let body = json!({
        "boosts": {"name": 350, "nmae": 1, "tags": null},
        "searchSettings": {"stockBost": 2, "minMatchShort": "75", "fuzzyPrefixLength": 1.5},
        "extra": 1
    });
    let reply = shop.own("PUT", "/relevance").json(&body).send();
    let reply = reply.error(400, "invalid_request");
    assert_eq!(
        reply.fields(),
        [
            "boosts.name",
            "boosts.nmae",
            "boosts.tags",
            "extra",
            "searchSettings.fuzzyPrefixLength",
            "searchSettings.minMatchShort",
            "searchSettings.stockBost",
        ]
    );
    assert_eq!(
        reply.message(),
        "boosts.name: must be between 0 and 200, got 350 (and 6 more)"
    );
    let reasons: Vec<&str> = (0..7)
        .filter_map(|at| reply.json["errors"][at]["reason"].as_str())
        .collect();
    assert_eq!(reasons[1], "is not a known field; did you mean \"name\"?");
    assert_eq!(reasons[2], "must not be null");
    assert_eq!(reasons[4], "must be a whole number, got 1.5");
    assert!(reasons[6].contains("did you mean \"stockBoost\""));
}

#[test]
fn duplicate_keys_and_parameters_are_rejected() {
    let shop = Shop::open();
    let body = r#"{"boosts": {"name": 6, "name": 7}, "searchSettings": {}, "boosts": {}}"#;
    let reply = shop.own("PUT", "/relevance").raw_json(body).send();
    let reply = reply.error(400, "invalid_request");
    assert_eq!(reply.fields(), ["boosts.name", "boosts"]);

    let reply = shop
        .api("GET", "/search?q=a&q=b&limit=1")
        .key(&shop.public)
        .send();
    assert_eq!(reply.error(400, "invalid_request").fields(), ["query.q"]);

    let filters = "%7B%22price%22:%7B%22min%22:1,%22min%22:2%7D%7D";
    let search = format!("/search?filters={filters}");
    let reply = shop.api("GET", &search).key(&shop.public).send();
    assert_eq!(
        reply.error(400, "invalid_request").fields(),
        ["query.filters.price.min"]
    );
}

#[test]
fn unknown_parameters_are_rejected() {
    let shop = Shop::open();
    let reply = shop.api("GET", "/search?limt=3").key(&shop.public).send();
    let reply = reply.error(400, "invalid_request");
    assert_eq!(reply.fields(), ["query.limt"]);
    assert!(
        reply.message().contains("did you mean \"limit\"?"),
        "{reply:?}"
    );
    let reply = shop.own("GET", "/synonyms?sprache=en").send();
    let reply = reply.error(400, "invalid_request");
    assert_eq!(
        reply.message(),
        "query.sprache: is not a known field; known are lang, page, limit, q, type, active"
    );
    let reply = shop.api("GET", "/me?page=1").key(&shop.read_key).send();
    assert_eq!(reply.error(400, "invalid_request").fields(), ["query.page"]);
    let reply = shop.own("PUT", "/relevance?x=%ff").json(&json!({})).send();
    assert_eq!(reply.error(400, "invalid_request").fields(), ["query.x"]);
}

#[test]
fn a_body_is_counted_while_it_is_read() {
    let shop = Shop::open();
    let padded = |bytes: usize| {
        let mut body = b"{}".to_vec();
        body.resize(bytes, b' ');
        body
    };
    let put = |body: Vec<u8>| shop.own("PUT", "/relevance").raw_json(body).send();
    put(padded(BODY_BYTES_MAX)).ok();
    put(padded(BODY_BYTES_MAX + 1)).error(413, "payload_too_large");
    let reply = put(padded(10 * 1024 * 1024)).error(413, "payload_too_large");
    assert_eq!(reply.json["details"]["max"], BODY_BYTES_MAX);

    let block = padded(9 * 1024 * 1024);
    let reply = shop
        .feed("POST", "/feed/products/bulk")
        .raw_json(block)
        .send();
    reply.error(413, "payload_too_large");
}

#[test]
fn a_body_without_a_content_length_is_counted_too() {
    let shop = Shop::open();
    let address = shop.client.base().trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let head = format!(
        "PUT /api/v1/stores/{}/relevance HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {}\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
        shop.store, shop.write_key
    );
    stream.write_all(head.as_bytes()).expect("sent");
    let chunk = vec![b' '; 64 * 1024];
    for _ in 0..20 {
        stream.write_all(b"10000\r\n").expect("sent");
        stream.write_all(&chunk).expect("sent");
        stream.write_all(b"\r\n").expect("sent");
    }
    stream.write_all(b"0\r\n\r\n").expect("sent");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    assert!(response.starts_with("HTTP/1.1 413 "), "{response}");
    assert!(response.contains("payload_too_large"), "{response}");
}

#[test]
fn media_types_are_distinguished() {
    let shop = Shop::open();
    let put = || shop.own("PUT", "/relevance");
    put().body("{}").send().error(415, "unsupported_media_type");
    for media in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin1",
    ] {
        let reply = put().header("Content-Type", media).body("{}").send();
        reply.error(415, "unsupported_media_type");
    }
    let coded = put().header("Content-Encoding", "gzip").json(&json!({}));
    coded.send().error(415, "unsupported_media_type");
    put()
        .header("Content-Type", "Application/JSON;charset=UTF-8")
        .body("{}")
        .send()
        .ok();

    let reply = put().header("Accept", "text/html").json(&json!({})).send();
    reply.error(406, "not_acceptable");
    let reply = shop
        .api("GET", "/me")
        .key(&shop.read_key)
        .header("Accept", "text/html");
    reply.send().error(406, "not_acceptable");
    put()
        .header("Accept", "text/html, */*;q=0.1")
        .json(&json!({}))
        .send()
        .ok();
}

#[test]
fn odd_texts_are_searched_or_rejected_and_never_fail() {
    let shop = Shop::open();
    for q in [
        "\u{0}",
        "שלום עולם",
        "🧦👟",
        "\u{202e}abc",
        "a\u{301}",
        "' OR 1=1 --",
        "*:*",
        "(((",
    ] {
        shop.search(&json!({"q": q})).ok();
    }
    shop.search(&json!({"q": "ñ".repeat(500)})).ok();
    let long = shop
        .search(&json!({"q": "x".repeat(5_000)}))
        .error(400, "invalid_request");
    assert_eq!(
        long.message(),
        "q: must have at most 500 characters, got 5000"
    );
    shop.search(&json!({"q": "a ".repeat(10_000)}))
        .error(400, "invalid_request");
}
