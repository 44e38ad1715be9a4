//! 1. A purge of more than 50 documents and more than 30 % of a scope is held; at either limit it is not.
//! 2. A held scope deletes nothing, shows in the store's detail and stays open; the run's other scopes are closed.
//! 3. The same close with `confirmPurge` purges; an abort or 48 hours end it without a purge.
//! 4. A held scope still accepts documents, so that a run which missed some can be completed and closed again.
//! 5. The operator can release one run or all; with the breaker off nothing is held.

use super::calls::{
    abort, close, close_with, hashed, many, open, opened, run_of, send, spanish, touch,
    until_count, view,
};
use crate::harness::{Reply, Shop, TestClock};
use domain::Timestamp;
use operations::stores::StoreSettings;
use serde_json::{Value, json};
use server::admin::AdminRequest;

fn status(reply: &Reply) -> &Value {
    &reply.data()["scopes"][0]["status"]
}

/// Opens a run in a store with `before` products, of which it sees only the first `kept`.
fn incomplete_run(shop: &Shop, before: usize, kept: usize) -> String {
    shop.bulk("products", "es", &many(0, before)).ok();
    let run = opened(shop, "forgets");
    let items: Vec<Value> = (0..kept)
        .map(|id| json!({"id": id.to_string(), "hash": "a"}))
        .collect();
    touch(shop, &run, &json!(items)).ok();
    run
}

fn kept(count: u64) -> Value {
    json!([spanish(0, count)])
}

#[test]
fn only_a_purge_above_both_limits_is_held() {
    for (before, missed, held) in [
        (60, 50, false),
        (60, 51, true),
        (170, 51, false),
        (169, 51, true),
    ] {
        let shop = Shop::open();
        let run = incomplete_run(&shop, before, before - missed);
        let seen = (before - missed) as u64;
        let closed = close(&shop, &run, &kept(seen)).ok();
        let expected = if held { "held" } else { "purged" };
        assert_eq!(status(&closed), expected, "{missed} of {before}");
    }
}

#[test]
fn a_held_scope_stays_open_to_its_run_alone() {
    let shop = Shop::open();
    shop.bulk("products", "es", &many(0, 60)).ok();
    let run = run_of(&open(&shop, "both", &["es", "en"]));
    send(&shop, &run, &json!([hashed("0", "b")])).ok();
    let scopes =
        json!([spanish(1, 0), {"type": "products", "language": "en", "sent": 0, "touched": 0}]);
    let closed = close(&shop, &run, &scopes).ok();
    let expected = json!([
        {"type": "products", "language": "es", "status": "held", "seen": 1, "purged": 0,
         "documents": 60, "wouldPurge": 59},
        {"type": "products", "language": "en", "status": "purged", "seen": 0, "purged": 0,
         "documents": 0}
    ]);
    assert_eq!(closed.data()["scopes"], expected);
    assert_eq!(close(&shop, &run, &scopes).ok().data(), closed.data());
    assert_eq!(view(&shop, &run).data()["state"], "held");
    until_count(&shop, 60);

    let detail = shop.own("GET", "").send().ok();
    let held = &detail.data()["heldPurges"];
    assert_eq!(held.as_array().map(Vec::len), Some(1), "{held}");
    assert_eq!(
        (
            &held[0]["runId"],
            &held[0]["type"],
            &held[0]["language"],
            &held[0]["wouldPurge"]
        ),
        (&json!(run), &json!("products"), &json!("es"), &json!(59))
    );
    let conflict = open(&shop, "next", &["es"]).error(409, "run_open");
    assert_eq!(conflict.json["details"]["runId"], json!(run));
    // The other scope was closed, so another run may open it, and this run no longer writes to it.
    open(&shop, "next", &["en"]).ok();
    let body = json!({"language": "en", "runId": run, "documents": [hashed("1", "a")]});
    shop.feed("POST", "/feed/products/bulk")
        .json(&body)
        .send()
        .error(410, "run_gone");

    abort(&shop, &run).ok();
    open(&shop, "after", &["es"]).ok();
    let detail = shop.own("GET", "").send().ok();
    assert!(detail.data().get("heldPurges").is_none());
    until_count(&shop, 60);
}

