//! 1. A connection whose head does not come in time is closed, and so is one that rests too long.
//! 2. A body that stops coming, or comes in drops, is 408 in the envelope.
//! 3. Heads that are too large are refused, and the server goes on.

use crate::harness::Shop;
use server::boot::Patience;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const SHORT: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_secs(30);

fn shop(patience: Patience) -> Shop {
    Shop::open_with(|options| options.patience = patience)
}

fn connect(shop: &Shop) -> TcpStream {
    let address = shop.client.base().trim_start_matches("http://");
    let stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(LONG)).expect("a limit");
    stream
}

/// All that the server sends until it closes the connection.
fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset ends a connection as well as a close.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn a_head_that_does_not_come_closes_the_connection() {
    let shop = shop(Patience {
        head: SHORT,
        pause: LONG,
        body: LONG,
        ..Patience::default()
    });
    for begun in [
        "",
        "GET /healthz HT",
        "GET /healthz HTTP/1.1\r\nHost: x\r\n",
    ] {
        let mut stream = connect(&shop);
        stream.write_all(begun.as_bytes()).expect("sent");
        let told = rest(stream);
        assert!(!told.contains("200 OK"), "{begun:?}: {told}");
    }
    let mut stream = connect(&shop);
    stream
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        .expect("sent");
    assert!(rest(stream).contains("200 OK"), "answered, then closed");
}

fn put(shop: &Shop, length: usize) -> TcpStream {
    let mut stream = connect(shop);
    let head = format!(
        "PUT /api/v1/stores/{}/relevance HTTP/1.1\r\nHost: x\r\nX-API-Key: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{{",
        shop.store, shop.write_key
    );
    stream.write_all(head.as_bytes()).expect("sent");
    stream
}

#[test]
fn a_body_that_stops_coming_is_408() {
    let shop = shop(Patience {
        head: LONG,
        pause: SHORT,
        body: LONG,
        ..Patience::default()
    });
    let told = rest(put(&shop, 10));
    assert!(told.starts_with("HTTP/1.1 408"), "{told}");
    assert!(told.contains("\"code\":\"request_timeout\""), "{told}");
}

#[test]
fn a_body_that_comes_in_drops_is_408() {
    let shop = shop(Patience {
        head: LONG,
        pause: LONG,
        body: SHORT,
        ..Patience::default()
    });
    let mut stream = put(&shop, 1_000_000);
    let mut reader = stream.try_clone().expect("a second handle");
    reader
        .set_read_timeout(Some(Duration::from_millis(10)))
        .expect("a limit");
    let mut told = [0; 12];
    while reader.read_exact(&mut told).is_err() {
        // Once the server has closed, its answer waits to be read.
        let _ = stream.write_all(b" ");
    }
    assert_eq!(&told, b"HTTP/1.1 408");
}

#[test]
fn a_head_that_is_too_large_is_refused() {
    let shop = Shop::open();
    let mut stream = connect(&shop);
    let large = format!("GET /healthz HTTP/1.1\r\nX: {}\r\n", "x".repeat(1 << 20));
    // The server may stop reading before all is sent.
    let _ = stream.write_all(large.as_bytes());
    let told = rest(stream);
    assert!(!told.contains("200 OK"), "{told}");

    let many: String = (0..200).map(|n| format!("X-{n}: x\r\n")).collect();
    let mut stream = connect(&shop);
    let head = format!("GET /healthz HTTP/1.1\r\nHost: x\r\n{many}\r\n");
    stream.write_all(head.as_bytes()).expect("sent");
    assert!(rest(stream).starts_with("HTTP/1.1 431"));
    shop.client.call("GET", "/healthz").send().ok();
}
