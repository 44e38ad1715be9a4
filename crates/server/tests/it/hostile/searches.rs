//! 1. Searches whose clients hang up do not delay another shop's, while they arrive and after.
//! 2. One shopper who pages far through a session by single hits, repeatedly, costs little per request.
//! 3. After floods of different searches, sessions, keys and suggestions every cache is within its bound, which
//!    `/metrics` reports; and so is memory.

use super::meter::{REQUEST_GROWTH_MAX, time_max, timed};
use super::target::Target;
use super::wire::{ATTACKER, connect, head, send};
use crate::harness::eventually;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// The maximum time of one search of the bystander after the flood.
const SEARCH_MAX: Duration = time_max(Duration::from_secs(1));
/// Products of the large store.
const PRODUCTS: usize = 2_000;
/// The minimum of caches that are reported.
const CACHES_MIN: usize = 3;

fn large() -> Target {
    let target = Target::open();
    for block in 0..PRODUCTS / 500 {
        let documents: Vec<Value> = (0..500)
            .map(|at| {
                let (id, name) = (format!("{block}-{at}-{}", "i".repeat(200)), format!("Sandalia verde {at}"));
                json!({"id": id, "name": name, "manufacturer": format!("Marca {}", at % 40), "priceInclTax": at})
            })
            .collect();
        target.bulk(&documents);
    }
    eventually("all are found", || {
        target.attacker.total(target.client(), "sandalia") == PRODUCTS as u64
    });
    target
}

#[test]
fn searches_whose_clients_hang_up_delay_no_other_shop() {
    let target = large();
    target.with_bystander(|| {
        for round in 0..2 {
            let mut streams = Vec::new();
            for at in 0..200 {
                let q = format!("sandalia verde {round}{at}");
                let body = json!({"q": q, "limit": 100, "facets": true}).to_string();
                let head = head(
                    "POST",
                    "/api/v1/search",
                    &target.attacker.public,
                    body.len(),
                );
                let mut stream =
                    connect(target.client().base(), ATTACKER).expect("the server listens");
                // A connection beyond the limit may be closed at once.
                let _ = send(&mut stream, &head, body.as_bytes());
                streams.push(stream);
            }
        }
        let (found, took) = timed(|| target.bystander.total(target.client(), "bota"));
        assert_eq!(found, 100);
        assert!(took <= SEARCH_MAX, "right after the flood: {took:?}");
    });
}

#[test]
fn paging_far_by_single_hits_is_cheap() {
    let target = large();
    let page = |session: &str, page: usize| {
        let body = json!({
            "q": "sandalia", "types": ["products"], "limit": 1, "page": page, "sessionId": session, "facets": false
        });
        let (reply, took) = timed(|| target.search(&body));
        assert!(reply.status == 200 || reply.status == 400, "{reply:?}");
        assert!(took <= SEARCH_MAX, "page {page}: {took:?}");
    };
    target.with_bystander(|| {
        let meter = target.meter();
        for at in 1..250 {
            page("one", at);
        }
        for at in (300..PRODUCTS).step_by(100) {
            page("one", at);
            page("two", at);
        }
        meter.assert_within(REQUEST_GROWTH_MAX, "a session of many pages");
    });
}

/// Values by cache of the samples of one family.
fn by_cache(metrics: &str, family: &str) -> BTreeMap<String, f64> {
    let start = format!("{family}{{cache=\"");
    let samples = metrics.lines().filter_map(|line| {
        let (cache, value) = line.strip_prefix(&start)?.split_once("\"} ")?;
        Some((cache.to_owned(), value.parse().ok()?))
    });
    samples.collect()
}

#[test]
fn every_cache_is_within_its_bound() {
    let target = large();
    target.with_bystander(|| {
        let meter = target.meter();
        for at in 0..250 {
            let body = json!({
                "q": format!("sandalia {at}"), "types": ["products"], "limit": 100, "facets": true,
                "sessionId": format!("session {at}")
            });
            target.search(&body).ok();
            let suggest = target.api("POST", "/suggest", &target.attacker.public);
            suggest.json(&json!({"q": format!("sand{at}")})).send().ok();
            let wrong = format!("cfg_wrong{at}");
            let call = target.api("GET", "/me", &wrong);
            call.header("X-Forwarded-For", &format!("10.0.0.{}", at % 250))
                .send();
        }
        meter.assert_within(REQUEST_GROWTH_MAX * 2, "250 searches and sessions");
    });
    let metrics = target.client().call("GET", "/metrics").send().text;
    let held = by_cache(&metrics, "findwell_cache_bytes");
    let bounds = by_cache(&metrics, "findwell_cache_limit_bytes");
    assert!(held.len() >= CACHES_MIN, "{held:?}");
    assert!(held.values().any(|bytes| *bytes > 0.0), "{held:?}");
    for (cache, bytes) in &held {
        let bound = bounds.get(cache);
        let within = bound.is_some_and(|bound| bytes <= bound);
        assert!(within, "{cache} holds {bytes} of {bound:?}");
    }
}
