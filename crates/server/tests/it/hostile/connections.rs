//! 1. One address has 256 connections; one more is closed at once, and clients at other addresses are not affected.
//! 2. When some of them end, others are accepted again.
//! 3. `--connections-per-address 0` lifts the bound; another number sets it.
//! 4. At 4,096 connections in total the one that was idle longest is closed in favour of a new one.

use super::target::{Start, Target};
use super::wire::{ATTACKER, connect, is_closed, receive, send};
use crate::harness::eventually;
use std::net::{Ipv4Addr, TcpStream};
use std::process::Command;

/// The maximum of connections per address.
pub(super) const PER_ADDRESS: usize = 256;
/// The maximum of connections in total.
const IN_TOTAL: usize = 4_096;
/// A request that needs no key.
pub(super) const PROBE: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// A connection that got one response; `None` if it was closed instead.
pub(super) fn responsive(target: &Target, from: Ipv4Addr) -> Option<TcpStream> {
    let mut stream = connect(target.client().base(), from).ok()?;
    send(&mut stream, PROBE, b"").ok()?;
    let reply = receive(&mut stream)?;
    assert_eq!(reply.status, 200, "{reply:?}");
    Some(stream)
}

fn all_responsive(target: &Target, from: Ipv4Addr, count: usize) -> Vec<TcpStream> {
    (0..count)
        .map(|at| responsive(target, from).unwrap_or_else(|| panic!("connection {at} is closed")))
        .collect()
}

#[test]
fn one_address_has_256_connections() {
    let target = Target::open();
    target.with_bystander(|| {
        let mut streams = all_responsive(&target, ATTACKER, PER_ADDRESS);
        for _ in 0..20 {
            assert!(
                responsive(&target, ATTACKER).is_none(),
                "one more is closed"
            );
        }
        for stream in &mut streams {
            send(stream, PROBE, b"").expect("the others stay open");
            let reply = receive(stream).expect("the others get a response");
            assert_eq!(reply.status, 200);
        }
        let elsewhere = Ipv4Addr::new(127, 0, 0, 3);
        assert!(responsive(&target, elsewhere).is_some(), "from elsewhere");
        streams.truncate(PER_ADDRESS / 2);
        eventually("others are let in again", || {
            responsive(&target, ATTACKER).is_some()
        });
    });
    let metrics = target.client().call("GET", "/metrics").send();
    let mut lines = metrics.text.lines();
    let rejected = lines.any(|line| {
        line.starts_with("findwell_refused_connections_total") && !line.ends_with(" 0")
    });
    assert!(
        rejected,
        "rejected connections are counted: {}",
        metrics.text
    );
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
    let _held = all_responsive(&three, ATTACKER, 3);
    assert!(responsive(&three, ATTACKER).is_none());
    drop(three);
    let without = of("0");
    let streams = all_responsive(&without, ATTACKER, PER_ADDRESS + 50);
    assert_eq!(streams.len(), PER_ADDRESS + 50);
}

#[test]
fn the_longest_idle_connection_is_closed_for_a_new_one() {
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
    target.with_bystander(|| {
        let mut streams = all_responsive(&target, ATTACKER, IN_TOTAL + 50);
        assert!(is_closed(&mut streams[0]), "the first one gave way");
        let last = streams.last_mut().expect("a connection");
        send(last, PROBE, b"").expect("it is open");
        assert!(receive(last).is_some(), "the last one gets a response");
    });
}
