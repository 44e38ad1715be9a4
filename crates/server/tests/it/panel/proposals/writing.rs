//! 1. A write with `config:propose` saves nothing and becomes a proposal, after every check of the write; reads go on
//!    showing what is saved. A read key still may not write.
//! 2. The same write twice is one proposal; a dry run is none; one that changes nothing is none. 50 may be open.
//! 3. Writes are added to an open proposal of the same key, with `config:write` too, as if written in turn; to no other.
//! 4. Every write operation becomes a proposal, and none a revision.
//! 5. What a proposal names that the store does not have stands in its advice, each by its resource.

use super::{Proposing, id_of, pin, saved_id};
use domain::{KeyKind, Scope};
use serde_json::{Value, json};

#[test]
fn a_write_becomes_a_proposal() {
    let at = Proposing::open();
    let saved = saved_id(&at.save("POST", "/rules", &pin("antes", "t1")));
    let revision = at.revision();
    let note = ("X-Change-Note", "Se compra m%C3%A1s");
    let call = at.call("POST", "/rules").header(note.0, note.1);
    let reply = call.json(&pin("tienda", "t3")).send();
    assert_eq!(reply.status, 202, "{reply:?}");
    assert!(reply.message().starts_with("Proposed, not saved: "));
    assert_eq!(reply.header("etag"), "");
    let brief = &reply.json["proposal"];
    assert_eq!(
        (&brief["state"], &brief["changes"]),
        (&json!("open"), &json!(7))
    );
    assert_eq!(
        brief["expiresAt"].as_str().map(str::len),
        Some(20),
        "{brief}"
    );
    assert_eq!(reply.data()["id"], "draft:0");
    assert_eq!(reply.json["changes"][0]["path"], "rules/draft:0.actions");
    assert_eq!(at.rules().len(), 1);
    assert_eq!(at.revision(), revision);
    let (record, _) = at.proposal(&id_of(&reply));
    assert_eq!(record["note"], "Se compra m\u{e1}s");
    assert_eq!(record["operations"], json!(["create_rule"]));
    assert_eq!(record["resources"], json!(["rules/draft:0"]));
    assert_eq!(record["draft"]["rules"]["create"][0]["name"], "tienda");
    assert_eq!(record["conflicts"], json!([]));
    assert_eq!(record["impact"]["to"], "draft");

    let wrong = at
        .post("/rules", &json!({"name": ""}))
        .error(400, "invalid_request");
    assert!(wrong.fields().contains(&"actions"), "{wrong:?}");
    let put = |path: &str, tag: &str| {
        let call = at.call("PUT", path).json(&json!({"priority": 9}));
        call.header("If-Match", tag).send()
    };
    put("/rules/none", "*").error(404, "not_found");
    put(&format!("/rules/{saved}"), "\"other\"").error(412, "precondition_failed");
    assert_eq!(put(&format!("/rules/{saved}"), "*").status, 202);
    let read_only = at
        .shop
        .api("POST", &format!("/stores/{}/rules", at.shop.store));
    let read_only = read_only
        .key(&at.shop.read_key)
        .json(&pin("x", "t1"))
        .send();
    read_only.error(403, "scope_missing");
}

#[test]
fn the_same_is_proposed_once() {
    let at = Proposing::open();
    let first = at.post("/rules", &pin("tienda", "t3"));
    let again = at.post("/rules", &pin("tienda", "t3"));
    assert_eq!((first.status, again.status), (202, 200));
    assert_eq!(id_of(&first), id_of(&again));
    assert_eq!(at.read("/proposals").json["meta"]["total"], 1);
    let tried = at
        .post("/rules?dryRun=true&impact=false", &pin("otra", "t2"))
        .ok();
    assert_eq!(tried.message(), "Valid; nothing was saved.");
    assert!(tried.json.get("proposal").is_none());
    let none = at.call("PUT", "").json(&json!({"name": "Shop"})).send();
    assert_eq!(
        (none.status, none.json.get("proposal")),
        (200, None),
        "{none:?}"
    );
    for n in 1..50 {
        let reply = at.post("/rules", &pin(&format!("r{n}"), "t1"));
        assert_eq!(reply.status, 202, "{reply:?}");
    }
    let full = at
        .post("/rules", &pin("una m\u{e1}s", "t1"))
        .error(403, "plan_limit");
    assert_eq!(full.json["details"], json!({"max": 50, "open": 50}));
    assert_eq!(at.post("/rules", &pin("tienda", "t3")).status, 200);
    assert!(at.rules().is_empty());
}

