//! What a batch changes, and what it does not.

use super::fixture::{
    Engines, apply, delete, document, folder, ids, keeps_snapshots, load, named, numbers, open,
    put, release, rest, search,
};
use domain::relevance::field::FieldId;
use domain::search::Sort;
use engine::{Index, Request, Snapshot};
use serde_json::json;
use std::collections::BTreeMap;

pub fn batches_are_visible_as_a_whole(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    let empty = index.snapshot();
    let three = ["a", "b", "c"].map(|id| named(id, "red tent"));
    let changes = (0..).zip(three).map(|(at, body)| put(at, body));
    apply(index.as_ref(), 3, changes.collect());
    let full = index.snapshot();
    apply(
        index.as_ref(),
        5,
        vec![put(0, named("a", "blue kayak")), delete(1)],
    );
    let last = index.snapshot();
    if keeps_snapshots(index.as_ref()) {
        assert_eq!(ids(empty.as_ref(), "tent"), [""; 0]);
        assert_eq!(ids(full.as_ref(), "tent"), ["a", "b", "c"]);
        assert_eq!(full.facts().documents, 3);
    }
    assert_eq!(ids(last.as_ref(), "tent"), ["c"]);
    assert_eq!(ids(last.as_ref(), "kayak"), ["a"]);
    assert_eq!(ids(last.as_ref(), ""), ["a", "c"]);
    assert_eq!(last.facts().documents, 2);
    assert_eq!(index.watermark(), 5);
    apply(index.as_ref(), 6, vec![put(1, named("b", "tent again"))]);
    assert_eq!(ids(index.snapshot().as_ref(), "tent"), ["b", "c"]);
}

pub fn numbers_change_without_a_commit(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    let priced = |price: f64| json!({"id": "a", "name": "tent", "priceInclTax": price});
    apply(
        index.as_ref(),
        1,
        vec![put(0, priced(10.0)), put(1, named("b", "tent"))],
    );
    let before = index.snapshot();
    apply(index.as_ref(), 2, vec![numbers(0, priced(20.0))]);
    let print = |body| index.fingerprint(&document(body));
    let sold = json!({"id": "a", "name": "tent", "sales_count": 1_000, "inStock": true});
    assert_eq!(
        print(sold),
        print(priced(10.0)),
        "numbers are no part of what is written"
    );
    assert_ne!(print(named("a", "tents")), print(priced(10.0)));
    let price = |snapshot: &dyn Snapshot| {
        let request = Request {
            limit: 1,
            sort: Sort::PriceAsc,
            ..Request::default()
        };
        search(snapshot, "tent", &request).hits[0].numbers.price
    };
    assert_eq!(price(before.as_ref()), Some(10.0));
    assert_eq!(price(index.snapshot().as_ref()), Some(20.0));
    assert_eq!(index.watermark(), 1);
    drop((before, index));
    let again = open(engines, &folder);
    assert_eq!(again.watermark(), 1);
    assert_eq!(ids(again.snapshot().as_ref(), ""), [""; 0]);
    let loaded = vec![numbers(0, priced(20.0)), numbers(1, named("b", "tent"))];
    load(again.as_ref(), loaded);
    assert_eq!(price(again.snapshot().as_ref()), Some(20.0));
    assert_eq!(ids(again.snapshot().as_ref(), "tent").len(), 2);
}

pub fn averages_are_frozen_until_the_index_doubles(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    let average = |index: &dyn Index| {
        let averages = index.snapshot().facts().averages.clone();
        let name = averages
            .into_iter()
            .find(|(field, _)| *field == FieldId::NAME);
        name.map(|(_, average)| average)
    };
    let add = |index: &dyn Index, range: std::ops::Range<u32>, name: &str| {
        let changes = range
            .clone()
            .map(|at| put(at, named(&format!("p{at}"), name)));
        apply(index, i64::from(range.end), changes.collect());
    };
    add(index.as_ref(), 0..4, "tent");
    assert_eq!(average(index.as_ref()), Some(1.0));
    add(index.as_ref(), 4..7, "red tent for men");
    assert_eq!(average(index.as_ref()), Some(1.0));
    drop(index);
    let index = open(engines, &folder);
    assert_eq!(average(index.as_ref()), Some(1.0), "after a restart");
    add(index.as_ref(), 7..8, "red tent for men");
    assert_eq!(average(index.as_ref()), Some(2.5));
    apply(index.as_ref(), 9, vec![delete(7)]);
    assert_eq!(average(index.as_ref()), Some(2.5));
    if let Some(local) = index.local() {
        local.freeze_averages(0.1).expect("averages");
        assert_eq!(average(index.as_ref()), Some(2.5), "too little has moved");
        local.freeze_averages(0.0).expect("averages");
    }
    let frozen = index.local().map_or(2.5, |_| 16.0 / 7.0);
    assert_eq!(average(index.as_ref()), Some(frozen));
    assert_eq!(index.watermark(), 9);
    apply(index.as_ref(), 10, (4..7).chain([3]).map(delete).collect());
    assert_eq!(average(index.as_ref()), Some(1.0));
}

