//! 1. The header `X-Change-Note` is UTF-8 as it is or percent-encoded; the note stands in the revision and in the audit
//!    record, of writes that belong to no revision too, and a read key reads it.
//! 2. What is no note is 400 at the header, after the permission; notes of header and body are one, or 400.
//! 3. Tools take it as an argument, the command line prints it on one line, and a dry run stores none.

use crate::harness::{Reply, Shop};
use crate::mcp::{call, call_ok};
use serde_json::{Value, json};

const NOTE: &str = "X-Change-Note";
const FIELD: &str = "header.X-Change-Note";

fn noted(shop: &Shop, note: &str, boost: u32) -> Reply {
    let body = json!({"boosts": {"name": boost}});
    let call = shop.own("PUT", "/relevance").header(NOTE, note);
    call.json(&body).send()
}

/// The notes of the latest revision, read with a read key, and of the latest audit record.
fn latest(shop: &Shop) -> [Value; 2] {
    let path = format!("/stores/{}/revisions?limit=1", shop.store);
    let revisions = shop.api("GET", &path).key(&shop.read_key).send().ok();
    let note = |record: &Value| record[0]["note"].clone();
    [note(revisions.data()), note(&shop.audit(1))]
}

#[test]
fn a_header_is_a_note() {
    let shop = Shop::open();
    let pickup = "Recogida nº 3";
    for (at, (header, note)) in [
        ("Recogida%20n%C2%BA%203", pickup),
        (pickup, pickup),
        ("100% cotton", "100% cotton"),
        ("line%0Abreak <b>bold</b>", "line\nbreak <b>bold</b>"),
    ]
    .into_iter()
    .enumerate()
    {
        noted(&shop, header, 20 + at as u32).ok();
        assert_eq!(latest(&shop), [json!(note), json!(note)], "{header}");
    }
    // A write that changes nothing is audited with its note.
    noted(&shop, "again", 23).ok();
    assert_eq!(shop.audit(1)[0]["note"], "again");
    noted(&shop, "%20", 30).ok();
    assert_eq!(latest(&shop), [Value::Null, Value::Null]);
    let watched = json!({"queries": [{"q": "tent", "lang": "en", "note": "own"}]});
    let set = shop.own("PUT", "/watched").header(NOTE, "why");
    assert_eq!(set.json(&watched).send().ok().data(), &watched);
    assert_eq!(shop.audit(1)[0]["note"], "why");
    let deleted = shop.own("POST", "/synonyms");
    let group = deleted.json(&json!({"terms": ["a", "b"], "language": "en"}));
    let id = group.send().data()["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let gone = shop.own("DELETE", &format!("/synonyms/{id}"));
    gone.header(NOTE, "gone").send().ok();
    assert_eq!(latest(&shop), [json!("gone"), json!("gone")]);
}

#[test]
fn what_is_no_note_is_rejected_after_the_permission() {
    let shop = Shop::open();
    let revision = || shop.own("GET", "/revisions").send().ok().json;
    let before = revision();
    for wrong in [&"x".repeat(501), "a%00b", "%FF", "a%1B[2Jb", "a%E2%80"] {
        let reply = noted(&shop, wrong, 20).error(400, "invalid_request");
        assert_eq!(reply.fields(), [FIELD], "{wrong}");
    }
    let dry = shop.own("POST", "/rules?dryRun=true").header(NOTE, "%00");
    let rule = json!({"name": "n", "language": "es", "type": "HIDE",
        "trigger": {"query": "a", "match": "exact"}, "actions": {"hide": ["p1"]}});
    let reply = dry.json(&rule).send().error(400, "invalid_request");
    assert_eq!(reply.fields(), [FIELD]);
    let path = format!("/stores/{}/relevance", shop.store);
    let reader = shop.api("PUT", &path).key(&shop.read_key);
    let reader = reader
        .header(NOTE, "%00")
        .json(&json!({"boosts": {"name": 9}}));
    reader.send().error(403, "scope_missing");
    let twice = shop.own("PUT", "/relevance").header(NOTE, "a");
    let twice = twice
        .header(NOTE, "a")
        .json(&json!({"boosts": {"name": 9}}));
    assert_eq!(twice.send().error(400, "invalid_request").fields(), [FIELD]);
    assert_eq!(revision(), before);
    // Reads have no note.
    let read = shop.own("GET", "/relevance").header(NOTE, "%00");
    read.send().ok();
}

#[test]
fn notes_of_header_and_body_are_one() {
    let shop = Shop::open();
    let save = |header: Option<&str>, body: Option<&str>, term: &str| {
        let group = json!({"terms": [term, "b"], "language": "en"});
        let mut request = json!({"draft": {"synonyms": {"create": [group]}}, "ifMatch": {}});
        if let Some(note) = body {
            request["note"] = json!(note);
        }
        let mut call = shop.own("POST", "/changes");
        if let Some(note) = header {
            call = call.header(NOTE, note);
        }
        call.json(&request).send()
    };
    save(Some("one"), None, "a1").ok();
    assert_eq!(latest(&shop), [json!("one"), json!("one")]);
    save(Some("two"), Some(" two "), "a2").ok();
    assert_eq!(latest(&shop), [json!("two"), json!("two")]);
    save(Some(""), Some("three"), "a3").ok();
    assert_eq!(latest(&shop), [json!("three"), json!("three")]);
    let reply = save(Some("one"), Some("other"), "a4").error(400, "invalid_request");
    assert_eq!(reply.fields(), [FIELD]);
    let reply = save(None, Some("a\u{1}b"), "a5").error(400, "invalid_request");
    assert_eq!(reply.fields(), ["note"]);
}

#[test]
fn tools_and_commands_know_notes() {
    let shop = Shop::open();
    let rule = json!({"name": "n", "language": "en", "type": "HIDE", "note": "why\nso",
        "trigger": {"query": "a", "match": "exact"}, "actions": {"hide": ["p1"]}});
    let mut dry = rule.clone();
    dry["dryRun"] = json!(true);
    let tried = call_ok(&shop, "create_rule", dry);
    assert_eq!(tried["dryRun"], true);
    assert_ne!(shop.audit(1)[0]["operation"], "create_rule");
    call_ok(&shop, "create_rule", rule.clone());
    assert_eq!(latest(&shop), [json!("why\nso"), json!("why\nso")]);
    for wrong in [json!("x".repeat(501)), json!(7)] {
        let mut rule = rule.clone();
        rule["note"] = wrong;
        let failed = call(&shop, &shop.write_key, "create_rule", rule);
        let text = failed["content"][0]["text"].as_str().unwrap_or_default();
        let body: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(body["errors"][0]["field"], "note", "{text}");
    }
}
