//! Every operation of the catalogue that takes a body, with every kind of hostile body:
//!
//! 1. It is refused (4xx) with at most 64 KiB and 100 errors, and memory rises by at most 64 MiB.
//! 2. Refusing it costs at most three times the processor time that `serde_json` needs to read the same bytes in the
//!    same run, both built alike, beside what a body costs that is refused at once.
//! 3. Query strings of the searches are refused within 5 ms of processor time, beside what an ordinary one costs.

use super::bodies::assert_bounded;
use super::meter::{REQUEST_GROWTH_MAX, cheapest, cheapest_here};
use super::payload::{KINDS, Kind, body};
use super::target::{Target, Tenant};
use operations::catalogue::{OPERATIONS, Operation, RequiredAccess};
use serde_json::{Value, json};
use std::time::Duration;

/// Bytes of a hostile body, where the operation takes so many.
const BODY_BYTES: usize = 200_000;
/// Bytes of one for suggestions, which are smaller.
const SMALL_BODY_BYTES: usize = 60_000;
/// Times that each body is sent; the cheapest counts.
const ROUNDS: usize = 3;
/// Times that a body is sent which cost too much, before it counts: the server may have done other things.
const ROUNDS_MAX: usize = 15;
/// What a request costs beside the reading of its body, a caller's key among it: twice what a refused body of two bytes
/// costs, and this.
const WAY: Duration = Duration::from_millis(10);
/// Most that a query string may cost: 5 ms, and what a build that is not optimized takes beyond that.
const QUERY_COST_MAX: Duration = Duration::from_millis(15);

/// An operation that takes a body, with its path and the fields that it knows.
struct Taking {
    operation: &'static Operation,
    method: &'static str,
    path: String,
    key: String,
    fields: Vec<String>,
}

/// The records whose ids paths name.
fn records(target: &Target) -> Vec<(&'static str, String)> {
    let made = |path: &str, body: &Value| {
        let reply = target.own("POST", path).json(body).send().ok();
        reply.data()["id"].as_str().expect("an id").to_owned()
    };
    let rule = json!({
        "name": "n", "type": "HIDE", "actions": {"hide": ["1"]}, "trigger": {"query": "x", "match": "exact"}
    });
    let run = json!({"clientRunId": "a", "mode": "incremental", "types": ["products"], "languages": ["es"]});
    let run = target
        .attacker
        .feed(target.client(), "/runs", &run)
        .send()
        .ok();
    let run = run.data()["runId"].as_str().expect("an id").to_owned();
    vec![
        (
            "{synId}",
            made("/synonyms", &json!({"terms": ["one", "two"]})),
        ),
        ("{ruleId}", made("/rules", &rule)),
        (
            "{filterId}",
            made("/filters", &json!({"field": "features.1"})),
        ),
        ("{runId}", run),
        ("{type}", "products".to_owned()),
        ("{id}", target.attacker.store.clone()),
    ]
}

/// The operations that take a body, as the description says.
fn taking(target: &Target) -> Vec<Taking> {
    let description = target
        .client()
        .call("GET", "/api/v1/openapi.json")
        .send()
        .json;
    let records = records(target);
    let mut taking = Vec::new();
    for operation in OPERATIONS {
        let Some((method, path)) = server::route(operation.id) else {
            continue;
        };
        let described = path.replace("{type}", "products");
        let described = &description["paths"][described.as_str()][method.to_lowercase()];
        assert!(described.is_object(), "{} is described", operation.id);
        let schema = &described["requestBody"]["content"]["application/json"]["schema"];
        let Some(reference) = schema["$ref"].as_str() else {
            continue;
        };
        let schema = description.pointer(reference.trim_start_matches('#'));
        let fields = schema.and_then(|schema| schema["properties"].as_object());
        let mut path = path.to_owned();
        for (name, value) in &records {
            path = path.replace(name, value);
        }
        let Tenant {
            write_key,
            connector,
            public,
            ..
        } = &target.attacker;
        let key = match operation.access {
            RequiredAccess::Configuration(_) => write_key,
            RequiredAccess::Feed => connector,
            RequiredAccess::Search => public,
            RequiredAccess::Operator => continue,
        };
        taking.push(Taking {
            operation,
            method,
            path,
            key: key.clone(),
            fields: fields
                .into_iter()
                .flatten()
                .map(|(name, _)| name.clone())
                .collect(),
        });
    }
    taking
}

