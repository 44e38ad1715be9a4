//! 1. A feed that replaces all tags of its documents in each block does not make the index grow without bound in
//!    memory.
//! 2. A feed in which every product has access groups of its own does not make searches slow, nor does one with very
//!    many price fields.

use super::meter::{MIB, timed};
use super::target::Target;
use crate::harness::eventually;
use serde_json::{Value, json};
use std::time::Duration;

/// Documents that are sent again and again.
const DOCUMENTS: usize = 50;
/// Tags per document.
const TAGS: usize = 60;
/// Blocks before the peak is measured, and after.
const BLOCKS: [usize; 2] = [60, 200];
/// The maximum growth of the peak meanwhile: less than the tags of the later blocks take with their ids, and more than
/// the memory freed within a minute, which the allocator keeps.
const GROWTH_MAX: u64 = 256 * MIB;

fn replace_tags(target: &Target, block: usize) {
    let documents: Vec<Value> = (0..DOCUMENTS)
        .map(|at| {
            let tags: Vec<String> = (0..TAGS)
                .map(|tag| format!("{block}-{at}-{tag}-{}", "t".repeat(230)))
                .collect();
            json!({"id": at.to_string(), "name": "Sandalia", "tags": tags})
        })
        .collect();
    target.bulk(&documents);
}

#[test]
fn replaced_tags_are_dropped() {
    let target = Target::open();
    for block in 0..BLOCKS[0] {
        replace_tags(&target, block);
    }
    eventually("all are found", || {
        target.attacker.total(target.client(), "sandalia") == DOCUMENTS as u64
    });
    target.with_bystander(|| {
        let meter = target.meter();
        for block in BLOCKS[0]..BLOCKS[0] + BLOCKS[1] {
            replace_tags(&target, block);
        }
        meter.assert_within(GROWTH_MAX, "tags that no document has any more");
    });
}

#[test]
fn access_groups_per_product_do_not_make_searches_slow() {
    let target = Target::open();
    let groups = json!({"enabled": true, "visitorGroup": "1", "groups": [{"id": "1"}]});
    let call = target
        .attacker
        .feed(target.client(), "/access-groups", &groups);
    call.send().ok();
    for block in 0..6 {
        let documents: Vec<Value> = (0..500)
            .map(|at| {
                let id = block * 500 + at;
                let groups: Vec<String> =
                    (0..20).map(|group| format!("{}", id * 7 + group)).collect();
                let mut document = json!({"id": id.to_string(), "name": "Sandalia"});
                document["accessGroups"] = json!([&["1".to_owned()][..], &groups].concat());
                for price in 0..20 {
                    document[format!("priceInclTax_t{}", id * 20 + price)] = json!(1.0);
                }
                document
            })
            .collect();
        target.bulk(&documents);
    }
    eventually("all are found", || {
        target.attacker.total(target.client(), "sandalia") == 3_000
    });
    target.with_bystander(|| {
        for at in 0..10 {
            let q = format!("sandalia {at}");
            let body = json!({"q": q, "types": ["products"], "limit": 20, "sort": "price_asc"});
            let (reply, took) = timed(|| target.search(&body));
            reply.ok();
            assert!(took <= Duration::from_secs(1), "{q}: {took:?}");
        }
    });
}
