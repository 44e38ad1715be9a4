//! 1. A person applies a proposal: one revision by the person with the key as proposer, seen by the key with the ids that
//!    were made. Twice, it is a conflict.
//! 2. Of a proposal some resources are applied, the others never.
//! 3. Nobody decides about what they have not seen: without the tag, or after it was added to. Viewers decide nothing, keys
//!    have no such paths, people propose nothing.
//! 4. Opened as a draft, changed and saved, it is applied with changes. A rejected one has its reason, also when it is
//!    proposed again.
//! 5. Applying passes the gate of the store, as a save does; an editor applies all the same with a reason.

use super::{Proposing, id_of, pin};
use domain::Role;
use operations::stores::{GateChange, StoreSettings};
use serde_json::json;
use server::admin::AdminRequest;

#[test]
fn a_person_applies_a_proposal() {
    let at = Proposing::open();
    let id = id_of(&at.post("/rules", &pin("tienda", "t3")));
    let before = at.revision();
    let applied = at.apply(&id, &json!({"note": "Visto"})).ok();
    assert_eq!(applied.data()["state"], "applied");
    assert_eq!(at.rules().len(), 1);
    assert_eq!(at.revision(), before + 1);
    let revision = at.read(&format!("/revisions/{}", before + 1));
    let revision = revision.data();
    assert_eq!(revision["operation"], "apply_proposal");
    assert_eq!(revision["note"], "Visto");
    assert!(revision["by"]["userId"].is_string(), "{revision}");
    assert_eq!(revision["proposal"]["id"], json!(id));
    assert!(
        revision["proposal"]["by"]["keyId"].is_string(),
        "{revision}"
    );
    let only = at.read(&format!("/revisions?proposal={id}"));
    assert_eq!(only.json["meta"]["total"], 1);
    assert_eq!(at.read("/revisions?proposal=none").json["meta"]["total"], 0);
    let (record, _) = at.proposal(&id);
    let decision = &record["decision"];
    assert_eq!(
        (&record["state"], &decision["outcome"]),
        (&json!("applied"), &json!("whole"))
    );
    assert_eq!(decision["revision"], before + 1);
    let made = format!("rules/{}", at.rules()[0]["id"].as_str().expect("an id"));
    assert_eq!(decision["created"]["rules/draft:0"], json!(made));
    assert_eq!(record["changes"][0]["applied"], true);
    at.apply(&id, &json!({})).error(409, "conflict");
    let audit = at.shop.audit(10);
    let operations: Vec<&str> = audit
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["operation"].as_str())
        .collect();
    assert!(
        operations.contains(&"apply_proposal") && operations.contains(&"create_proposal"),
        "{operations:?}"
    );
}

#[test]
fn applying_passes_the_gate() {
    let at = Proposing::open();
    let watched = json!({"queries": [{"q": "tienda", "lang": "es", "note": ""}]});
    at.save("PUT", "/watched", &watched);
    at.shop.admin(AdminRequest::SetStore {
        store: at.shop.store.clone(),
        settings: StoreSettings {
            impact_gate: Some(GateChange::Percent(0)),
            ..StoreSettings::default()
        },
    });
    let id = id_of(&at.post("/rules", &pin("tienda", "t4")));
    let gate = json!({"exceeded": true, "maxChangedTop3Percent": 0, "watched": 1, "changedTop3": 1,
        "lostAllResults": 0});
    assert_eq!(at.proposal(&id).0["gate"], gate);
    let now = at.read(&format!("/proposals/{id}?impact=true"));
    assert_eq!(now.data()["gate"], gate);
    let refused = at.apply(&id, &json!({})).error(409, "impact_exceeded");
    assert_eq!(refused.json["details"]["changedTop3"], 1);
    assert_eq!(at.rules().len(), 0);
    assert_eq!(at.proposal(&id).0["state"], "open");
    let silent = at.apply(&id, &json!({"force": true}));
    assert_eq!(silent.error(400, "invalid_request").fields(), ["force"]);
    let why = json!({"force": true, "note": "Season"});
    assert_eq!(at.apply(&id, &why).ok().data()["state"], "applied");
    let revision = at.revision();
    let read = at.read(&format!("/revisions/{revision}"));
    assert_eq!(read.data()["forced"], true);
    assert_eq!(read.data()["note"], "Season");
}

