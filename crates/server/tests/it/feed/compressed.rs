//! 1. Bodies of the feed may be compressed with gzip; elsewhere a coding is 415, and so is any other coding here.
//! 2. Limits apply to the decompressed content: too much is 413 however small it was sent, and nothing of it is stored.
//! 3. Truncated or corrupt gzip is 400.

use crate::harness::{Call, Shop, product};
use domain::limits::{BLOCK_BYTES_MAX, BODY_BYTES_MAX};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::io::Write;

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

fn compressed<'a>(call: Call<'a>, body: Vec<u8>) -> Call<'a> {
    call.header("Content-Encoding", "gzip").raw_json(body)
}

fn block(padding: usize) -> Vec<u8> {
    let body = json!({"language": "es", "documents": [product("1", "Bota")]});
    let mut text = body.to_string().into_bytes();
    text.resize(text.len() + padding, b' ');
    text
}

#[test]
fn bodies_of_the_feed_may_be_compressed() {
    let shop = Shop::open();
    let bulk = || shop.feed("POST", "/feed/products/bulk");
    compressed(bulk(), gzip(&block(0))).send().ok();
    shop.until_found("es", &["1"]);
    let run =
        json!({"clientRunId": "a", "mode": "full", "types": ["products"], "languages": ["es"]});
    let opened = compressed(
        shop.feed("POST", "/feed/runs"),
        gzip(run.to_string().as_bytes()),
    )
    .send();
    assert_eq!(opened.status, 201);
    let cleared = compressed(shop.feed("POST", "/feed/products/clear"), gzip(b"{}")).send();
    assert_eq!(cleared.ok().data()["cleared"][0]["documents"], 1);

    for coding in ["br", "deflate", "gzip, br", "zstd"] {
        bulk()
            .header("Content-Encoding", coding)
            .raw_json(block(0))
            .send()
            .error(415, "unsupported_media_type");
    }
    compressed(shop.own("PUT", "/relevance"), gzip(b"{}"))
        .send()
        .error(415, "unsupported_media_type");
    compressed(shop.api("POST", "/search").key(&shop.public), gzip(b"{}"))
        .send()
        .error(415, "unsupported_media_type");
}

#[test]
fn limits_apply_to_the_decompressed_content() {
    let shop = Shop::open();
    let bulk = |body: Vec<u8>| compressed(shop.feed("POST", "/feed/products/bulk"), body).send();
    let room = BLOCK_BYTES_MAX - block(0).len();
    bulk(gzip(&block(room + 1))).error(413, "payload_too_large");
    assert!(shop.products("es").is_empty());
    bulk(gzip(&block(room))).ok();
    shop.until_found("es", &["1"]);
    let bomb = gzip(&vec![b' '; 256 * 1024 * 1024]);
    assert!(bomb.len() < 2 * 1024 * 1024);
    let reply = bulk(bomb).error(413, "payload_too_large");
    assert_eq!(reply.json["details"]["max"], BLOCK_BYTES_MAX);
    let small = gzip(&vec![b' '; BODY_BYTES_MAX + 1]);
    compressed(shop.feed("POST", "/feed/touch"), small)
        .send()
        .error(413, "payload_too_large");
}

#[test]
fn corrupt_gzip_is_reported() {
    let shop = Shop::open();
    let complete = gzip(&block(0));
    let truncated = complete[..complete.len() - 4].to_vec();
    let with_trailing_bytes = [complete.clone(), b"more".to_vec()].concat();
    for broken in [
        truncated,
        with_trailing_bytes,
        block(0),
        complete[..5].to_vec(),
    ] {
        let reply = compressed(shop.feed("POST", "/feed/products/bulk"), broken).send();
        let reply = reply.error(400, "invalid_request");
        assert!(reply.message().contains("gzip"), "{reply:?}");
        assert_eq!(reply.fields(), ["body"]);
    }
    assert!(shop.products("es").is_empty());
}
