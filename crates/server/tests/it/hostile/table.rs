//! Every operation of the catalogue that accepts a body, with every kind of hostile body:
//!
//! 1. It is rejected (4xx) with at most 64 KiB and 100 errors, and memory rises by at most 64 MiB.
//! 2. Rejecting it costs at most three times the processor time that `serde_json` needs to parse the same bytes in the
//!    same run, plus the cost of a body that is rejected at once.
//! 3. Query strings of the searches are rejected within 5 ms of processor time, plus the cost of an ordinary one.
//!
//! These are figures of an optimised build; in others the bounds are wider, and catch what is not proportional.

use super::bodies::assert_bounded;
use super::meter::{REQUEST_GROWTH_MAX, cheapest, cheapest_here, time_max};
use super::payload::{KINDS, Kind, body};
use super::target::{Target, Tenant};
use operations::catalogue::{Operation, RequiredAccess, all_operations};
use serde_json::{Value, json};
use std::time::Duration;

/// The size of a hostile body, if the operation accepts that many bytes.
const BODY_BYTES: usize = 200_000;
/// The size of a body of suggestions and events, whose limit is smaller.
const SMALL_BODY_BYTES: usize = 60_000;
/// What rejecting a body may cost at most, in units of the time that `serde_json` needs to parse it: 3, and more where
/// only dependencies are optimised.
const COST_FACTOR: u32 = if cfg!(debug_assertions) { 10 } else { 3 };
/// Times that each body is sent; the cheapest one counts.
const ROUNDS: usize = 3;
/// Times that an expensive body is sent before it counts: the server may have done other work.
const ROUNDS_MAX: usize = 15;
/// What a request costs besides parsing its body, checking the key included: twice the cost of a rejected body of two
/// bytes, plus this.
const OVERHEAD: Duration = time_max(Duration::from_millis(10));
/// The maximum cost of a query string.
const QUERY_COST_MAX: Duration = time_max(Duration::from_millis(5));

/// An operation that accepts a body, with its path and its fields.
struct OperationWithBody {
    operation: &'static Operation,
    method: &'static str,
    path: String,
    key: String,
    fields: Vec<String>,
}

/// Placeholders of paths with the ids of existing records.
fn records(target: &Target) -> Vec<(&'static str, String)> {
    let create = |path: &str, body: &Value| {
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
            create("/synonyms", &json!({"terms": ["one", "two"]})),
        ),
        ("{ruleId}", create("/rules", &rule)),
        (
            "{filterId}",
            create("/filters", &json!({"field": "features.1"})),
        ),
        ("{runId}", run),
        ("{type}", "products".to_owned()),
        ("{id}", target.attacker.store.clone()),
    ]
}

/// The operations that accept a body, according to the OpenAPI description.
fn operations_with_body(target: &Target) -> Vec<OperationWithBody> {
    let description = target
        .client()
        .call("GET", "/api/v1/openapi.json")
        .send()
        .json;
    let records = records(target);
    let mut operations = Vec::new();
    for operation in all_operations() {
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
            RequiredAccess::Panel | RequiredAccess::Operator => continue,
        };
        operations.push(OperationWithBody {
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
    operations
}

/// The time that `serde_json` needs to parse these bytes, whatever the result.
fn parse_time(body: &[u8]) -> Duration {
    cheapest_here(ROUNDS, || {
        let read = serde_json::from_slice::<Value>(body);
        std::hint::black_box(read).unwrap_or_default();
    })
}

impl OperationWithBody {
    fn send(&self, target: &Target, body: &[u8], what: &str) {
        let call = target.api(self.method, &self.path, &self.key);
        let reply = call.raw_json(body).try_send();
        assert_bounded(&reply.expect("a response of few bytes"), what);
    }

    fn rejection_cost(&self, target: &Target, kind: Kind, floor: Duration) -> Option<String> {
        let bytes = match self.operation.id {
            "suggest" | "send_events" => SMALL_BODY_BYTES,
            _ => BODY_BYTES,
        };
        let what = format!("{} {kind:?}", self.operation.id);
        let body = body(kind, &self.fields, bytes);
        let meter = target.meter();
        let mut cost = Duration::MAX;
        let bound = parse_time(&body) * COST_FACTOR + floor;
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
fn every_operation_rejects_every_kind_of_body_within_the_bounds() {
    let target = Target::open();
    let operations = operations_with_body(&target);
    let takes = |id: &str| operations.iter().any(|entry| entry.operation.id == id);
    for id in [
        "update_widget",
        "create_rule",
        "search",
        "suggest",
        "send_events",
        "upsert_documents",
    ] {
        assert!(takes(id), "{id} takes a body");
    }
    let mut slow = Vec::new();
    for entry in &operations {
        let send = || entry.send(&target, b"[]", entry.operation.id);
        let smallest = cheapest(target.pid, ROUNDS, send);
        for kind in KINDS {
            slow.extend(entry.rejection_cost(&target, kind, smallest * 2 + OVERHEAD));
        }
    }
    assert!(
        slow.is_empty(),
        "rejecting costs too much:\n{}",
        slow.join("\n")
    );
}

#[test]
fn query_strings_are_rejected_within_milliseconds() {
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
    let duplicates = vec!["%22a%22:1"; 2_000].join(",");
    let strings = [
        ("a long text", format!("q={long}")),
        ("a long name", format!("{long}=1")),
        (
            "filters of duplicate keys",
            format!("filters=%7B{duplicates}%7D"),
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
