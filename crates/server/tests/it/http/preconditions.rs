//! 1. A write succeeds if `If-Match` holds and gets 412 if it does not; then nothing is written or audited.
//! 2. Of concurrent writers that expect the same state, exactly one succeeds.
//! 3. Comparison is strong; an unreadable header is 400; the order of the checks holds.
//! 4. What a GET returned can be put back: the response is 200, it is audited, and revision and tag stay.
//! 5. Reads are returned in full whatever they expect, and no cache stores them.

use crate::harness::{Reply, Shop};
use domain::relevance::field::FIELDS;
use domain::relevance::setting::{SETTINGS, SettingKind};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};
use std::sync::Barrier;

/// The resources that one request reads and another replaces, with two changes of each.
fn resources() -> [(&'static str, Value, Value); 3] {
    let store = (
        "",
        json!({"name": "First"}),
        json!({"devUrl": "https://dev.example"}),
    );
    let relevance = (
        "/relevance",
        json!({"boosts": {"name": 9}}),
        json!({"searchSettings": {"stockBoost": 3}}),
    );
    let widget = (
        "/widget",
        json!({"theme": "dark"}),
        json!({"colors": {"primary": "teal"}}),
    );
    [store, relevance, widget]
}

fn put(shop: &Shop, path: &str, expected: &str, body: &Value) -> Reply {
    let call = shop.own("PUT", path).header("If-Match", expected);
    call.json(body).send()
}

fn state(reply: &Reply) -> (String, String) {
    let header = |name| reply.header(name).to_owned();
    (header("etag"), header("x-config-revision"))
}

#[test]
fn a_write_that_expects_another_state_is_rejected() {
    let shop = Shop::open();
    for (path, first, second) in resources() {
        let read = || shop.own("GET", path).send().ok();
        let (old, _) = state(&read());
        let saved = put(&shop, path, &old, &first).ok();
        assert_ne!(saved.header("etag"), old, "{path}");
        assert_eq!(state(&saved), state(&read()), "{path}");

        put(&shop, path, &old, &second).error(412, "precondition_failed");
        assert_eq!(state(&saved), state(&read()), "{path}");
        // A write that changes nothing is rejected all the same: its writer expects another state.
        put(&shop, path, &old, &first).error(412, "precondition_failed");

        let both = format!("{old}, {}", saved.header("etag"));
        put(&shop, path, &both, &second).ok();
        put(&shop, path, "*", &first).ok();
        shop.own("PUT", path).json(&second).send().ok();
    }
}

#[test]
fn of_writers_that_expect_the_same_state_one_succeeds() {
    const WRITERS: usize = 8;
    let shop = Shop::open();
    for (path, body) in [
        (
            "",
            (|n| json!({"name": format!("Writer {n}")})) as fn(usize) -> Value,
        ),
        ("/relevance", |n| json!({"boosts": {"name": 10 + n}})),
        ("/widget", |n| json!({"theme": format!("theme {n}")})),
    ] {
        for round in 0..5 {
            let before = state(&shop.own("GET", path).send().ok());
            let start = Barrier::new(WRITERS);
            let replies: Vec<Reply> = std::thread::scope(|scope| {
                let writers: Vec<_> = (0..WRITERS)
                    .map(|n| {
                        let (shop, start, tag) = (&shop, &start, &before.0);
                        // A body equal to the current state would change nothing, and two writers could succeed.
                        let body = body(round * WRITERS + n);
                        scope.spawn(move || {
                            start.wait();
                            put(shop, path, tag, &body)
                        })
                    })
                    .collect();
                let replies = writers.into_iter().map(|w| w.join().expect("a reply"));
                replies.collect()
            });
            let (won, lost): (Vec<&Reply>, Vec<&Reply>) =
                replies.iter().partition(|reply| reply.status == 200);
            assert_eq!((won.len(), lost.len()), (1, WRITERS - 1), "{replies:?}");
            assert!(lost.iter().all(|reply| reply.status == 412), "{replies:?}");
            let after = shop.own("GET", path).send().ok();
            assert_eq!(state(&after), state(won[0]));
            assert_eq!(number(&after), number_of(&before.1) + 1, "one revision");
        }
    }
}

fn number(reply: &Reply) -> u64 {
    number_of(reply.header("x-config-revision"))
}

fn number_of(revision: &str) -> u64 {
    revision.parse().expect("a number")
}

#[test]
fn comparison_is_strong_and_unreadable_headers_are_rejected() {
    let shop = Shop::open();
    for (path, change, _) in resources() {
        let (tag, _) = state(&shop.own("GET", path).send().ok());
        let weak = format!("W/{tag}");
        put(&shop, path, &weak, &change).error(412, "precondition_failed");
        for unreadable in ["", "x", "\"x", "*, \"x\"", "\"x\" \"y\""] {
            let reply = put(&shop, path, unreadable, &change).error(400, "invalid_request");
            assert_eq!(reply.fields(), ["header.If-Match"], "{unreadable}");
        }
        // Invalid and forbidden bodies are reported before the precondition.
        let wrong = put(
            &shop,
            path,
            "\"old\"",
            &json!({"name": 3, "boosts": 3, "theme": 3}),
        );
        assert!(matches!(wrong.status, 400 | 403), "{wrong:?}");
        let call = shop.own("PUT", path).header("If-Match", "\"old\"");
        call.body("{}").send().error(415, "unsupported_media_type");
        let path = format!("/stores/{}{path}", shop.store);
        let reader = shop.api("PUT", &path).key(&shop.read_key);
        let denied = reader.header("If-Match", "\"old\"").json(&change).send();
        denied.error(403, "scope_missing");
    }
}

#[test]
fn reads_are_returned_in_full_and_not_cached() {
    let shop = Shop::open();
    for (path, ..) in resources() {
        let (tag, _) = state(&shop.own("GET", path).send().ok());
        for (header, value) in [("If-None-Match", tag.as_str()), ("If-Match", "\"old\"")] {
            let reply = shop.own("GET", path).header(header, value).send().ok();
            assert!(reply.data().is_object(), "{reply:?}");
            assert_eq!(reply.header("cache-control"), "no-store");
        }
    }
}

/// A value that a setting of this kind accepts.
fn value_of(kind: SettingKind) -> BoxedStrategy<Value> {
    match kind {
        SettingKind::Choice(texts) => prop::sample::select(texts).prop_map(Value::from).boxed(),
        SettingKind::Integer(min, max) => prop_oneof![
            (min..=max).prop_map(Value::from),
            (min..=max).prop_map(|whole| json!(whole as f64))
        ]
        .boxed(),
        SettingKind::Number(min, max) => prop_oneof![
            (min..=max).prop_map(|number| json!(number)),
            Just(json!(min)),
            Just(json!(-0.0))
        ]
        .boxed(),
        SettingKind::Percent => (0..=100)
            .prop_map(|share| json!(format!("{share}%")))
            .boxed(),
        SettingKind::Flag => any::<bool>().prop_map(Value::from).boxed(),
    }
}

fn relevance() -> impl Strategy<Value = Value> {
    let settings: Vec<_> = SETTINGS
        .iter()
        .map(|setting| prop::option::of(value_of(setting.kind)))
        .collect();
    let boosts = vec(prop::option::of(0.0..=200.0_f64), FIELDS.len());
    (boosts, settings).prop_map(|(boosts, settings)| {
        let boosts: Map<String, Value> = FIELDS
            .iter()
            .zip(boosts)
            .filter_map(|(field, boost)| Some((field.name.to_owned(), json!(boost?))))
            .collect();
        let settings: Map<String, Value> = SETTINGS
            .iter()
            .zip(settings)
            .filter_map(|(setting, value)| Some((setting.name.to_owned(), value?)))
            .collect();
        json!({"boosts": boosts, "searchSettings": settings})
    })
}

fn store() -> impl Strategy<Value = Value> {
    let name = "[^\\p{C}]{0,40}[\\p{L}\\p{N}]";
    let address = prop_oneof![
        Just(String::new()),
        "https?://[a-z]{1,9}(/[a-zé%]{0,9})?(\\?[a-z]=\"'<)?"
    ];
    (name, address).prop_map(|(name, url)| json!({"name": name, "devUrl": url}))
}

/// Saves `change`, reads it, puts the writable keys back, and compares.
fn check_round_trip(shop: &Shop, path: &str, keys: &[&str], change: &Value) {
    shop.own("PUT", path).json(change).send().ok();
    let read = shop.own("GET", path).send().ok();
    let data = read.data().as_object().expect("an object");
    let writable: Map<String, Value> = keys
        .iter()
        .map(|key| ((*key).to_owned(), data[*key].clone()))
        .collect();
    let same = put(shop, path, read.header("etag"), &writable.into()).ok();
    assert_eq!(state(&same), state(&read), "{change}");
    assert_eq!(without_progress(&same), without_progress(&read), "{change}");
    let again = shop.own("GET", path).send().ok();
    assert_eq!(
        without_progress(&again),
        without_progress(&read),
        "{change}"
    );
}

/// The data of a response without `advice` and `indices`, which change while a rebuild runs.
fn without_progress(reply: &Reply) -> Map<String, Value> {
    let mut data = reply.data().as_object().expect("an object").clone();
    data.retain(|key, _| key != "advice" && key != "indices");
    data
}

#[test]
fn putting_back_what_was_read_changes_nothing() {
    let shop = Shop::open();
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let both = runner.run(&(relevance(), store()), |(relevance, store)| {
        let keys = ["boosts", "searchSettings"];
        check_round_trip(&shop, "/relevance", &keys, &relevance);
        check_round_trip(&shop, "", &["name", "devUrl"], &store);
        Ok(())
    });
    both.expect("nothing changes");
}
