//! 1. A store that delays many large bodies gets at most a quarter of the budget: another store's large block is
//!    accepted meanwhile.
//! 2. A body of up to 16 KiB never waits for the budget, neither another store's nor the attacker's own.
//! 3. Delayed bodies get a response or an error, and release their share of the budget.

use super::meter::{TOTAL_GROWTH_MAX, timed};
use super::payload::gzip;
use super::target::{Target, retrying};
use super::wire::{ATTACKER, connect, head, receive, send};
use crate::harness::eventually;
use serde_json::json;
use std::time::Duration;

/// Bodies that are delayed.
const HELD: usize = 150;
/// The maximum time of a small body while the budget is exhausted.
const AT_ONCE: Duration = Duration::from_secs(2);

#[test]
fn delayed_bodies_delay_their_own_store_only() {
    let target = Target::open();
    let body = vec![b' '; 1_000_000];
    let path = format!("/api/v1/stores/{}/widget", target.attacker.store);
    let head = head("PUT", &path, &target.attacker.write_key, body.len());
    let meter = target.meter();
    let held = target.with_bystander(|| {
        let mut held = Vec::new();
        for _ in 0..HELD {
            let mut stream = connect(target.client().base(), ATTACKER).expect("the server listens");
            // Bodies beyond the budget are not read, so sending them must not block.
            stream.set_nonblocking(true).expect("a mode");
            let _ = send(&mut stream, &head, &body[..body.len() - 1]);
            held.push(stream);
        }
        large_block_of_the_bystander(&target);
        let small = json!({"colors": {"primary": "#1a6b5c"}});
        for _ in 0..5 {
            let (reply, took) = timed(|| target.own("PUT", "/widget").json(&small).send());
            assert_eq!(reply.status, 200, "a small body waits: {reply:?}");
            assert!(took < AT_ONCE, "a small body waits {took:?}");
        }
        held
    });
    for mut stream in held {
        stream.set_nonblocking(false).expect("a mode");
        stream
            .shutdown(std::net::Shutdown::Write)
            .unwrap_or_default();
        if let Some(reply) = receive(&mut stream) {
            reply.assert_retry_after();
            assert_ne!(reply.status, 500, "{reply:?}");
        }
    }
    meter.assert_within(TOTAL_GROWTH_MAX, "bodies that are held back");
    eventually("the attacker's large bodies are read again", || {
        let large = json!({"translations": {"es": {"placeholder": "x".repeat(100_000)}}});
        target.own("PUT", "/widget").json(&large).send().status == 400
    });
}

/// Sends a block of some megabytes, which decompresses to more than a quarter of the budget that is left would allow.
fn large_block_of_the_bystander(target: &Target) {
    let documents: Vec<_> = (0..100)
        .map(|at| json!({"id": at.to_string(), "name": "Bota", "description": "bota ".repeat(3_900)}))
        .collect();
    let body = json!({"language": "es", "documents": documents}).to_string();
    let compressed = gzip(body.as_bytes());
    let send = || {
        let call = target.api("POST", "/feed/products/bulk", &target.bystander.connector);
        let call = call.header("Content-Encoding", "gzip");
        call.raw_json(&compressed[..]).send()
    };
    // It may be rejected for the lag of its own index, which the bystander's other blocks see too.
    retrying(send).ok();
}
