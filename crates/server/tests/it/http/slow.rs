//! 1. A connection whose head does not arrive in time is closed, and so is one that is idle too long.
//! 2. A body that stops arriving, or arrives in drops, is 408 in the envelope.
//! 3. Heads that are too large are rejected, and the server goes on.

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

/// Everything the server sends until it closes the connection.
fn read_until_closed(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset ends a connection just as a close does.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn an_incomplete_head_closes_the_connection() {
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
        let received = read_until_closed(stream);
        assert!(!received.contains("200 OK"), "{begun:?}: {received}");
    }
    let mut stream = connect(&shop);
    stream
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        .expect("sent");
    assert!(
        read_until_closed(stream).contains("200 OK"),
        "a response, then closed"
    );
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
fn a_body_that_stops_arriving_is_408() {
    let shop = shop(Patience {
        head: LONG,
        pause: SHORT,
        body: LONG,
        ..Patience::default()
    });
    let received = read_until_closed(put(&shop, 10));
    assert!(received.starts_with("HTTP/1.1 408"), "{received}");
    assert!(
        received.contains("\"code\":\"request_timeout\""),
        "{received}"
    );
}

#[test]
fn a_body_that_arrives_in_drops_is_408() {
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
    let mut received = [0; 12];
    while reader.read_exact(&mut received).is_err() {
        // Once the server has closed, its response waits to be read.
        let _ = stream.write_all(b" ");
    }
    assert_eq!(&received, b"HTTP/1.1 408");
}

#[test]
fn a_head_that_is_too_large_is_rejected() {
    let shop = Shop::open();
    let mut stream = connect(&shop);
    let large = format!("GET /healthz HTTP/1.1\r\nX: {}\r\n", "x".repeat(1 << 20));
    // The server may stop reading before everything is sent.
    let _ = stream.write_all(large.as_bytes());
    let received = read_until_closed(stream);
    assert!(!received.contains("200 OK"), "{received}");

    let many: String = (0..200).map(|n| format!("X-{n}: x\r\n")).collect();
    let mut stream = connect(&shop);
    let head = format!("GET /healthz HTTP/1.1\r\nHost: x\r\n{many}\r\n");
    stream.write_all(head.as_bytes()).expect("sent");
    assert!(read_until_closed(stream).starts_with("HTTP/1.1 431"));
    shop.client.call("GET", "/healthz").send().ok();
}
