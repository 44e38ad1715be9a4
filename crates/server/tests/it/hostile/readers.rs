//! 1. A client that requests much and reads nothing is disconnected after a minute, and costs little memory until then.

use super::meter::{REQUEST_GROWTH_MAX, timed};
use super::target::{Start, Target};
use super::wire::{ATTACKER, connect};
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

/// Clients that read nothing.
const READERS: usize = 20;
/// The request of each, repeatedly: more in total than the system buffers.
const REQUEST: &str = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
/// Requests per client.
const REQUESTS: usize = 60;
/// The maximum time until they are disconnected: the minute, plus the delay of a busy machine.
const GONE_AFTER: Duration = Duration::from_secs(100);

/// Sockets that the process `pid` holds.
fn sockets(pid: u32) -> usize {
    let handles = std::fs::read_dir(format!("/proc/{pid}/fd")).expect("the process lives");
    let targets = handles.filter_map(|handle| std::fs::read_link(handle.ok()?.path()).ok());
    let is_socket = |target: &std::path::PathBuf| target.to_string_lossy().starts_with("socket:");
    targets.filter(is_socket).count()
}

#[test]
fn clients_that_do_not_read_are_disconnected() {
    let target = Target::started(Start {
        beside_others: true,
        ..Start::default()
    });
    let idle = sockets(target.pid);
    let meter = target.meter();
    let reader = |_| {
        let mut stream = connect(target.client().base(), ATTACKER).expect("the server listens");
        stream.set_nonblocking(true).expect("a mode");
        // A request that does not fit is not sent: the server has more than enough to do with the others.
        let _ = stream.write_all(REQUEST.repeat(REQUESTS).as_bytes());
        stream
    };
    let readers: Vec<TcpStream> = (0..READERS).map(reader).collect();
    let ((), took) = timed(|| {
        let gone = || sockets(target.pid) < idle + READERS / 2;
        let waited = |_: &usize| {
            std::thread::park_timeout(Duration::from_millis(250));
            gone()
        };
        // Four checks per second.
        let looks = GONE_AFTER.as_secs() as usize * 4;
        let found = (0..looks).find(waited);
        assert!(
            found.is_some(),
            "readers are still there after {looks} looks"
        );
    });
    println!("{} readers are gone after {took:?}", readers.len());
    meter.assert_within(REQUEST_GROWTH_MAX, "clients that do not read");
    assert!(target.is_ready());
}
