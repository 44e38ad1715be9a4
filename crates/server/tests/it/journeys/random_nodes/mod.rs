//! Eight clients send random operations of all kinds to two servers at once: blocks, deletions, clears, runs, touches,
//! declarations, languages, relevance, synonyms, rules, filters, drafts, restores, the widget and lists of queries.
//!
//! 1. All that was acknowledged, sent again to one server with a file in the order in which it was committed, has the same
//!    responses of the feed, and leaves the same configuration, revisions and audit trail.
//! 2. Both servers and that one then find the same products, in the same order with the same scores, facets and totals.
//! 3. Each index is what its database says.

mod client;
mod commits;
mod operation;

use super::on_postgresql::Server;
use super::two_nodes::Keys;
use crate::faults::Random;
use crate::harness::{Binary, Client, Outcome, eventually, findwell};
use client::{Common, RandomClient, WORDS, relevance_tag};
use commits::{LOGGED, in_order};
use operation::{Done, Face, Ids};
use serde_json::{Value, json};
use std::path::Path;
use tempfile::TempDir;

/// Operations of a run of the tests; more with `FINDWELL_OPERATIONS`.
const OPERATIONS: usize = 600;
const CLIENTS: usize = 8;

#[test]
fn two_servers_are_like_one() {
    let Some(server) = Server::start_with(&LOGGED) else {
        return;
    };
    let operations = std::env::var("FINDWELL_OPERATIONS").ok();
    let operations = operations.and_then(|text| text.parse().ok());
    let operations: usize = operations.unwrap_or(OPERATIONS);
    let keys = Keys::of(&server);
    let (a, b) = (server.serve("a"), server.serve("b"));
    prepare(&keys, &a.client);
    let common = Common::default();
    std::thread::scope(|scope| {
        for number in 0..CLIENTS {
            let mut client = RandomClient {
                keys: &keys,
                nodes: [&a.client, &b.client],
                common: &common,
                random: Random::new(number as u64 + 40),
                run: None,
            };
            scope.spawn(move || (0..operations / CLIENTS).for_each(|_| client.act()));
        }
    });
    let statuses = common.statuses.into_inner().expect("no panic");
    let mut statuses: Vec<_> = statuses.into_iter().collect();
    statuses.sort();
    let done = common.done.into_inner().expect("no panic");
    let acknowledged = done.len();
    let done = in_order(&server.log(), done);
    eprintln!(
        "{acknowledged} acknowledged, {} committed: {statuses:?}",
        done.len()
    );
    assert!(
        done.len() * 2 > operations,
        "most operations have an effect"
    );

    let dir = TempDir::new().expect("a directory");
    let alone = Keys::made_by(&|arguments: &[&str]| findwell(dir.path(), arguments), "es");
    let one = Binary::serve(dir.path());
    prepare(&alone, &one.client);
    let ids = send_again(&done, &alone, &one.client);
    for node in ["a", "b"] {
        assert_eq!(server.run(node, &["reindex"]).status, 0);
        server.check(node);
    }
    assert_eq!(findwell(dir.path(), &["reindex"]).status, 0);
    findwell(dir.path(), &["check", "--json"]).finds_nothing();
    let expected = Shown::of(&alone, &one.client, dir.path());
    for client in [&a.client, &b.client] {
        let shown = Shown::of_nodes(&keys, client, &server, &ids);
        for (one, other) in shown.0.iter().zip(&expected.0) {
            assert_eq!(one, other);
        }
        assert_eq!(shown.0.len(), expected.0.len());
    }
}

fn prepare(keys: &Keys, client: &Client) {
    let languages = json!([{"code": "es", "default": true}, {"code": "en"}]);
    let indices = json!({"types": ["products", "categories"], "languages": languages});
    keys.feed(client, "POST", "/indices")
        .json(&indices)
        .send()
        .ok();
}

/// Sends all operations one after the other; returns the ids that they got instead.
fn send_again(done: &[Done], keys: &Keys, client: &Client) -> Ids {
    let mut ids = Ids::default();
    for one in done {
        let mut operation = one.operation.with(&ids);
        if operation.path == "/changes" {
            operation.body["ifMatch"]["relevance"] = relevance_tag(keys, client).into();
        }
        let mut reply = operation.send(keys, client);
        eventually("the index keeps up", || {
            if reply.status == 503 {
                reply = operation.send(keys, client);
            }
            reply.status != 503
        });
        assert!(reply.status < 300, "{one:?} {reply:?}");
        let data = reply.data();
        let (was, is) = (one.operation.created(&one.data), operation.created(data));
        if let (Some(was), Some(is)) = (was, is) {
            ids.add(was, is);
        }
        if operation.face == Face::Feed && one.mark.is_some() {
            assert_eq!(timeless(&one.data, &ids), timeless(data, &ids), "{one:?}");
        }
    }
    ids
}

/// A text of a value without the times in it, and with the ids of the other service.
fn timeless(value: &Value, ids: &Ids) -> String {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| {
                    !(matches!(name.as_str(), "at" | "keyId" | "tookMs") || name.ends_with("At"))
                });
                fields.values_mut().for_each(strip);
            }
            Value::Array(all) => all.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = value.clone();
    strip(&mut value);
    ids.translated(&value.to_string())
}

/// What a service shows: configuration, audit trail and responses of searches, as texts.
struct Shown(Vec<String>);

impl Shown {
    fn of(keys: &Keys, client: &Client, data: &Path) -> Self {
        let audit = findwell(data, &keys.audit());
        Self::with(keys, client, &audit, &Ids::default())
    }

    fn of_nodes(keys: &Keys, client: &Client, server: &Server, ids: &Ids) -> Self {
        let audit = server.run("a", &keys.audit());
        Self::with(keys, client, &audit, ids)
    }

    fn with(keys: &Keys, client: &Client, audit: &Outcome, ids: &Ids) -> Self {
        let mut shown = Vec::new();
        for path in [
            "/relevance",
            "/synonyms",
            "/rules",
            "/filters",
            "/widget",
            "/watched",
            "/hidden-queries",
            "/revisions?limit=100",
        ] {
            let reply = keys.of_store(client, "GET", path).send().ok();
            shown.push(timeless(reply.data(), ids));
        }
        let records = audit.json();
        for record in records.as_array().expect("a list") {
            // Keys are made before all operations, and each is another one.
            if record["operation"] == "create_key" {
                continue;
            }
            let mut record = record.clone();
            for field in [
                "requestId",
                "keyId",
                "storeId",
                "accountId",
                "store",
                "account",
                "key",
                "request",
            ] {
                record.as_object_mut().expect("a record").remove(field);
            }
            shown.push(timeless(&record, ids));
        }
        for q in WORDS
            .iter()
            .copied()
            .chain(["", "bota roja", "saco azul verde"])
        {
            for language in ["es", "en"] {
                let request = json!({"q": q, "lang": language, "limit": 10});
                let tried = keys
                    .of_store(client, "POST", "/relevance/test")
                    .json(&request);
                if !q.is_empty() {
                    shown.push(timeless(tried.send().ok().data(), ids));
                }
                let found = client.call("POST", "/api/v1/search").key(&keys.search);
                let mut found = found.json(&request).send().ok().data().clone();
                let fields = found.as_object_mut().expect("an object");
                fields.retain(|name, _| !name.to_lowercase().contains("id"));
                shown.push(timeless(&found, ids));
            }
        }
        Self(shown)
    }
}
