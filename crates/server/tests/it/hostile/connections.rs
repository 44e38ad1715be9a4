//! 1. One address has 256 connections; one more is closed at once, and who comes from elsewhere notices nothing.
//! 2. When some of them end, others are let in again.
//! 3. `--connections-per-address 0` lifts the bound; another number sets it.
//! 4. At 4,096 connections in all the one that was idle longest gives way, so that a new one is answered.

use super::target::{Start, Target};
use super::wire::{ATTACKER, connect, is_closed, receive, send};
use crate::harness::eventually;
use std::net::{Ipv4Addr, TcpStream};
use std::process::Command;

/// Connections of one address.
const PER_ADDRESS: usize = 256;
/// Connections of all.
const IN_ALL: usize = 4_096;
const PROBE: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// A connection that was answered once; none when it is closed instead.
fn answered(target: &Target, from: Ipv4Addr) -> Option<TcpStream> {
    let mut stream = connect(target.client().base(), from).ok()?;
    send(&mut stream, PROBE, b"").ok()?;
    let reply = receive(&mut stream)?;
    assert_eq!(reply.status, 200, "{reply:?}");
    Some(stream)
}

fn all_answered(target: &Target, from: Ipv4Addr, count: usize) -> Vec<TcpStream> {
    (0..count)
        .map(|at| answered(target, from).unwrap_or_else(|| panic!("connection {at} is closed")))
        .collect()
}

#[test]
fn one_address_has_256_connections() {
    let target = Target::open();
    target.beside(|| {
        let mut streams = all_answered(&target, ATTACKER, PER_ADDRESS);
        for _ in 0..20 {
            assert!(answered(&target, ATTACKER).is_none(), "one more is closed");
        }
        for stream in &mut streams {
            send(stream, PROBE, b"").expect("the others stay open");
            let reply = receive(stream).expect("the others are answered");
            assert_eq!(reply.status, 200);
        }
        let elsewhere = Ipv4Addr::new(127, 0, 0, 3);
        assert!(answered(&target, elsewhere).is_some(), "from elsewhere");
        streams.truncate(PER_ADDRESS / 2);
        eventually("others are let in again", || {
            answered(&target, ATTACKER).is_some()
        });
    });
    let metrics = target.client().call("GET", "/metrics").send();
    let mut lines = metrics.text.lines();
    let refused = lines.any(|line| {
        line.starts_with("findwell_refused_connections_total") && !line.ends_with(" 0")
    });
    assert!(refused, "refused connections are counted: {}", metrics.text);
}

#[test]
fn the_bound_of_an_address_can_be_set_and_lifted() {
    let of = |number: &'static str| {
        Target::started(Start {
            options: vec!["--connections-per-address", number],
            ..Start::default()
        })
    };
    let three = of("3");
    let _held = all_answered(&three, ATTACKER, 3);
    assert!(answered(&three, ATTACKER).is_none());
    drop(three);
    let without = of("0");
    let streams = all_answered(&without, ATTACKER, PER_ADDRESS + 50);
    assert_eq!(streams.len(), PER_ADDRESS + 50);
}

#[test]
fn the_connection_that_was_idle_longest_gives_way() {
    let own = std::process::id().to_string();
    let arguments = ["--pid", own.as_str(), "--nofile=12000:"];
    let raised = Command::new("prlimit").args(arguments).status();
    if !raised.is_ok_and(|status| status.success()) {
        println!("SKIPPED: the limit of open files cannot be raised");
        return;
    }
    let target = Target::started(Start {
        options: vec!["--connections-per-address", "0"],
        ..Start::default()
    });
    target.beside(|| {
        let mut streams = all_answered(&target, ATTACKER, IN_ALL + 50);
        assert!(is_closed(&mut streams[0]), "the first one gave way");
        let last = streams.last_mut().expect("a connection");
        send(last, PROBE, b"").expect("it is open");
        assert!(receive(last).is_some(), "the last one is answered");
    });
}
