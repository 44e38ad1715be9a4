//! 1. A server that accepts and sends nothing, ends in its head, or stops in its body is `timeout`.
//! 2. One that sends less than the bound over the window is `timeout`, however often something comes.
//! 3. A fetch that takes longer than it may in all is `timeout`.

use super::server::{TestLookup, TestServer, fetch, fetch_within, loopback, request};
use fetching::{FetchBounds, FetchClient, FetchCode};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

fn tiny() -> FetchBounds {
    FetchBounds {
        connect: Duration::from_secs(5),
        head: Duration::from_millis(100),
        slow_window: Duration::from_millis(100),
        ..FetchBounds::default()
    }
}

/// Keeps the connection open until the client closes it.
fn wait(stream: &mut TcpStream) {
    let _ = stream.read(&mut [0; 1]);
}

#[test]
fn a_server_that_stops_is_not_waited_for() {
    for sent in [
        "",
        "HTTP/1.1 200 OK\r\nContent-",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ] {
        let server = TestServer::new(move |_, stream| {
            let _ = stream.write_all(sent.as_bytes());
            wait(stream);
        });
        let (fetched, _) = fetch_within(&server, "/", tiny());
        assert_eq!(fetched.expect_err(sent).code, FetchCode::Timeout, "{sent}");
    }
}

/// A client whose clock advances by `step` with each look at it.
fn stepping(step: Duration, bounds: FetchBounds) -> FetchClient {
    static START: OnceLock<Instant> = OnceLock::new();
    #[expect(clippy::disallowed_methods, reason = "only differences to it count")]
    let start = *START.get_or_init(Instant::now);
    let looks = Arc::new(AtomicU64::new(0));
    let clock = move || {
        let looks = looks.fetch_add(1, Ordering::SeqCst);
        start + step * u32::try_from(looks).unwrap_or(u32::MAX)
    };
    FetchClient::with(loopback(), bounds, TestLookup::new(&[])).timed_by(Arc::new(clock))
}

fn trickling() -> TestServer {
    TestServer::new(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        while stream.write_all(b"x").is_ok() {}
    })
}

#[test]
fn a_slow_server_is_not_waited_for() {
    // Whatever comes at a time, it is a second after what came before.
    let bounds = FetchBounds {
        slow_bytes: u64::MAX,
        ..FetchBounds::default()
    };
    let server = trickling();
    let client = stepping(Duration::from_secs(1), bounds);
    let wanted = request(loopback().check(&server.address("/")).expect("allowed"));
    let fault = fetch(&client, &wanted).0.expect_err("slow");
    assert_eq!(fault.code, FetchCode::Timeout);
}

#[test]
fn an_hour_is_the_end() {
    let bounds = FetchBounds {
        slow_bytes: 0,
        ..FetchBounds::default()
    };
    let server = trickling();
    let client = stepping(Duration::from_secs(100), bounds);
    let wanted = request(loopback().check(&server.address("/")).expect("allowed"));
    let fault = fetch(&client, &wanted).0.expect_err("an hour");
    assert_eq!(fault.code, FetchCode::Timeout);
}