#[test]
fn a_proposal_has_advice() {
    let at = Proposing::open();
    let group = json!({"language": "es", "terms": ["bota", "zapato"]});
    let draft = json!({"draft": {
        "rules": {"create": [pin("tienda", "t1"), pin("carpa", "t9")]}, "synonyms": {"create": [group]}}});
    let made = at.post("/proposals", &draft);
    assert_eq!(made.status, 201, "{made:?}");
    let (read, _) = at.proposal(&saved_id(&made));
    let code = |one: &serde_json::Value| format!("{} {}", one["field"], one["code"]);
    for record in [made.data(), &read] {
        let advice = record["advice"].as_array().expect("a list");
        let expected = [
            r#""synonyms/draft:0.terms" "terms_not_indexed""#,
            r#""rules/draft:1.actions.pin" "product_not_indexed""#,
        ];
        assert_eq!(advice.iter().map(code).collect::<Vec<_>>(), expected);
    }
    assert!(!at.read("/proposals").text.contains("advice"));
}

#[test]
fn writes_are_added_to_a_proposal() {
    let at = Proposing::open();
    let saved = saved_id(&at.save("POST", "/rules", &pin("antes", "t1")));
    let revision = at.revision();
    let id = id_of(&at.post("/rules", &pin("tienda", "t3")));
    let add = |method, path: &str, key: &str, body: &Value| {
        let path = format!("/api/v1/stores/{}{path}", at.shop.store);
        let call = at.shop.client.call(method, path).key(key);
        call.header("X-Proposal-Id", &id).json(body).send()
    };
    let second = add("POST", "/rules", &at.key, &pin("otra", "t2"));
    assert_eq!(
        (second.status, &second.data()["id"]),
        (202, &json!("draft:1")),
        "{second:?}"
    );
    assert_eq!(id_of(&second), id);
    let rule = format!("/rules/{saved}");
    assert_eq!(
        add("PUT", &rule, &at.key, &json!({"priority": 9})).status,
        202
    );
    let (record, _) = at.proposal(&id);
    let resources = json!([format!("rules/{saved}"), "rules/draft:0", "rules/draft:1"]);
    assert_eq!(record["resources"], resources);
    assert_eq!(record["operations"], json!(["create_rule", "update_rule"]));
    assert_eq!(at.read("/proposals").json["meta"]["total"], 1);
    add("PUT", "/rules/draft:0", &at.key, &json!({"priority": 1})).error(404, "not_found");
    let other = at
        .shop
        .new_key(&at.shop.store, KeyKind::Configuration, Some(Scope::Propose));
    for key in [&other, &at.shop.write_key] {
        add("POST", "/rules", key, &pin("ajena", "t1")).error(403, "reserved");
    }
    let empty = at.call("POST", "/rules").header("X-Proposal-Id", "");
    let empty = empty
        .json(&pin("x", "t1"))
        .send()
        .error(400, "invalid_request");
    assert_eq!(empty.fields(), ["header.X-Proposal-Id"]);
    let unknown = at.call("POST", "/rules").header("X-Proposal-Id", "none");
    unknown.json(&pin("x", "t1")).send().error(404, "not_found");
    let gone = at.call("DELETE", &format!("/proposals/{id}")).send().ok();
    assert_eq!(gone.data()["state"], "withdrawn");
    add("POST", "/rules", &at.key, &pin("tarde", "t1")).error(409, "conflict");
    at.call("DELETE", &format!("/proposals/{id}"))
        .send()
        .error(409, "conflict");
    // With a key that writes, naming a proposal saves nothing either.
    let body = json!({"draft": {"rules": {"create": [pin("propia", "t1")]}}});
    let own = at.shop.own("POST", "/proposals").json(&body).send();
    assert_eq!(own.status, 201, "{own:?}");
    let named = own.data()["id"].as_str().expect("an id").to_owned();
    let call = at
        .shop
        .own("POST", "/rules")
        .header("X-Proposal-Id", &named);
    assert_eq!(call.json(&pin("propia 2", "t2")).send().status, 202);
    assert_eq!((at.rules().len(), at.revision()), (1, revision));
}

