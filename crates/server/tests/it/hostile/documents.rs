//! 1. Long values are clipped when they are stored, and counted as `clipped`; above 256 KiB or 1,000 price fields a
//!    document is rejected alone, with its field.
//! 2. Cards stay small whatever a document contains: a page of 100 hits has at most 1 MiB and stays within the memory
//!    bound of a page.
//! 3. Documents of megabytes do not make the next start expensive: it reads pages limited in bytes.
//! 4. A document with very many categories is indexed quickly, in more than one store, and at the next start too.

use super::meter::{BLOCK_GROWTH_MAX, MIB, REQUEST_GROWTH_MAX, peak, time_max, timed};
use super::payload::gzip;
use super::target::{Target, retrying};
use crate::harness::eventually;
use serde_json::{Value, json};
use std::time::Duration;

/// The maximum time until a killed server is ready again.
const READY_MAX: Duration = time_max(Duration::from_secs(15));

fn named(id: &str) -> Value {
    json!({"id": id, "name": format!("Sandalia {id}"), "url": format!("https://shop.example/{id}")})
}

/// Sends one block, compressed.
fn send(target: &Target, documents: &[Value]) -> Value {
    let body = json!({"language": "es", "documents": documents}).to_string();
    let compressed = gzip(body.as_bytes());
    let reply = retrying(|| {
        let call = target.api("POST", "/feed/products/bulk", &target.attacker.connector);
        let call = call.header("Content-Encoding", "gzip");
        call.raw_json(&compressed[..]).send()
    });
    reply.ok().data().clone()
}

fn restart(target: &mut Target) {
    let ((), took) = timed(|| {
        target.restart();
        eventually("the server is ready", || target.is_ready());
    });
    assert!(took <= READY_MAX, "ready after {took:?}");
}

#[test]
fn long_values_are_clipped_or_their_document_is_rejected_alone() {
    let target = Target::open();
    let with = |id: &str, field: &str, value: Value| {
        let mut document = named(id);
        document[field] = value;
        document
    };
    let mut priced = named("prices");
    for at in 0..1_001 {
        priced[format!("priceInclTax_t{at}")] = json!(at);
    }
    let tags: Vec<String> = (0..1_500).map(|at| format!("tag {at}")).collect();
    let report = send(
        &target,
        &[
            named("plain"),
            with("description", "description", json!("a ".repeat(20_000))),
            with("manufacturer", "manufacturer", json!("m".repeat(1_000))),
            with("tags", "tags", json!(tags)),
            with("reference", "reference", json!("9".repeat(1_000))),
            with("other", "somethingElse", json!("x".repeat(300_000))),
            priced,
        ],
    );
    assert_eq!(report["accepted"], 5, "{report}");
    assert_eq!(report["clipped"], 4, "{report}");
    let rejected = report["rejected"].as_array().cloned().unwrap_or_default();
    let reported: Vec<_> = rejected
        .iter()
        .map(|one| (&one["id"], &one["code"]))
        .collect();
    let code = json!("invalid_document");
    assert_eq!(
        reported,
        [(&json!("other"), &code), (&json!("prices"), &code)]
    );
    let fields: Vec<_> = rejected.iter().map(|one| one["field"].as_str()).collect();
    assert_eq!(fields[0], Some("somethingElse"), "{report}");
    assert!(
        fields[1].is_some_and(|field| field.starts_with("price")),
        "{report}"
    );
    eventually("the others are found", || {
        target.attacker.total(target.client(), "sandalia") == 5
    });
}

#[test]
fn cards_are_small_whatever_documents_contain() {
    let target = Target::open();
    let long = "m".repeat(700_000);
    for block in 0..5 {
        let documents: Vec<Value> = (0..10)
            .map(|at| {
                let mut document = named(&format!("{block}-{at}"));
                document["manufacturer"] = json!(format!("{block}{at}{long}"));
                document["tags"] = json!([format!("{at}{}", &long[..50_000])]);
                document["categories"] = json!([{"id": "1", "name": &long[..50_000]}]);
                document
            })
            .collect();
        assert_eq!(send(&target, &documents)["accepted"], 10);
    }
    eventually("all are found", || {
        target.attacker.total(target.client(), "sandalia") == 50
    });
    target.with_bystander(|| {
        let meter = target.meter();
        for q in ["sandalia", "sandali", "", "sandalia 1"] {
            let body = json!({"q": q, "types": ["products"], "limit": 100, "facets": true});
            let reply = target.search(&body);
            let length = reply.text.len();
            assert!(length <= 1 << 20, "{q:?}: {length} bytes");
        }
        meter.assert_within(REQUEST_GROWTH_MAX, "searches of long cards");
    });
}

#[test]
fn large_documents_do_not_make_the_next_start_expensive() {
    let mut target = Target::open();
    restart(&mut target);
    let empty = peak(target.pid);
    let text = "x".repeat(7_900_000);
    for at in 0..40 {
        let mut document = named(&at.to_string());
        document["description"] = json!(text);
        assert_eq!(send(&target, &[document])["accepted"], 1);
    }
    restart(&mut target);
    eventually("all are found", || {
        target.attacker.total(target.client(), "sandalia") == 40
    });
    let growth = peak(target.pid).saturating_sub(empty);
    assert!(
        growth <= BLOCK_GROWTH_MAX,
        "opening needs {} MiB more",
        growth / MIB
    );
}

#[test]
fn very_many_categories_are_indexed_quickly() {
    let mut target = Target::open();
    let mut document = named("many");
    let ids: Vec<String> = (0..20_000).map(|at| at.to_string()).collect();
    let categories: Vec<Value> = (0..5_000)
        .map(|at| json!({"id": format!("x{at}")}))
        .collect();
    document["categoryIds"] = json!(ids);
    document["categories"] = json!(categories);
    let documents = [document, named("plain")];
    let both = [target.attacker.clone(), target.bystander.clone()];
    target.with_bystander(|| {
        for tenant in &both {
            let meter = target.meter();
            let call = || tenant.bulk(target.client(), "es", &documents);
            retrying(|| call().send()).ok();
            eventually("the documents are found", || {
                tenant.total(target.client(), "sandalia") >= 1
            });
            meter.assert_within(BLOCK_GROWTH_MAX, "very many categories");
        }
    });
    restart(&mut target);
    for tenant in &both {
        assert!(tenant.total(target.client(), "sandalia") >= 1);
    }
    target.with_bystander(|| target.bulk(&[named("later")]));
}
