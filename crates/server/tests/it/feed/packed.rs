//! 1. Bodies of the feed may be packed by gzip; elsewhere a coding is 415, and so is any other coding here.
//! 2. Limits count the content: what unpacks to more is 413 however small it was sent, and nothing of it is stored.
//! 3. Torn or broken gzip is 400.

use crate::harness::{Call, Shop, product};
use domain::limits::{BLOCK_BYTES_MAX, BODY_BYTES_MAX};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::io::Write;

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

fn packed<'a>(call: Call<'a>, body: Vec<u8>) -> Call<'a> {
    call.header("Content-Encoding", "gzip").raw_json(body)
}

fn block(padding: usize) -> Vec<u8> {
    let body = json!({"language": "es", "documents": [product("1", "Bota")]});
    let mut text = body.to_string().into_bytes();
    text.resize(text.len() + padding, b' ');
    text
}

#[test]
fn bodies_of_the_feed_may_be_packed() {
    let shop = Shop::open();
    let bulk = || shop.feed("POST", "/feed/products/bulk");
    packed(bulk(), gzip(&block(0))).send().ok();
    shop.until_found("es", &["1"]);
    let run =
        json!({"clientRunId": "a", "mode": "full", "types": ["products"], "languages": ["es"]});
    let opened = packed(
        shop.feed("POST", "/feed/runs"),
        gzip(run.to_string().as_bytes()),
    )
    .send();
    assert_eq!(opened.status, 201);
    let cleared = packed(shop.feed("POST", "/feed/products/clear"), gzip(b"{}")).send();
    assert_eq!(cleared.ok().data()["cleared"][0]["documents"], 1);

    for coding in ["br", "deflate", "gzip, br", "zstd"] {
        bulk()
            .header("Content-Encoding", coding)
            .raw_json(block(0))
            .send()
            .refused(415, "unsupported_media_type");
    }
    packed(shop.own("PUT", "/relevance"), gzip(b"{}"))
        .send()
        .refused(415, "unsupported_media_type");
    packed(shop.api("POST", "/search").key(&shop.public), gzip(b"{}"))
        .send()
        .refused(415, "unsupported_media_type");
}

#[test]
fn limits_count_what_was_unpacked() {
    let shop = Shop::open();
    let bulk = |body: Vec<u8>| packed(shop.feed("POST", "/feed/products/bulk"), body).send();
    let room = BLOCK_BYTES_MAX - block(0).len();
    bulk(gzip(&block(room + 1))).refused(413, "payload_too_large");
    assert!(shop.products("es").is_empty());
    bulk(gzip(&block(room))).ok();
    shop.until_found("es", &["1"]);
    let bomb = gzip(&vec![b' '; 256 * 1024 * 1024]);
    assert!(bomb.len() < 2 * 1024 * 1024);
    let reply = bulk(bomb).refused(413, "payload_too_large");
    assert_eq!(reply.json["details"]["max"], BLOCK_BYTES_MAX);
    let small = gzip(&vec![b' '; BODY_BYTES_MAX + 1]);
    packed(shop.feed("POST", "/feed/touch"), small)
        .send()
        .refused(413, "payload_too_large");
}

#[test]
fn broken_gzip_is_told() {
    let shop = Shop::open();
    let whole = gzip(&block(0));
    let torn = whole[..whole.len() - 4].to_vec();
    let trailed = [whole.clone(), b"more".to_vec()].concat();
    for broken in [torn, trailed, block(0), whole[..5].to_vec()] {
        let reply = packed(shop.feed("POST", "/feed/products/bulk"), broken).send();
        let reply = reply.refused(400, "invalid_request");
        assert!(reply.message().contains("gzip"), "{reply:?}");
        assert_eq!(reply.fields(), ["body"]);
    }
    assert!(shop.products("es").is_empty());
}
