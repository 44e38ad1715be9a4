//! 1. A run is opened with 201 and opened again with 200; another run on its scope is `run_open`.
//! 2. A close purges what the run neither sent nor touched, and nothing that was written outside it meanwhile.
//! 3. Wrong counts are `mismatch`, no documents are `empty`, unlisted scopes are `skipped`: nothing is purged.
//! 4. A touch lists missing and changed documents, and does not count them.
//! 5. A closed run returns its result again; everything else on it is 410. It expires after 48 hours.
//! 6. An aborted run purges nothing, frees its scopes and accepts nothing more; `GET` shows every state and its counts.

use super::calls::{abort, close, hashed, open, opened, run_of, send, touch, view};
use crate::harness::{Reply, Shop, TestClock, product};
use domain::Timestamp;
use serde_json::{Value, json};

#[test]
fn a_run_is_opened_once_and_returned_again() {
    let shop = Shop::open();
    let opened = open(&shop, "a", &["es", "en"]);
    assert_eq!(opened.status, 201);
    let opened = opened.ok();
    assert_eq!(opened.data()["resumed"], false);
    assert_eq!(opened.data()["scopes"].as_array().map(Vec::len), Some(2));
    let again = open(&shop, "a", &["es", "en"]);
    assert_eq!(
        (again.status, again.data()["resumed"].clone()),
        (200, json!(true))
    );
    assert_eq!(run_of(&again), run_of(&opened));

    let other = open(&shop, "b", &["en"]).error(409, "run_open");
    assert_eq!(other.json["details"]["runId"], opened.data()["runId"]);
    let view = shop
        .feed("GET", &format!("/feed/runs/{}", run_of(&opened)))
        .send()
        .ok();
    assert_eq!(view.data()["state"], "open");
}

#[test]
fn a_close_purges_documents_that_were_not_seen() {
    let shop = Shop::open();
    let before = json!([
        hashed("1", "a"),
        hashed("2", "a"),
        hashed("3", "a"),
        hashed("4", "a")
    ]);
    shop.bulk("products", "es", &before).ok();
    let run = run_of(&open(&shop, "a", &["es"]));
    send(&shop, &run, &json!([hashed("1", "b")])).ok();
    let items = json!([
        {"id": "2", "hash": "a"}, {"id": "3", "hash": "other"}, {"id": "9", "hash": "a"}
    ]);
    let touched = touch(&shop, &run, &items).ok();
    assert_eq!(
        touched.data(),
        &json!({"touched": 1, "missing": ["9"], "changed": ["3"]})
    );
    // A hook writes document 5 while the run is open: it counts as current.
    shop.bulk("products", "es", &json!([hashed("5", "a")])).ok();

    let scope = json!([{"type": "products", "language": "es", "sent": 1, "touched": 1}]);
    let closed = close(&shop, &run, &scope).ok();
    let expected = json!([{
        "type": "products", "language": "es", "status": "purged", "seen": 2, "purged": 2,
        "documents": 3
    }]);
    assert_eq!(closed.data()["scopes"], expected);
    shop.until_found("es", &["1", "2", "5"]);

    assert_eq!(close(&shop, &run, &scope).ok().data(), closed.data());
    touch(&shop, &run, &items).error(410, "run_gone");
    send(&shop, &run, &json!([hashed("7", "a")])).error(410, "run_gone");
    let view = shop.feed("GET", &format!("/feed/runs/{run}")).send().ok();
    assert_eq!(view.data()["state"], "closed");
    assert_eq!(shop.products("es"), ["1", "2", "5"]);
}

#[test]
fn doubtful_closes_purge_nothing() {
    let shop = Shop::open();
    shop.bulk(
        "products",
        "es",
        &json!([product("1", "Bota"), product("2", "Bota")]),
    )
    .ok();
    let status = |closed: &Reply| closed.data()["scopes"][0]["status"].clone();
    let scope =
        |sent: u64| json!([{"type": "products", "language": "es", "sent": sent, "touched": 0}]);

    let run = run_of(&open(&shop, "mismatch", &["es"]));
    send(&shop, &run, &json!([product("1", "Bota")])).ok();
    assert_eq!(status(&close(&shop, &run, &scope(2)).ok()), "mismatch");

    let run = run_of(&open(&shop, "empty", &["es"]));
    assert_eq!(status(&close(&shop, &run, &scope(0)).ok()), "empty");

    let run = run_of(&open(&shop, "skipped", &["es"]));
    assert_eq!(status(&close(&shop, &run, &json!([])).ok()), "skipped");
    shop.until_found("es", &["1", "2"]);

    let run = run_of(&open(&shop, "allowed", &["es"]));
    let allowed = json!([
        {"type": "products", "language": "es", "sent": 0, "touched": 0, "allowEmpty": true}
    ]);
    assert_eq!(status(&close(&shop, &run, &allowed).ok()), "purged");
    shop.until_found("es", &[]);
}