#[test]
fn some_resources_are_applied() {
    let at = Proposing::open();
    let body = json!({"draft": {"rules": {"create": [pin("una", "t1"), pin("dos", "t2")]}}});
    let id = at.post("/proposals", &body).data()["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    at.apply(&id, &json!({"resources": ["rules/draft:7"]}))
        .error(400, "invalid_request");
    at.apply(&id, &json!({"resources": []}))
        .error(400, "invalid_request");
    at.apply(&id, &json!({"resources": ["rules/draft:1"]})).ok();
    let names: Vec<_> = at.rules().iter().map(|rule| rule["name"].clone()).collect();
    assert_eq!(names, ["dos"]);
    let (record, _) = at.proposal(&id);
    assert_eq!(record["decision"]["outcome"], "part");
    let of = |name: &str| {
        let changes = record["changes"].as_array().into_iter().flatten();
        let mut changes = changes.filter(|one| {
            one["path"]
                .as_str()
                .is_some_and(|path| path.starts_with(name))
        });
        changes.next().map(|one| one["applied"].clone())
    };
    assert_eq!(
        (of("rules/draft:0"), of("rules/draft:1")),
        (Some(json!(false)), Some(json!(true)))
    );
    let created = record["decision"]["created"].as_object().expect("created");
    assert_eq!(created.keys().collect::<Vec<_>>(), ["rules/draft:1"]);
}

#[test]
fn nobody_decides_about_what_they_have_not_seen() {
    let at = Proposing::open();
    let id = id_of(&at.post("/rules", &pin("tienda", "t3")));
    let (_, seen) = at.proposal(&id);
    let call = at.call("POST", "/rules").header("X-Proposal-Id", &id);
    assert_eq!(call.json(&pin("otra", "t1")).send().status, 202);
    for what in ["apply", "reject"] {
        let stale = at.decide(&id, what, &seen, &json!({}));
        stale.error(412, "precondition_failed");
        let blind = at
            .decide(&id, what, "", &json!({}))
            .error(400, "invalid_request");
        assert_eq!(blind.fields(), ["header.If-Match"]);
        let path = format!("/proposals/{id}/{what}");
        at.post(&path, &json!({})).error(404, "not_found");
        at.shop
            .own("POST", &path)
            .json(&json!({}))
            .send()
            .error(404, "not_found");
    }
    let viewer = at.shop.member("vic@shop.example", Role::Viewer);
    let (_, now) = at.proposal(&id);
    at.decide_as(&viewer, &id, "apply", &now, &json!({}))
        .error(403, "role_missing");
    let listed = at
        .shop
        .by(&viewer, "GET", &at.shop.of_store("/proposals"))
        .send()
        .ok();
    assert_eq!(listed.data()[0]["id"], json!(id));
    let head = at
        .shop
        .by(&viewer, "GET", &at.shop.of_store("/head"))
        .send()
        .ok();
    assert_eq!(head.data()["openProposals"], 1);
    let stores = at.shop.by(&viewer, "GET", "/stores").send().ok();
    assert_eq!(stores.data()[0]["openProposals"], 1);
    let body = json!({"draft": {"rules": {"create": [pin("x", "t1")]}}});
    let by_person = at.shop.by(&at.eva, "POST", &at.shop.of_store("/proposals"));
    by_person.json(&body).send().error(403, "reserved");
    assert!(at.rules().is_empty());
}

#[test]
fn a_draft_made_of_a_proposal_decides_it() {
    let at = Proposing::open();
    let id = id_of(&at.post("/rules", &pin("tienda", "t3")));
    let (record, etag) = at.proposal(&id);
    let mut draft = record["draft"].clone();
    draft["rules"]["create"][0]["priority"] = json!(8);
    let changes = at.shop.of_store("/changes");
    let body = json!({"draft": draft, "ifMatch": {}, "proposal": {"id": id, "etag": etag}});
    let by_key = at.shop.own("POST", "/changes").json(&body).send();
    by_key.error(403, "reserved");
    let other = json!({"draft": draft, "ifMatch": {}, "proposal": {"id": id, "etag": "other"}});
    let stale = at.shop.by(&at.eva, "POST", &changes).json(&other).send();
    stale.error(412, "precondition_failed");
    at.shop
        .by(&at.eva, "POST", &changes)
        .json(&body)
        .send()
        .ok();
    let (record, _) = at.proposal(&id);
    assert_eq!(record["state"], "applied");
    assert_eq!(record["decision"]["outcome"], "changed", "{record}");

    let id = id_of(&at.post("/rules", &pin("otra", "t2")));
    let (_, etag) = at.proposal(&id);
    let rejected = at
        .decide(&id, "reject", &etag, &json!({"reason": " No conviene "}))
        .ok();
    assert_eq!(rejected.data()["state"], "rejected");
    let (record, _) = at.proposal(&id);
    assert_eq!(record["decision"]["reason"], "No conviene");
    let again = at.post("/rules", &pin("otra", "t2"));
    assert_eq!(again.status, 202);
    let (record, _) = at.proposal(&id_of(&again));
    let before = &record["rejectedBefore"];
    assert_eq!(
        (&before["id"], &before["reason"]),
        (&json!(id), &json!("No conviene"))
    );
    assert_eq!(at.rules().len(), 1);
}
