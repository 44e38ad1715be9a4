//! A peer that is not a loopback address, as all are in production: the machine's own address, from which a connection
//! to the server on loopback never leaves the machine.
//!
//! 1. It has 256 connections, and one more is closed at once; the other store is not affected.
//! 2. From its 61st bad key within a minute on it gets 429 with `Retry-After`; valid keys and other addresses do not.
//! 3. Its bodies are rejected like those of a program on the same machine: with the same errors, within the same bounds.
//! 4. The metrics of the server's own address are not for it.

use super::connections::{PER_ADDRESS, PROBE, responsive};
use super::meter::{MIB, REQUEST_GROWTH_MAX};
use super::payload::{KINDS, body};
use super::target::Target;
use super::wire::{Raw, connect, head, own_address, receive, send};
use crate::harness::eventually;
use std::net::Ipv4Addr;

/// The maximum size of an error response.
const ERROR_BYTES_MAX: usize = 64 * 1024;
/// Attempts with a bad key that an address has in a minute.
const ATTEMPTS: usize = 60;

/// The machine's own address; `None`, with a message, on a machine without a network.
fn peer() -> Option<Ipv4Addr> {
    let address = own_address();
    if address.is_none() {
        println!("SKIPPED: this machine has no address besides loopback");
    }
    address
}

fn request(target: &Target, from: Ipv4Addr, head: &str, body: &[u8]) -> Raw {
    let mut stream = connect(target.client().base(), from).expect("the server listens");
    send(&mut stream, head, body).expect("the server reads it");
    receive(&mut stream).expect("a response")
}

#[test]
fn connections_of_a_remote_address_are_limited() {
    let Some(peer) = peer() else { return };
    let target = Target::open();
    target.with_bystander(|| {
        let accepted = |_| responsive(&target, peer).expect("it is accepted");
        let mut streams: Vec<_> = (0..PER_ADDRESS).map(accepted).collect();
        for _ in 0..20 {
            assert!(responsive(&target, peer).is_none(), "one more is closed");
        }
        for stream in &mut streams {
            send(stream, PROBE, b"").expect("the others stay open");
            assert_eq!(receive(stream).expect("a response").status, 200);
        }
        assert!(
            responsive(&target, Ipv4Addr::LOCALHOST).is_some(),
            "from elsewhere"
        );
        streams.truncate(PER_ADDRESS / 2);
        eventually("others are let in again", || {
            responsive(&target, peer).is_some()
        });
    });
}

#[test]
fn bad_keys_of_a_remote_address_are_counted() {
    let Some(peer) = peer() else { return };
    let target = Target::open();
    let bad = head(
        "GET",
        "/api/v1/me",
        "cfg_unknown_0123456789012345678901234567890",
        0,
    );
    let valid = head("GET", "/api/v1/me", &target.attacker.write_key, 0);
    // A minute may end in between, after which the count starts again.
    let limited = (0..=2 * ATTEMPTS)
        .map(|_| request(&target, peer, &bad, b""))
        .find(|reply| reply.status != 401)
        .expect("one attempt too many");
    assert_eq!(limited.status, 429, "{limited:?}");
    assert!(limited.head.contains("\r\nretry-after: "), "{limited:?}");
    assert_eq!(request(&target, peer, &valid, b"").status, 200);
    let elsewhere = request(&target, Ipv4Addr::LOCALHOST, &bad, b"");
    assert_eq!(elsewhere.status, 401, "{elsewhere:?}");
}

#[test]
fn bodies_of_a_remote_address_are_rejected_within_the_bounds() {
    let Some(peer) = peer() else { return };
    let target = Target::open();
    let fields = [
        "q".to_owned(),
        "filters".to_owned(),
        "name".to_owned(),
        "boosts".to_owned(),
    ];
    let relevance = format!("/api/v1/stores/{}/relevance", target.attacker.store);
    let requests = [
        ("POST", "/api/v1/search", &target.attacker.public),
        ("PUT", &relevance, &target.attacker.write_key),
        (
            "POST",
            "/api/v1/feed/products/bulk",
            &target.attacker.connector,
        ),
    ];
    target.with_bystander(|| {
        for (method, path, key) in requests {
            for kind in KINDS {
                let what = format!("{path} {kind:?}");
                let body = body(kind, &fields, 200_000);
                let head = head(method, path, key, body.len());
                let meter = target.meter();
                let remote = request(&target, peer, &head, &body);
                meter.assert_within(REQUEST_GROWTH_MAX, &what);
                let local = request(&target, Ipv4Addr::LOCALHOST, &head, &body);
                assert_eq!(remote.status, local.status, "{what}");
                assert!((400..500).contains(&remote.status), "{what}: {remote:?}");
                assert!(remote.body.len() <= ERROR_BYTES_MAX, "{what}");
                assert_eq!(without_id(&remote), without_id(&local), "{what}");
            }
        }
        let large = head(
            "PUT",
            &relevance,
            &target.attacker.write_key,
            3 * MIB as usize,
        );
        let reply = request(&target, peer, &large, b"{");
        assert_eq!(reply.status, 413, "{reply:?}");
    });
}

/// The body without the id of the request, which differs each time.
fn without_id(reply: &Raw) -> String {
    let mut body: serde_json::Value = serde_json::from_slice(&reply.body).expect("JSON");
    body["requestId"].take();
    body.to_string()
}

#[test]
fn metrics_are_not_for_a_remote_address() {
    let Some(peer) = peer() else { return };
    let target = Target::open();
    let metrics = head("GET", "/metrics", "", 0);
    assert_eq!(
        request(&target, Ipv4Addr::LOCALHOST, &metrics, b"").status,
        200
    );
    let rejected = request(&target, peer, &metrics, b"");
    assert_eq!(rejected.status, 403, "{rejected:?}");
}