#[test]
fn every_write_becomes_a_proposal() {
    let at = Proposing::open();
    let rule = saved_id(&at.save("POST", "/rules", &pin("antes", "t1")));
    let group = json!({"terms": ["carpa", "tienda"], "language": "es"});
    let synonym = saved_id(&at.save("POST", "/synonyms", &group));
    let filter = saved_id(&at.save("POST", "/filters", &json!({"field": "price"})));
    at.save("PUT", &format!("/rules/{rule}"), &json!({"priority": 6}));
    let revision = at.revision();
    let tag = |path: &str| at.read(path).header("etag").to_owned();
    let mut imported = at.read("/configuration").data().clone();
    imported["rules"][0]["priority"] = json!(8);
    let (rule_path, synonym_path, filter_path) = (
        format!("/rules/{rule}"),
        format!("/synonyms/{synonym}"),
        format!("/filters/{filter}"),
    );
    let changes = json!({"draft": {"rules": {"update": {rule.clone(): {"active": false}}}},
        "ifMatch": {format!("rules/{rule}"): tag(&rule_path)}});
    let writes: Vec<(&'static str, &str, Value)> = vec![
        ("PUT", "", json!({"name": "Otra"})),
        ("PUT", "/relevance", json!({"boosts": {"name": 9}})),
        ("PUT", "/widget", json!({"theme": "dark"})),
        (
            "POST",
            "/synonyms",
            json!({"terms": ["farol", "luz"], "language": "es"}),
        ),
        (
            "POST",
            "/synonyms/import",
            json!({"csv": "bota, zapato\nsaco, funda"}),
        ),
        ("PUT", &synonym_path, json!({"active": false})),
        ("DELETE", &synonym_path, Value::Null),
        ("PUT", &rule_path, json!({"priority": 7})),
        ("DELETE", &rule_path, Value::Null),
        ("POST", "/filters", json!({"field": "manufacturer"})),
        ("PUT", &filter_path, json!({"active": false})),
        ("DELETE", &filter_path, Value::Null),
        (
            "PUT",
            "/watched",
            json!({"queries": [{"q": "tienda", "lang": "es"}]}),
        ),
        ("PUT", "/hidden-queries", json!({"queries": ["fea"]})),
        ("POST", "/changes", changes),
        (
            "POST",
            "/revisions/1/restore",
            json!({"parts": ["rules"], "ifRevision": revision}),
        ),
        ("PUT", "/configuration", imported),
    ];
    for (method, path, body) in &writes {
        let call = at.call(method, path);
        let reply = match body {
            Value::Null => call.send(),
            body => call.json(body).send(),
        };
        assert_eq!(reply.status, 202, "{method} {path}: {reply:?}");
        assert_eq!(at.revision(), revision, "{method} {path}");
        let id = id_of(&reply);
        at.call("DELETE", &format!("/proposals/{id}")).send().ok();
    }
    let synced = at.post("/filters/sync", &json!({}));
    assert!([200, 202].contains(&synced.status), "{synced:?}");
    at.call("DELETE", "").send().error(403, "reserved");
    let listed = at.call("PUT", "/configuration?parts=watched").json(&json!({
        "format": "findwell-configuration", "version": 1, "watched": {"queries": []}}));
    listed.send().error(400, "invalid_request");
    assert_eq!(at.revision(), revision);
}
