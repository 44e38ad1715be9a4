//! 1. Putting back what a read of a record or of the widget returned changes nothing, whatever was saved.
//! 2. Of concurrent writers that expect the same state of a record exactly one succeeds; without a condition all do,
//!    and the final state is the complete write of one of them.
//! 3. Of concurrent creators of the same record one succeeds; of concurrent deleters one.

use crate::harness::{Reply, Shop};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};
use std::sync::Barrier;

const WRITERS: usize = 8;

fn synonym() -> impl Strategy<Value = Value> {
    let terms = btree_set("[a-zñé]{2,8}( [a-z]{2,5})?", 2..6);
    let input = option::of("[a-z0-9]{1,9}");
    (terms, input, any::<bool>()).prop_map(|(terms, input, active)| match input {
        Some(input) => {
            json!({"type": "UNIDIRECTIONAL", "input": input, "terms": terms, "active": active})
        }
        None => json!({"type": "BIDIRECTIONAL", "terms": terms, "active": active}),
    })
}

fn boost() -> impl Strategy<Value = Value> {
    let term = (0.1..=100.0_f64, "[^\\p{C}]{1,20}")
        .prop_map(|(weight, value)| json!({"field": "tags", "value": value, "weight": weight}));
    let modifier = prop::sample::select(vec!["none", "log1p", "ln1p", "sqrt"]);
    let value = (
        option::of(0.0..9.0_f64),
        option::of(modifier),
        option::of(-9.0..9.0_f64),
    )
        .prop_map(|(factor, modifier, missing)| {
            let mut entry = json!({"mode": "value", "field": "sales_count"});
            for (key, value) in [
                ("factor", json!(factor)),
                ("modifier", json!(modifier)),
                ("missing", json!(missing)),
            ] {
                if !value.is_null() {
                    entry[key] = value;
                }
            }
            entry
        });
    let range = (-99.0..99.0_f64, 0.0..99.0_f64, 0.1..100.0_f64).prop_map(|(min, width, weight)| {
        json!({"mode": "range", "field": "price", "min": min, "max": min + width, "weight": weight})
    });
    prop_oneof![term, value, range]
}

/// The fields of a BOOST rule that can be changed.
fn rule() -> impl Strategy<Value = Value> {
    let dates = option::of(("2026-1[0-2]-2[0-8]", option::of("T1[0-9]:00:0[0-9]Z")));
    let trigger = (
        "[^\\p{C}]{0,20}[a-z]",
        prop::sample::select(vec!["exact", "contains", "starts_with"]),
    );
    (vec(boost(), 1..5), 0..=1000_u32, dates, trigger, any::<bool>()).prop_map(
        |(boosts, priority, start, (query, kind), active)| {
            let start = start.map(|(day, time)| format!("{day}{}", time.unwrap_or_default()));
            json!({
                "name": query, "trigger": {"query": query, "match": kind}, "actions": {"boost": boosts},
                "priority": priority, "active": active, "startDate": start, "endDate": "2026-12-31"
            })
        },
    )
}

/// The fields of a filter that can be changed.
fn filter() -> impl Strategy<Value = Value> {
    let groups = vec((option::of("[A-Za-z]{1,9}"), 1..4_usize), 0..4).prop_map(|groups| {
        let groups = groups.into_iter().enumerate().map(|(at, (label, count))| {
            let values: Vec<String> = (0..count).map(|value| format!("{at}.{value}")).collect();
            match label {
                Some(label) => json!({"label": label, "values": values}),
                None => json!({ "values": values }),
            }
        });
        groups.collect::<Value>()
    });
    let labels = option::of(btree_map("(es|en|pt-br)", "[A-Z][a-zé ]{0,9}[a-z]", 0..3));
    let limit = option::of(1..=1000_u32);
    (option::of(groups), labels, limit, 0..=10_000_u32, any::<bool>()).prop_map(
        |(groups, label, limit, position, active)| {
            let config = json!({"valueGroups": groups, "limit": limit, "sort": "alpha", "hideEmpty": active});
            json!({"label": label, "position": position, "active": active, "config": config})
        },
    )
}

fn widget() -> impl Strategy<Value = Value> {
    let key = "[a-zA-Z][a-zA-Z0-9_.-]{0,9}";
    let colours = option::of(btree_map(key, "#[0-9a-f]{6}", 0..5));
    let styles = option::of(btree_map(key, "[a-zé ,]{0,20}", 0..5));
    let texts = option::of(btree_map(
        "(es|en)",
        btree_map(key, "[^\\p{C}]{0,20}", 0..4),
        0..2,
    ));
    // Features are merged, so the names of all rounds together have to stay below the limit of keys.
    let switches = btree_map("[a-d]{1,2}", any::<bool>(), 0..4);
    (colours, styles, texts, switches, 1..=10_u32).prop_map(|(colours, styles, texts, switches, characters)| {
        let mut features = json!(switches);
        features["minChars"] = json!(characters);
        json!({"colors": colours, "typography": styles, "translations": texts, "features": features})
    })
}

/// The keys of a record that a PUT accepts.
fn writable(data: &Value, collection: &str) -> Value {
    let mut writable = data.as_object().cloned().expect("an object");
    let reads_only: &[&str] = match collection {
        "/synonyms" => &["id", "createdAt", "updatedAt", "language"],
        _ => &["id", "createdAt", "updatedAt", "status"],
    };
    writable.retain(|key, _| !reads_only.contains(&key.as_str()));
    Value::Object(writable)
}

