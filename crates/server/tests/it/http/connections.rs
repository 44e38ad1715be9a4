//! 1. An address has a maximum number of connections; one more is closed at once and counted.
//! 2. At the limit of all connections, the one that was idle longest is closed in favour of a new one.
//! 3. A client that does not read its response is disconnected.

use crate::harness::{Shop, eventually};
use server::boot::{ConnectionLimits, Patience};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(30);

fn shop(all: usize, per_address: usize) -> Shop {
    Shop::open_with(|options| options.connections = ConnectionLimits { all, per_address })
}

fn connect(shop: &Shop) -> TcpStream {
    let address = shop.client.base().trim_start_matches("http://");
    let stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(LONG)).expect("a limit");
    stream
}

/// Sends a request on a connection that stays open; whether the response is 200.
fn responds(stream: &mut TcpStream) -> bool {
    let sent = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    let mut head = [0; 12];
    sent.is_ok() && stream.read_exact(&mut head).is_ok() && &head == b"HTTP/1.1 200"
}

fn metric(shop: &Shop, name: &str) -> Option<String> {
    let text = shop.client.call("GET", "/metrics").try_send()?.text;
    let line = text.lines().find(|line| line.starts_with(name))?.to_owned();
    line.rsplit(' ').next().map(str::to_owned)
}

#[test]
fn connections_of_an_address_are_limited() {
    let shop = shop(100, 20);
    let mut open: Vec<TcpStream> = Vec::new();
    // The shop's own client holds one or two.
    eventually("one more is closed", || {
        let mut stream = connect(&shop);
        let ok = responds(&mut stream);
        if ok {
            open.push(stream);
        }
        !ok
    });
    assert!((15..=20).contains(&open.len()), "{} are open", open.len());
    drop(open);
    eventually("the others are gone", || {
        metric(&shop, "findwell_connections ").is_some_and(|open| open.len() == 1)
    });
    let rejected = metric(&shop, "findwell_refused_connections_total ");
    assert!(rejected.is_some_and(|rejected| rejected != "0"));
}

#[test]
fn the_longest_idle_connection_is_closed_for_a_new_one() {
    let shop = shop(10, 0);
    let mut first = connect(&shop);
    assert!(responds(&mut first));
    let mut others = Vec::new();
    for _ in 0..15 {
        let mut stream = connect(&shop);
        assert!(responds(&mut stream), "a new connection is accepted");
        others.push(stream);
    }
    let mut rest = Vec::new();
    let closed = first.read_to_end(&mut rest);
    assert!(
        closed.is_ok() || closed.is_err_and(|e| e.kind() == std::io::ErrorKind::ConnectionReset),
        "the first one was closed"
    );
    let mut last = others.pop().expect("fifteen");
    let mut rest = [0; 4096];
    let _ = last.read(&mut rest).expect("the rest of its response");
    assert!(responds(&mut last), "the last one stays open");
}

#[test]
fn a_client_that_does_not_read_is_disconnected() {
    let shop = Shop::open_with(|options| {
        options.patience = Patience {
            taking: Duration::from_millis(300),
            ..Patience::default()
        };
    });
    let mut stream = connect(&shop);
    let request = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    // Far more than the buffers of both ends hold, while nobody reads.
    let mut sent_requests = 0;
    stream.set_write_timeout(Some(LONG)).expect("a limit");
    eventually("the connection is given up", || {
        sent_requests += 1;
        stream.write_all(request.as_bytes()).is_err()
    });
    assert!(sent_requests > 1);
    shop.client.call("GET", "/healthz").send().ok();
}
