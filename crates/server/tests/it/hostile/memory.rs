//! 1. All bodies at once raise the peak of memory by at most 512 MiB, however they arrive: large ones that are held back
//!    by their last byte and then come together, and packed blocks that unpack to many small values.
//! 2. One packed block raises it by at most 128 MiB.
//! 3. Who is refused meanwhile is told when to come again.

use super::meter::{BLOCK_GROWTH_MAX, MIB, REQUEST_GROWTH_MAX, TOTAL_GROWTH_MAX};
use super::payload::{gzip, list};
use super::target::Target;
use super::wire::{ATTACKER, connect, head, receive, send};
use std::net::TcpStream;

/// Bytes of a search that is as large as may be.
const SEARCH_BYTES: usize = 250 * 1024;

/// A block whose only document has a list of very many small objects.
fn block(bytes: usize) -> Vec<u8> {
    let items = list("{\"a\":0}", bytes);
    let documents = format!("[{{\"id\":\"1\",\"name\":\"x\",\"more\":{items}}}]");
    format!("{{\"language\":\"es\",\"documents\":{documents}}}").into_bytes()
}

#[test]
fn one_packed_block_stays_within_the_bound_of_a_block() {
    let target = Target::open();
    let small = gzip(&block(1_000));
    let large = gzip(&block(8_000_000));
    let post = |body: &[u8]| {
        let call = target.api("POST", "/feed/products/bulk", &target.attacker.connector);
        let packed = call.header("Content-Encoding", "gzip").raw_json(body);
        packed.send()
    };
    post(&small).ok();
    target.beside(|| {
        let meter = target.meter();
        let reply = post(&large);
        meter.assert_within(BLOCK_GROWTH_MAX, "a block of 8 MB of small objects");
        let rejected = &reply.ok().json["data"]["rejected"][0];
        assert_eq!(rejected["code"], "invalid_document", "{rejected}");
    });
}

#[test]
fn packed_blocks_that_come_at_once_share_one_budget() {
    let target = Target::open();
    let packed = gzip(&block(8_000_000));
    target.beside(|| {
        let meter = target.meter();
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let call =
                        target.api("POST", "/feed/products/bulk", &target.attacker.connector);
                    let call = call
                        .header("Content-Encoding", "gzip")
                        .raw_json(&packed[..]);
                    let reply = call.send();
                    let waits = reply.status == 503 && !reply.header("retry-after").is_empty();
                    assert!(waits || reply.status < 300, "{reply:?}");
                });
            }
        });
        meter.assert_within(TOTAL_GROWTH_MAX, "three packed blocks at once");
    });
}

/// Connections that have sent all of their body but its last byte.
fn held_back(target: &Target, count: usize, body: &[u8]) -> Vec<TcpStream> {
    let head = head(
        "POST",
        "/api/v1/search",
        &target.attacker.public,
        body.len(),
    );
    let hold = |_| {
        let mut stream = connect(target.client().base(), ATTACKER).expect("the server listens");
        // A server that refuses at once may close before all is sent.
        let _ = send(&mut stream, &head, &body[..body.len() - 1]);
        stream
    };
    (0..count).map(hold).collect()
}

#[test]
fn large_searches_that_end_at_once_share_one_budget() {
    let target = Target::open();
    let items = list("{\"a\":0}", SEARCH_BYTES);
    let body = format!("{{\"q\":\"\",\"filters\":{{\"manufacturer\":{items}}}}}").into_bytes();
    let mut alone = held_back(&target, 1, &body);
    let meter = target.meter();
    let mut first = alone.pop().expect("a connection");
    let _ = send(&mut first, "", &body[body.len() - 1..]);
    receive(&mut first).expect("a response").assert_says_when();
    meter.assert_within(REQUEST_GROWTH_MAX, "one large search");
    drop(first);

    let meter = target.meter();
    target.beside(|| {
        let mut streams = held_back(&target, 100, &body);
        for stream in &mut streams {
            let _ = send(stream, "", &body[body.len() - 1..]);
        }
        for stream in &mut streams {
            // One that was refused while it sent may be closed before its response is read.
            if let Some(reply) = receive(stream) {
                reply.assert_says_when();
                assert!(reply.status != 500, "{reply:?}");
                assert!(reply.body.len() <= 64 * 1024, "{} bytes", reply.body.len());
            }
        }
    });
    meter.assert_within(TOTAL_GROWTH_MAX, "100 large searches at once");
    assert!(meter.growth() < 8 * 1024 * MIB, "the meter works");
}