/// Saves `change`, reads it, puts it back, and compares.
fn check_round_trip(shop: &Shop, path: &str, collection: &str, change: &Value) {
    let saved = shop.own("PUT", path).json(change).send().ok();
    let read = shop.own("GET", path).send().ok();
    assert_eq!(read.data(), saved.data(), "{change}");
    let call = shop
        .own("PUT", path)
        .header("If-Match", read.header("etag"));
    let same = call.json(&writable(read.data(), collection)).send().ok();
    assert_eq!(same.data(), read.data(), "{change}");
    for header in ["etag", "x-config-revision"] {
        assert_eq!(same.header(header), read.header(header), "{change}");
    }
}

fn created(shop: &Shop, collection: &str, body: &Value) -> String {
    let reply = shop.own("POST", collection).json(body).send().ok();
    format!(
        "{collection}/{}",
        reply.data()["id"].as_str().expect("an id")
    )
}

fn bodies() -> [(&'static str, Value); 3] {
    let rule = json!({
        "name": "n", "type": "BOOST", "trigger": {"query": "x", "match": "exact"},
        "actions": {"boost": [{"field": "tags", "value": "x", "weight": 1}]}
    });
    [
        ("/synonyms", json!({"terms": ["one", "two"]})),
        ("/rules", rule),
        ("/filters", json!({"field": "tags"})),
    ]
}

#[test]
fn putting_back_what_was_read_changes_nothing() {
    let shop = Shop::open();
    let [synonyms, rules, filters] =
        bodies().map(|(collection, body)| created(&shop, collection, &body));
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let all = (synonym(), rule(), filter(), widget());
    let outcome = runner.run(&all, |(synonym, rule, filter, widget)| {
        check_round_trip(&shop, &synonyms, "/synonyms", &synonym);
        check_round_trip(&shop, &rules, "/rules", &rule);
        check_round_trip(&shop, &filters, "/filters", &filter);
        check_round_trip(&shop, "/widget", "/widget", &widget);
        Ok(())
    });
    outcome.expect("nothing changes");
}

/// The replies to writers that all start at the same time.
fn concurrently(write: impl Fn(usize) -> Reply + Sync) -> Vec<Reply> {
    let start = Barrier::new(WRITERS);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|n| {
                let (start, write) = (&start, &write);
                scope.spawn(move || {
                    start.wait();
                    write(n)
                })
            })
            .collect();
        let replies = writers.into_iter().map(|w| w.join().expect("a reply"));
        replies.collect()
    })
}

fn statuses(replies: &[Reply]) -> Vec<u16> {
    let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    statuses.sort_unstable();
    statuses
}

/// The change by writer `n` of a record: two keys that belong together.
fn by_writer(collection: &str, n: usize) -> Value {
    match collection {
        "/synonyms" => json!({"terms": [format!("a{n}"), format!("b{n}")]}),
        "/rules" => json!({"name": format!("writer {n}"), "priority": n + 1}),
        _ => json!({"label": {"es": format!("writer {n}")}, "position": n + 1}),
    }
}

#[test]
fn concurrent_writes_are_neither_lost_nor_mixed() {
    let shop = Shop::open();
    for (collection, body) in bodies() {
        let path = created(&shop, collection, &body);
        let read = || shop.own("GET", &path).send().ok();
        let tag = read().header("etag").to_owned();
        let guarded = concurrently(|n| {
            let call = shop.own("PUT", &path).header("If-Match", &tag);
            call.json(&by_writer(collection, n)).send()
        });
        let mut expected = vec![412; WRITERS];
        expected[0] = 200;
        assert_eq!(statuses(&guarded), expected, "{collection}");
        let won = guarded
            .iter()
            .find(|reply| reply.status == 200)
            .expect("a winner");
        assert_eq!(won.data(), read().data());

        let free = concurrently(|n| {
            shop.own("PUT", &path)
                .json(&by_writer(collection, n))
                .send()
        });
        assert_eq!(statuses(&free), [200; WRITERS], "{collection}");
        let end = read();
        let complete = (0..WRITERS).any(|n| {
            let wrote: Map<String, Value> = by_writer(collection, n)
                .as_object()
                .cloned()
                .expect("an object");
            wrote.iter().all(|(key, value)| end.data()[key] == *value)
        });
        assert!(complete, "{end:?}");

        let deleted = concurrently(|_| shop.own("DELETE", &path).send());
        let mut expected = vec![404; WRITERS];
        expected[0] = 200;
        assert_eq!(statuses(&deleted), expected, "{collection}");
    }
}

#[test]
fn of_writers_that_create_the_same_record_one_succeeds() {
    let shop = Shop::open();
    for (collection, body) in [bodies()[0].clone(), bodies()[2].clone()] {
        let replies = concurrently(|_| shop.own("POST", collection).json(&body).send());
        let mut expected = vec![409; WRITERS];
        expected[0] = 201;
        assert_eq!(statuses(&replies), expected, "{collection}");
        let list = shop.own("GET", collection).send().ok();
        assert_eq!(list.data().as_array().map(Vec::len), Some(1));
    }
}
