//! 1. While one store clears a large index repeatedly, from many connections, another one's blocks, configuration
//!    writes and searches go on, and each of its writes takes at most a second.
//! 2. `/readyz` responds at once meanwhile.
//! 3. Once a clear is acknowledged its index is empty for shoppers, even if the server is killed right after it.

use super::meter::{shortest, time_max, timed};
use super::target::Target;
use crate::harness::eventually;
use serde_json::{Value, json};
use std::time::Duration;

/// Documents of the large index: enough for a clear to take many batches.
const DOCUMENTS: usize = 12_000;
/// Connections that clear concurrently.
const CLEARING: usize = 16;
/// Clears per connection.
const ROUNDS: usize = 6;
/// The maximum time of one write of another store.
const WRITE_MAX: Duration = time_max(Duration::from_secs(1));
/// The maximum of the median time of a probe.
const PROBE_MAX: Duration = time_max(Duration::from_millis(200));

fn fill(target: &Target) {
    for block in 0..DOCUMENTS / 500 {
        let documents: Vec<Value> = (0..500)
            .map(|at| json!({"id": format!("{block}-{at}"), "name": "Sandalia"}))
            .collect();
        target.bulk(&documents);
    }
    eventually("all are found", || {
        target.attacker.total(target.client(), "sandalia") == DOCUMENTS as u64
    });
}

fn clear(target: &Target) -> u16 {
    let call = target
        .attacker
        .feed(target.client(), "/products/clear", &json!({}));
    let reply = call.send();
    let waits = reply.status == 503 && !reply.header("retry-after").is_empty();
    assert!(waits || reply.status == 200, "{reply:?}");
    reply.status
}

#[test]
fn clears_of_one_store_do_not_delay_another() {
    let mut target = Target::open();
    fill(&target);
    let path = format!("/stores/{}/relevance", target.bystander.store);
    let save = |boost: usize| {
        let call = target.api("PUT", &path, &target.bystander.write_key);
        let body = json!({"searchSettings": {"stockBoost": boost}});
        call.json(&body).send().ok();
    };
    let mut writes = Vec::new();
    let mut probes = Vec::new();
    target.with_bystander(|| {
        std::thread::scope(|scope| {
            let clearing: Vec<_> = (0..CLEARING)
                .map(|_| scope.spawn(|| (0..ROUNDS).filter(|_| clear(&target) == 200).count()))
                .collect();
            let mut at = 0;
            while clearing.iter().any(|thread| !thread.is_finished()) || at < 5 {
                at += 1;
                writes.push(timed(|| save(at % 5)).1);
                probes.push(timed(|| assert!(target.is_ready(), "ready meanwhile")).1);
            }
            let cleared = clearing
                .into_iter()
                .map(|thread| thread.join().expect("no panic"));
            assert!(cleared.sum::<usize>() > 0, "clears are done");
        });
    });
    writes.sort_unstable();
    probes.sort_unstable();
    let slow = writes[(writes.len() * 95).div_ceil(100) - 1];
    println!("{} writes, 95th percentile {slow:?}", writes.len());
    assert!(slow <= WRITE_MAX, "configuration writes take {slow:?}");
    let probe = probes[probes.len() / 2];
    assert!(probe <= PROBE_MAX, "/readyz takes {probe:?}");

    assert_eq!(target.attacker.total(target.client(), "sandalia"), 0);
    target.bulk(&[json!({"id": "after", "name": "Sandalia"})]);
    target.restart();
    eventually("only documents sent after the clear are found", || {
        target.attacker.total(target.client(), "sandalia") == 1
    });
}

#[test]
fn an_acknowledged_clear_survives_a_kill() {
    let mut target = Target::open();
    for block in 0..6 {
        let documents: Vec<Value> = (0..500)
            .map(|at| json!({"id": format!("{block}-{at}"), "name": "Sandalia"}))
            .collect();
        target.bulk(&documents);
    }
    assert_eq!(clear(&target), 200);
    target.restart();
    eventually("the server is ready", || target.is_ready());
    eventually("the index is empty", || {
        target.attacker.total(target.client(), "sandalia") == 0
    });
}

#[test]
fn details_of_a_store_do_not_wait_for_each_other() {
    let target = Target::open();
    let detail = |key: &str, store: &str| {
        let reply = target.api("GET", &format!("/stores/{store}"), key).send();
        assert_eq!(reply.status, 200, "{reply:?}");
    };
    let (key, store) = (&target.attacker.write_key, &target.attacker.store);
    let alone = shortest(3, || detail(key, store));
    let ((), took) = timed(|| {
        target.with_bystander(|| {
            std::thread::scope(|scope| {
                for _ in 0..32 {
                    scope.spawn(|| detail(key, store));
                }
            });
        });
    });
    // One after the other would be the worst that sharing can do.
    let bound = Duration::from_secs(2).max(alone * 64);
    assert!(
        took <= bound,
        "32 details take {took:?}, one alone {alone:?}"
    );
}