#[test]
fn a_run_expires() {
    let start = Timestamp::parse("2026-11-20T15:00:00Z").expect("a time");
    let shop = Shop::open_at(TestClock::fixed(start));
    shop.bulk("products", "es", &json!([product("1", "Bota")]))
        .ok();
    let opened = open(&shop, "a", &["es"]).ok();
    assert_eq!(opened.data()["expiresAt"], "2026-11-22T15:00:00Z");
    let hour = 3_600_000;
    shop.clock.advance_ms(47 * hour);
    send(&shop, &run_of(&opened), &json!([product("2", "Bota")])).ok();
    shop.clock.advance_ms(47 * hour);
    open(&shop, "b", &["es"]).error(409, "run_open");
    shop.clock.advance_ms(hour);
    let run = run_of(&opened);
    send(&shop, &run, &json!([product("3", "Bota")])).error(410, "run_gone");
    assert_eq!(open(&shop, "b", &["es"]).status, 201);
    shop.until_found("es", &["1", "2"]);
}

#[test]
fn invalid_requests_store_nothing() {
    let shop = Shop::open();
    let items: Vec<Value> = (0..2_001)
        .map(|at| json!({"id": at.to_string(), "hash": "a"}))
        .collect();
    let run = run_of(&open(&shop, "a", &["es"]));
    touch(&shop, &run, &json!(items)).error(400, "too_many_documents");
    touch(&shop, &run, &json!(items[..2_000])).ok();
    touch(&shop, &run, &json!([])).error(400, "invalid_request");
    send(&shop, "run_unknown", &json!([product("1", "x")])).error(410, "run_gone");
    let misspelled = shop.feed("POST", &format!("/feed/runs/{run}/close"));
    let body = json!({"scopes": [{"type": "products", "language": "es", "sent": 0, "touched": 0, "alowEmpty": true}]});
    let reply = misspelled.json(&body).send().error(400, "invalid_request");
    assert_eq!(reply.fields(), ["scopes[0].alowEmpty"]);
    assert!(reply.message().contains("did you mean \"allowEmpty\"?"));
    assert!(shop.products("es").is_empty());
}

#[test]
fn an_aborted_run_purges_nothing_and_accepts_nothing_more() {
    let shop = Shop::open();
    shop.bulk("products", "es", &json!([product("1", "Bota")]))
        .ok();
    let run = opened(&shop, "a");
    send(&shop, &run, &json!([product("2", "Bota")])).ok();
    let aborted = abort(&shop, &run).ok();
    assert_eq!(aborted.data(), view(&shop, &run).data());
    let data = aborted.data();
    assert_eq!(
        (&data["state"], &data["runId"]),
        (&json!("aborted"), &json!(run))
    );
    assert!(
        data["endedAt"].is_string() && data.get("expiresAt").is_none(),
        "{data}"
    );
    assert_eq!(data["scopes"][0]["seen"], 1);

    abort(&shop, &run).error(410, "run_gone");
    send(&shop, &run, &json!([product("3", "Bota")])).error(410, "run_gone");
    touch(&shop, &run, &json!([{"id": "1", "hash": "a"}])).error(410, "run_gone");
    let scope = json!([{"type": "products", "language": "es", "sent": 1, "touched": 0}]);
    close(&shop, &run, &scope).error(410, "run_gone");
    open(&shop, "a", &["es"]).error(410, "run_gone");
    abort(&shop, "run_never").error(410, "run_gone");
    opened(&shop, "b");
    shop.until_found("es", &["1", "2"]);

    let path = format!("/feed/runs/{run}/abort");
    let odd = shop
        .feed("POST", &path)
        .json(&json!({"purge": true}))
        .send();
    let odd = odd.error(400, "invalid_request");
    assert_eq!(odd.message(), "purge: is not a known field");
}

#[test]
fn a_run_is_shown_with_its_state_and_counts() {
    let start = Timestamp::parse("2026-11-20T15:00:00Z").expect("a time");
    let shop = Shop::open_at(TestClock::fixed(start));
    let before = json!([hashed("1", "a"), hashed("2", "a"), hashed("3", "a")]);
    shop.bulk("products", "es", &before).ok();
    let run = run_of(&open(&shop, "a", &["es", "en"]));
    send(&shop, &run, &json!([hashed("1", "b")])).ok();
    touch(&shop, &run, &json!([{"id": "2", "hash": "a"}])).ok();
    let seen = |at: usize, count: u64, documents: u64| {
        let language = ["es", "en"][at];
        json!({"type": "products", "language": language, "seen": count, "documents": documents})
    };
    let key = shop.connector.split('_').nth(1);
    let open_view = json!({
        "runId": run, "clientRunId": "a", "mode": "incremental", "state": "open",
        "origin": "connector", "by": {"keyId": key, "name": "connector key"},
        "openedAt": "2026-11-20T15:00:00Z", "expiresAt": "2026-11-22T15:00:00Z",
        "scopes": [seen(0, 2, 3), seen(1, 0, 0)]
    });
    assert_eq!(view(&shop, &run).data(), &open_view);
    shop.clock.advance_ms(1_000);
    let scope = json!([{"type": "products", "language": "es", "sent": 1, "touched": 1}]);
    close(&shop, &run, &scope).ok();
    let closed = view(&shop, &run);
    let data = closed.data();
    assert_eq!(
        (&data["state"], &data["endedAt"]),
        (&json!("closed"), &json!("2026-11-20T15:00:01Z"))
    );
    assert_eq!(
        (&data["scopes"][0]["status"], &data["scopes"][0]["purged"]),
        (&json!("purged"), &json!(1))
    );
    assert_eq!(data["scopes"][1]["status"], "skipped");

    let left = opened(&shop, "left");
    shop.clock.advance_ms(48 * 3_600_000);
    assert_eq!(view(&shop, &left).data()["state"], "expired");
    abort(&shop, &left).error(410, "run_gone");
}