pub fn a_clear_removes_everything(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    for at in 0..12 {
        // Each batch is a segment, so that a merge is running at the clear.
        let change = put(at, named(&format!("old{at}"), "red tent"));
        apply(index.as_ref(), i64::from(at) + 1, vec![change]);
    }
    let before = index.snapshot();
    index.clear(13).expect("cleared");
    assert_eq!(index.watermark(), 13);
    if keeps_snapshots(index.as_ref()) {
        assert_eq!(ids(before.as_ref(), "tent").len(), 12);
    }
    let empty = index.snapshot();
    assert_eq!(
        (empty.facts().documents, ids(empty.as_ref(), "").len()),
        (0, 0)
    );

    apply(index.as_ref(), 14, vec![put(3, named("new", "blue tent"))]);
    assert_eq!(ids(index.snapshot().as_ref(), "tent"), ["new"]);
    assert_eq!(ids(index.snapshot().as_ref(), "red"), [""; 0]);
    release(index.as_ref());
    drop((before, empty, index));
    let again = open(engines, &folder);
    assert_eq!(again.watermark(), 14);
    load(again.as_ref(), vec![numbers(3, named("new", "blue tent"))]);
    assert_eq!(ids(again.snapshot().as_ref(), ""), ["new"]);
}

/// The name of a version of a document; lengths vary.
fn name_of(ordinal: u32, version: u32) -> String {
    let letters = "x".repeat(ordinal as usize % 5);
    format!("{letters}tent {ordinal} of version {version}")
}

pub fn hits_have_their_own_latest_texts(engines: Engines<'_>) {
    const DOCUMENTS: u32 = 240;
    let folder = folder();
    let mut index = open(engines, &folder);
    // None for a document that is deleted.
    let mut versions: Vec<Option<u32>> = vec![None; DOCUMENTS as usize];
    // Sales determine the order on disk, and change with every version.
    let body = |ordinal: u32, version: u32| {
        json!({"id": format!("p{ordinal}"), "name": name_of(ordinal, version), "sales_count": (ordinal * 37 + version * 61) % 101,
            "url": format!("https://shop.example/{ordinal}/{version}")})
    };
    for round in 0..6u32 {
        let mut changes = Vec::new();
        // More documents each time, so that outdated versions are in the smaller segments.
        let is_written = |ordinal: &u32| round == 0 || ordinal * (round + 1) % 7 < round;
        for ordinal in (0..DOCUMENTS).filter(is_written) {
            let gone = round > 0 && ordinal % 16 == 3;
            versions[ordinal as usize] = (!gone).then_some(round);
            changes.push(if gone {
                delete(ordinal)
            } else {
                put(ordinal, body(ordinal, round))
            });
        }
        apply(index.as_ref(), i64::from(round) + 1, changes);
        if round == 3 || round == 5 {
            rest(index.as_ref());
        }
        if round == 4 {
            drop(index);
            index = open(engines, &folder);
            let known = (0..DOCUMENTS).zip(&versions);
            let known = known.filter_map(|(at, version)| Some(numbers(at, body(at, (*version)?))));
            load(index.as_ref(), known.collect());
        }
        let request = Request {
            limit: 1000,
            ..Request::default()
        };
        let found = search(index.snapshot().as_ref(), "", &request);
        let shown = found.hits.iter().map(|hit| {
            (
                hit.id.clone(),
                [hit.card.name(), hit.card.url()].map(str::to_owned),
            )
        });
        let wanted = (0..DOCUMENTS).zip(&versions).filter_map(|(at, version)| {
            let own = body(at, (*version)?);
            Some((
                format!("p{at}"),
                ["name", "url"].map(|key| own[key].as_str().expect("a text").to_owned()),
            ))
        });
        assert_eq!(
            shown.collect::<BTreeMap<_, _>>(),
            wanted.collect(),
            "round {round}"
        );
    }
}
