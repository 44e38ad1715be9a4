//! 1. All bodies together raise the peak of memory by at most 512 MiB, however they arrive: large ones completed by
//!    their last byte at the same time, and compressed blocks that decompress to many small values.
//! 2. One compressed block raises it by at most 128 MiB.
//! 3. An error for lack of memory says when to retry.

use super::meter::{BLOCK_GROWTH_MAX, MIB, REQUEST_GROWTH_MAX, TOTAL_GROWTH_MAX};
use super::payload::{gzip, list};
use super::target::Target;
use super::wire::{ATTACKER, connect, head, receive, send};
use std::net::TcpStream;

/// The size of a search close to the maximum.
const SEARCH_BYTES: usize = 250 * 1024;

/// A block whose only document has a list of very many small objects.
fn block(bytes: usize) -> Vec<u8> {
    let items = list("{\"a\":0}", bytes);
    let documents = format!("[{{\"id\":\"1\",\"name\":\"x\",\"more\":{items}}}]");
    format!("{{\"language\":\"es\",\"documents\":{documents}}}").into_bytes()
}

#[test]
fn one_compressed_block_stays_within_the_bound_of_a_block() {
    let target = Target::open();
    let small = gzip(&block(1_000));
    let large = gzip(&block(8_000_000));
    let post = |body: &[u8]| {
        let call = target.api("POST", "/feed/products/bulk", &target.attacker.connector);
        let call = call.header("Content-Encoding", "gzip").raw_json(body);
        call.send()
    };
    post(&small).ok();
    target.with_bystander(|| {
        let meter = target.meter();
        let reply = post(&large);
        meter.assert_within(BLOCK_GROWTH_MAX, "a block of 8 MB of small objects");
        let rejected = &reply.ok().json["data"]["rejected"][0];
        assert_eq!(rejected["code"], "invalid_document", "{rejected}");
    });
}

#[test]
fn concurrent_compressed_blocks_share_one_budget() {
    let target = Target::open();
    let compressed = gzip(&block(8_000_000));
    target.with_bystander(|| {
        let meter = target.meter();
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let call =
                        target.api("POST", "/feed/products/bulk", &target.attacker.connector);
                    let call = call
                        .header("Content-Encoding", "gzip")
                        .raw_json(&compressed[..]);
                    let reply = call.send();
                    let waits = reply.status == 503 && !reply.header("retry-after").is_empty();
                    assert!(waits || reply.status < 300, "{reply:?}");
                });
            }
        });
        meter.assert_within(TOTAL_GROWTH_MAX, "three concurrent compressed blocks");
    });
}

/// Connections that have sent all but the last byte of their body.
fn all_but_last_byte(target: &Target, count: usize, body: &[u8]) -> Vec<TcpStream> {
    let head = head(
        "POST",
        "/api/v1/search",
        &target.attacker.public,
        body.len(),
    );
    let hold = |_| {
        let mut stream = connect(target.client().base(), ATTACKER).expect("the server listens");
        // A server that rejects at once may close before everything is sent.
        let _ = send(&mut stream, &head, &body[..body.len() - 1]);
        stream
    };
    (0..count).map(hold).collect()
}

#[test]
fn concurrent_large_searches_share_one_budget() {
    let target = Target::open();
    let items = list("{\"a\":0}", SEARCH_BYTES);
    let body = format!("{{\"q\":\"\",\"filters\":{{\"manufacturer\":{items}}}}}").into_bytes();
    let mut alone = all_but_last_byte(&target, 1, &body);
    let meter = target.meter();
    let mut first = alone.pop().expect("a connection");
    let _ = send(&mut first, "", &body[body.len() - 1..]);
    receive(&mut first)
        .expect("a response")
        .assert_retry_after();
    meter.assert_within(REQUEST_GROWTH_MAX, "one large search");
    drop(first);

    let meter = target.meter();
    target.with_bystander(|| {
        let mut streams = all_but_last_byte(&target, 100, &body);
        for stream in &mut streams {
            let _ = send(stream, "", &body[body.len() - 1..]);
        }
        for stream in &mut streams {
            // A connection rejected while it sent may be closed before its response is read.
            if let Some(reply) = receive(stream) {
                reply.assert_retry_after();
                assert!(reply.status != 500, "{reply:?}");
                assert!(reply.body.len() <= 64 * 1024, "{} bytes", reply.body.len());
            }
        }
    });
    meter.assert_within(TOTAL_GROWTH_MAX, "100 concurrent large searches");
    assert!(meter.growth() < 8 * 1024 * MIB, "the meter works");
}