/// What `serde_json` needs for these bytes, whatever it says of them.
fn reading(body: &[u8]) -> Duration {
    cheapest_here(ROUNDS, || {
        let read = serde_json::from_slice::<Value>(body);
        std::hint::black_box(read).unwrap_or_default();
    })
}

impl Taking {
    fn send(&self, target: &Target, body: &[u8], what: &str) {
        let call = target.api(self.method, &self.path, &self.key);
        let reply = call.raw_json(body).try_send();
        assert_bounded(&reply.expect("a response of few bytes"), what);
    }

    fn refuse(&self, target: &Target, kind: Kind, floor: Duration) -> Option<String> {
        let bytes = match self.operation.id {
            "suggest" => SMALL_BODY_BYTES,
            _ => BODY_BYTES,
        };
        let what = format!("{} {kind:?}", self.operation.id);
        let body = body(kind, &self.fields, bytes);
        let meter = target.meter();
        let mut cost = Duration::MAX;
        let bound = reading(&body) * 3 + floor;
        for round in 0..ROUNDS_MAX {
            if round >= ROUNDS && cost <= bound {
                break;
            }
            cost = cost.min(cheapest(target.pid, 1, || self.send(target, &body, &what)));
        }
        meter.assert_within(REQUEST_GROWTH_MAX, &what);
        (cost > bound).then(|| format!("{what}: {cost:?} of {bound:?}"))
    }
}

#[test]
fn every_operation_refuses_every_kind_of_body_within_the_bounds() {
    let target = Target::open();
    let taking = taking(&target);
    let takes = |id: &str| taking.iter().any(|taking| taking.operation.id == id);
    for id in [
        "update_widget",
        "create_rule",
        "search",
        "suggest",
        "upsert_documents",
    ] {
        assert!(takes(id), "{id} takes a body");
    }
    let mut slow = Vec::new();
    for taking in &taking {
        let send = || taking.send(&target, b"[]", taking.operation.id);
        let smallest = cheapest(target.pid, ROUNDS, send);
        for kind in KINDS {
            slow.extend(taking.refuse(&target, kind, smallest * 2 + WAY));
        }
    }
    assert!(
        slow.is_empty(),
        "refusing costs too much:\n{}",
        slow.join("\n")
    );
}

#[test]
fn query_strings_are_refused_within_milliseconds() {
    let target = Target::open();
    let key = &target.attacker.public;
    let get = |query: &str| {
        target
            .api("GET", &format!("/search?{query}"), key)
            .try_send()
    };
    let plain = cheapest(target.pid, 5, || {
        get("limit=x");
    });
    let long = "x".repeat(20_000);
    let doubled = vec!["%22a%22:1"; 2_000].join(",");
    let strings = [
        ("a long text", format!("q={long}")),
        ("a long name", format!("{long}=1")),
        (
            "filters of doubled keys",
            format!("filters=%7B{doubled}%7D"),
        ),
        (
            "filters of depth",
            format!("filters={}", "%5B".repeat(6_000)),
        ),
        (
            "filters of many items",
            format!("filters=%7B%22tags%22:%5B{}0%5D%7D", "0,".repeat(8_000)),
        ),
        ("a long type", format!("types={long}")),
        (
            "many types",
            format!("types={}", vec!["x"; 8_000].join(",")),
        ),
    ];
    for (what, query) in &strings {
        let mut replies = Vec::new();
        let cost = cheapest(target.pid, 5, || replies.push(get(query)));
        let reply = replies.pop().flatten().expect("a response of few bytes");
        assert_bounded(&reply, what);
        let bound = plain + QUERY_COST_MAX;
        assert!(cost <= bound, "{what}: {cost:?} of {bound:?}");
    }
}