#[test]
fn a_confirmed_close_purges() {
    let shop = Shop::open();
    let run = incomplete_run(&shop, 60, 2);
    assert_eq!(status(&close(&shop, &run, &kept(2)).ok()), "held");
    let body = json!({"scopes": kept(2), "confirmPurge": true});
    let confirmed = close_with(&shop, &run, &body).ok();
    assert_eq!(
        (status(&confirmed), &confirmed.data()["scopes"][0]["purged"]),
        (&json!("purged"), &json!(58))
    );
    assert_eq!(close(&shop, &run, &kept(2)).ok().data(), confirmed.data());
    shop.until_found("es", &["0", "1"]);
    opened(&shop, "next");
}

#[test]
fn a_held_run_can_be_completed() {
    let shop = Shop::open();
    let run = incomplete_run(&shop, 60, 2);
    assert_eq!(status(&close(&shop, &run, &kept(2)).ok()), "held");
    send(&shop, &run, &many(2, 50)).ok();
    let closed = close(&shop, &run, &json!([spanish(50, 2)])).ok();
    assert_eq!(
        (status(&closed), &closed.data()["scopes"][0]["purged"]),
        (&json!("purged"), &json!(8))
    );
}

#[test]
fn a_held_run_expires_without_a_purge() {
    let start = Timestamp::parse("2026-11-20T15:00:00Z").expect("a time");
    let shop = Shop::open_at(TestClock::fixed(start));
    let run = incomplete_run(&shop, 60, 2);
    shop.clock.advance_ms(3_600_000);
    close(&shop, &run, &kept(2)).ok();
    shop.clock.advance_ms(48 * 3_600_000 - 1);
    open(&shop, "next", &["es"]).error(409, "run_open");
    shop.clock.advance_ms(1);
    open(&shop, "next", &["es"]).ok();
    let body = json!({"scopes": kept(2), "confirmPurge": true});
    close_with(&shop, &run, &body).error(410, "run_gone");
    assert_eq!(view(&shop, &run).data()["state"], "expired");
    until_count(&shop, 60);
}

#[test]
fn the_operator_releases_a_purge_or_switches_the_breaker_off() {
    let shop = Shop::open();
    let run = incomplete_run(&shop, 60, 2);
    close(&shop, &run, &kept(2)).ok();
    let store = shop.store.clone();
    let runs = shop.admin(AdminRequest::ListRuns {
        store: store.clone(),
    });
    assert_eq!(
        (
            &runs[0]["runId"],
            &runs[0]["state"],
            &runs[0]["scopes"][0]["wouldPurge"]
        ),
        (&json!(run), &json!("held"), &json!(58))
    );
    let released = shop.admin(AdminRequest::ReleaseRuns {
        store: store.clone(),
        run: Some(run.as_str().into()),
    });
    assert_eq!(
        (&released[0]["state"], &released[0]["scopes"][0]["purged"]),
        (&json!("closed"), &json!(58))
    );
    shop.until_found("es", &["0", "1"]);
    let again = close(&shop, &run, &kept(2)).ok();
    assert_eq!(status(&again), "purged");

    shop.admin(AdminRequest::SetStore {
        store: store.clone(),
        settings: StoreSettings {
            purge_breaker: Some(false),
            ..StoreSettings::default()
        },
    });
    shop.bulk("products", "es", &many(0, 100)).ok();
    let run = opened(&shop, "off");
    send(&shop, &run, &many(0, 1)).ok();
    assert_eq!(
        status(&close(&shop, &run, &json!([spanish(1, 0)])).ok()),
        "purged"
    );
    let none = shop.admin(AdminRequest::ReleaseRuns { store, run: None });
    assert_eq!(none, json!([]));
}
