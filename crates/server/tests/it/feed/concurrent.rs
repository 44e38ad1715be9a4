//! Feed operations of one store at the same time.
//!
//! 1. One `clientRunId` that is opened several times at once is one run; of different runs on the same scopes, whatever
//!    the order of their languages, one is opened and the others are `run_open`.
//! 2. Closes of a run at once return the same result, and documents that were acknowledged in the run are not purged.
//! 3. Languages and indices that are requested at once are all there; declarations at once have a revision each.
//! 4. Texts with NUL are refused as `clientRunId`, and are of no run and no document elsewhere; none is stored.

use super::calls::{close_with, hashed, open, opened, run_of, send, touch};
use crate::harness::{Reply, Shop};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Barrier;

/// Makes `count` calls at the same time and returns their responses, in the order of their numbers.
fn at_once(count: usize, call: impl Fn(usize) -> Reply + Sync) -> Vec<Reply> {
    let barrier = Barrier::new(count);
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..count)
            .map(|at| {
                let (barrier, call) = (&barrier, &call);
                scope.spawn(move || {
                    barrier.wait();
                    call(at)
                })
            })
            .collect();
        let ended = started.into_iter().map(|one| one.join());
        ended.map(|reply| reply.expect("responds")).collect()
    })
}

#[test]
fn runs_that_are_opened_at_once() {
    let shop = Shop::open();
    let same = at_once(6, |_| open(&shop, "a", &["es", "en"]));
    let runs: BTreeSet<String> = same.iter().map(run_of).collect();
    assert_eq!(runs.len(), 1, "{same:?}");
    let first = same.iter().filter(|reply| reply.status == 201);
    assert_eq!(first.count(), 1, "{same:?}");
    super::calls::abort(&shop, &run_of(&same[0])).ok();

    let languages = [["es", "en"], ["en", "es"]];
    let others = at_once(6, |at| {
        open(&shop, &format!("run {at}"), &languages[at % 2])
    });
    let (opened, refused): (Vec<_>, Vec<_>) = others.iter().partition(|reply| reply.status == 201);
    assert_eq!((opened.len(), refused.len()), (1, 5), "{others:?}");
    for reply in refused {
        assert_eq!(
            (reply.status, &reply.json["code"]),
            (409, &json!("run_open"))
        );
        assert_eq!(reply.json["details"]["runId"], opened[0].data()["runId"]);
    }
}

#[test]
fn closes_and_blocks_at_once() {
    let shop = Shop::open();
    let before: Value = (0..20).map(|id| hashed(&format!("old{id}"), "a")).collect();
    shop.bulk("products", "es", &before).ok();
    let run = opened(&shop, "a");
    send(&shop, &run, &json!([hashed("kept", "a")])).ok();
    // The closes know of one document: as soon as a block is accepted the counts differ, and nothing is purged.
    let all = |sent: u64| {
        json!({"scopes": [{"type": "products", "language": "es", "sent": sent, "touched": 0}],
               "confirmPurge": true})
    };
    let replies = at_once(8, |at| match at {
        0..4 => send(&shop, &run, &json!([hashed(&format!("new{at}"), "a")])),
        _ => close_with(&shop, &run, &all(1)),
    });
    let (blocks, closes) = replies.split_at(4);
    for reply in closes {
        assert_eq!(reply.status, 200, "{reply:?}");
        assert_eq!(reply.data(), closes[0].data());
    }
    let accepted = blocks.iter().enumerate();
    let accepted: Vec<String> = accepted
        .filter(|(_, reply)| reply.status == 200)
        .map(|(at, _)| format!("new{at}"))
        .collect();
    for reply in blocks.iter().filter(|reply| reply.status != 200) {
        assert_eq!(
            (reply.status, &reply.json["code"]),
            (410, &json!("run_gone"))
        );
    }
    let scope = &closes[0].data()["scopes"][0];
    assert_eq!(scope["seen"], 1 + accepted.len() as u64, "{scope}");
    let purged = scope["status"] == "purged";
    assert_eq!(purged, accepted.is_empty(), "other counts purge nothing");
    let old = (0..20).map(|id| format!("old{id}"));
    let wanted = accepted.iter().cloned().chain(["kept".to_owned()]);
    let mut wanted: Vec<String> = wanted.chain(old.filter(|_| !purged)).collect();
    wanted.sort();
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
    shop.until_found("es", &wanted);
}

#[test]
fn facts_of_the_shop_at_once() {
    let shop = Shop::open();
    let languages = ["de", "fr", "it", "pt"];
    for reply in at_once(4, |at| {
        let body = json!({"types": ["products"], "languages": [{"code": languages[at]}]});
        shop.feed("POST", "/feed/indices").json(&body).send()
    }) {
        reply.ok();
    }
    let store = shop.own("GET", "").send().ok();
    let listed = store.data()["languages"].as_array().expect("a list");
    let listed: BTreeSet<&str> = listed.iter().filter_map(Value::as_str).collect();
    assert_eq!(listed, BTreeSet::from(["de", "en", "es", "fr", "it", "pt"]));

    let declarations = [
        (
            "/feed/currencies",
            json!({"base": "EUR", "currencies": [{"code": "USD"}]}),
        ),
        (
            "/feed/price-tiers",
            json!({"tiers": [{"groupId": "4", "taxDisplay": "incl"}]}),
        ),
        (
            "/feed/currencies",
            json!({"base": "EUR", "currencies": [{"code": "GBP"}]}),
        ),
        (
            "/feed/price-tiers",
            json!({"tiers": [{"groupId": "5", "taxDisplay": "incl"}]}),
        ),
    ];
    let declared = at_once(declarations.len(), |at| {
        let (path, body) = &declarations[at];
        shop.feed("POST", path).json(body).send().ok()
    });
    let revisions = declared
        .iter()
        .map(|reply| reply.data()["revision"].as_i64());
    let revisions: BTreeSet<i64> = revisions.map(|one| one.expect("a number")).collect();
    assert_eq!(revisions, BTreeSet::from([1, 2, 3, 4]));
}

#[test]
fn texts_with_nul() {
    let shop = Shop::open();
    let refused = open(&shop, "a\0b", &["es"]).error(400, "invalid_request");
    assert_eq!(refused.json["errors"][0]["field"], "clientRunId");
    let run = opened(&shop, "a");
    send(&shop, &run, &json!([hashed("1", "a")])).ok();
    let items = json!([
        {"id": "1\0", "hash": "a"}, {"id": "1", "hash": "a\0"}, {"id": "2", "hash": "a"}
    ]);
    let touched = touch(&shop, &run, &items).ok();
    assert_eq!(
        touched.data(),
        &json!({"touched": 0, "missing": ["1\0", "2"], "changed": ["1"]})
    );
    touch(&shop, "run_\0", &items).error(410, "run_gone");
    send(&shop, "run_\0", &json!([hashed("1", "a")])).error(410, "run_gone");
    let rejected = send(
        &shop,
        &run,
        &json!([hashed("3\0", "a"), hashed("4", "a\0")]),
    )
    .ok();
    assert_eq!(rejected.data()["accepted"], 0);
    let body = json!({"ids": ["1\0", "9"]});
    let deleted = shop
        .feed("POST", "/feed/products/delete")
        .json(&body)
        .send();
    let deleted = deleted.ok();
    assert_eq!(deleted.data()["missing"], json!(["1\0", "9"]));
    let path = shop.feed("GET", "/feed/runs/run_%00").send();
    let path = path.error(400, "invalid_request");
    assert_eq!(path.json["errors"][0]["field"], "path.id");
    shop.until_found("es", &["1"]);
}
