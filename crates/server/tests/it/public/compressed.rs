//! 1. Searches and suggestions are compressed by gzip for clients that accept it, the same response twice as well, and say
//!    that they depend on it. What is decompressed is what others get.
//! 2. Small responses and errors are not compressed.

use crate::harness::{Shop, product};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

fn stocked() -> Shop {
    let shop = Shop::open();
    let products: Vec<Value> = (1..=20)
        .map(|at| {
            product(
                &format!("p{at}"),
                &format!("Camiseta “roja” \\ número {at}"),
            )
        })
        .collect();
    shop.bulk("products", "es", &json!(products)).ok();
    let ids: Vec<String> = (1..=20).map(|at| format!("p{at}")).collect();
    let mut ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    ids.sort_unstable();
    shop.until_found("es", &ids);
    shop
}

/// The head of a response in lower case, and its body as it was sent.
fn raw(shop: &Shop, path: &str, body: &Value, accept: &str) -> (String, Vec<u8>) {
    let address = shop.client.base().trim_start_matches("http://").to_owned();
    let text = body.to_string();
    let mut stream = TcpStream::connect(address).expect("connected");
    let request = format!(
        "POST /api/v1{path} HTTP/1.1\r\nHost: x\r\nX-API-Key: {}\r\nContent-Type: application/json\r\nOrigin: https://shop.example\r\n\
         {accept}Connection: close\r\nContent-Length: {}\r\n\r\n{text}",
        shop.public,
        text.len()
    );
    stream.write_all(request.as_bytes()).expect("sent");
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut head).expect("text"), 0, "{head}");
    }
    let mut content = Vec::new();
    reader.read_to_end(&mut content).expect("a whole response");
    (head.to_ascii_lowercase(), content)
}

fn decompressed(bytes: &[u8]) -> Value {
    let json: Value = serde_json::from_reader(GzDecoder::new(bytes)).expect("gzip of JSON");
    json["data"].clone()
}

/// What all that get the response have in common.
fn common(mut data: Value) -> Value {
    for own in ["queryId", "tookMs"] {
        data.as_object_mut().expect("an object").remove(own);
    }
    data
}

#[test]
fn responses_are_compressed_for_those_who_accept_it() {
    let shop = stocked();
    let gzip = "Accept-Encoding: br, gzip\r\n";
    for (path, body) in [
        ("/search", json!({"q": "camiseta", "lang": "es"})),
        ("/suggest", json!({"q": "cam", "lang": "es", "limit": 12})),
    ] {
        let mut ids = Vec::new();
        let (head, plain) = raw(&shop, path, &body, "");
        assert!(
            !head.contains("content-encoding") && head.contains("accept-encoding"),
            "{head}"
        );
        let plain: Value = serde_json::from_slice(&plain).expect("JSON");
        for _ in 0..3 {
            let (head, bytes) = raw(&shop, path, &body, gzip);
            assert!(head.contains("content-encoding: gzip"), "{head}");
            assert!(
                head.contains("vary") && head.contains("accept-encoding"),
                "{head}"
            );
            assert!(bytes.len() * 2 < plain.to_string().len(), "{}", bytes.len());
            let data = decompressed(&bytes);
            assert_eq!(common(data.clone()), common(plain["data"].clone()));
            ids.push(data["queryId"].to_string());
        }
        ids.dedup();
        assert_eq!(ids.len(), 3, "each response has an id of its own");
        let refused = raw(&shop, path, &body, "Accept-Encoding: gzip;q=0\r\n");
        assert!(!refused.0.contains("content-encoding"), "{}", refused.0);
    }
}

#[test]
fn small_responses_and_errors_are_not_compressed() {
    let shop = stocked();
    let gzip = "Accept-Encoding: gzip\r\n";
    let nothing = json!({"q": "zzqqxx", "lang": "es", "types": ["pages"], "facets": false});
    for body in [nothing, json!({"q": 7})] {
        let (head, bytes) = raw(&shop, "/search", &body, gzip);
        assert!(!head.contains("content-encoding"), "{head}");
        assert!(serde_json::from_slice::<Value>(&bytes).is_ok());
    }
}
