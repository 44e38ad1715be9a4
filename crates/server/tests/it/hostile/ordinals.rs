//! 1. Deletes of unknown ids cost no lasting memory: neither while the server runs nor at its next start.
//! 2. A recent deletion mark still rejects an older document.

use super::meter::{MIB, peak};
use super::target::{Target, retrying};
use crate::harness::eventually;
use serde_json::{Value, json};

/// Blocks of deletes.
const BLOCKS: usize = 150;
/// Ids per block.
const IDS: usize = 500;
/// Languages in which each id is deleted.
const LANGUAGES: [&str; 8] = ["es", "en", "fr", "de", "it", "pt", "nl", "pl"];
/// The maximum cost of all of them together: less than one entry of a column for each, which is 88 bytes. It varies
/// with the pages of the database that are in memory, whose caches have bounds of their own.
const GROWTH_MAX: u64 = 45 * MIB;

fn found(target: &Target, language: &str, id: &str) -> bool {
    let body = json!({"q": id, "lang": language, "types": ["products"]});
    target.search(&body).ok().data()["products"]["total"] == 1
}

/// Sends a document to each index and waits until it is found.
fn document_in_each(target: &Target, id: &str) {
    for language in LANGUAGES {
        let document = [json!({"id": id, "name": format!("Sandalia {id}")})];
        let call = || target.attacker.bulk(target.client(), language, &document);
        let sent = retrying(|| call().send()).ok();
        assert_eq!(sent.data()["accepted"], 1, "{sent:?}");
        eventually("it is found", || found(target, language, id));
    }
}

#[test]
fn deletes_of_unknown_ids_cost_no_lasting_memory() {
    let mut target = Target::open();
    let languages: Vec<Value> = LANGUAGES
        .iter()
        .map(|code| json!({"code": code, "default": *code == "es"}))
        .collect();
    let indexes = json!({"types": ["products"], "languages": languages});
    let call = target.attacker.feed(target.client(), "/indices", &indexes);
    call.send().ok();
    document_in_each(&target, "first");
    target.restart();
    document_in_each(&target, "second");
    let before = peak(target.pid);

    target.with_bystander(|| {
        for block in 0..BLOCKS {
            let ids: Vec<String> = (0..IDS).map(|at| format!("gone-{block}-{at}")).collect();
            let body = json!({"ids": ids});
            let call = || {
                target
                    .attacker
                    .feed(target.client(), "/products/delete", &body)
            };
            retrying(|| call().send()).ok();
        }
    });
    document_in_each(&target, "third");
    let marked = json!([{"id": "gone-1-1", "name": "Sandalia", "rev": 1}]);
    let marked = marked.as_array().expect("a list");
    let sent = target.bulk(marked);
    assert_eq!(
        sent.data()["stale"],
        json!(["gone-1-1"]),
        "the mark keeps it out"
    );

    target.restart();
    document_in_each(&target, "fourth");
    let growth = peak(target.pid).saturating_sub(before);
    let entries = BLOCKS * IDS * LANGUAGES.len();
    println!("{entries} marks: {} MiB", growth / MIB);
    assert!(
        growth <= GROWTH_MAX,
        "{entries} marks cost {} MiB after a start",
        growth / MIB
    );
}
