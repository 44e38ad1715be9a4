//! 1. What was saved meanwhile in another field stays; in the same field it is a conflict with path, revision and author, and
//!    nothing of what is applied with it is stored. Another resource can be applied.
//! 2. A record that was deleted or changed before its deletion, a duplicate, and a list that was changed are conflicts. What
//!    is so already is none, and makes no revision.
//! 3. A decision and an edit at once: whatever wins, nothing is saved that nobody applied.

use super::{Proposing, id_of, pin, saved_id};
use serde_json::{Value, json};

/// A rule that is saved, and a proposal that sets its priority and creates another.
fn proposed(at: &Proposing) -> (String, String) {
    let rule = saved_id(&at.save("POST", "/rules", &pin("antes", "t1")));
    let body = json!({"draft": {"rules": {"update": {rule.clone(): {"priority": 9}}, "create": [pin("otra", "t2")]}}});
    let made = at.post("/proposals", &body);
    assert_eq!(made.status, 201, "{made:?}");
    (rule, saved_id(&made))
}

fn kinds(record: &Value) -> Vec<&str> {
    let conflicts = record["conflicts"].as_array().into_iter().flatten();
    conflicts.filter_map(|one| one["kind"].as_str()).collect()
}

#[test]
fn other_fields_stay_and_the_same_field_conflicts() {
    let at = Proposing::open();
    let (rule, id) = proposed(&at);
    at.save("PUT", &format!("/rules/{rule}"), &json!({"priority": 7}));
    let revision = at.revision();
    let (record, _) = at.proposal(&id);
    let conflict = &record["conflicts"][0];
    assert_eq!(conflict["path"], json!(format!("rules/{rule}.priority")));
    assert_eq!(
        (&conflict["kind"], &conflict["revision"]),
        (&json!("updated"), &json!(revision))
    );
    assert!(conflict["by"]["keyId"].is_string(), "{conflict}");
    let failed = at.apply(&id, &json!({})).error(412, "precondition_failed");
    let details = &failed.json["details"];
    assert_eq!(
        details["stale"][0]["resource"],
        json!(format!("rules/{rule}"))
    );
    assert_eq!(details["conflicts"][0]["kind"], "updated");
    assert_eq!((at.rules().len(), at.revision()), (1, revision));
    at.apply(&id, &json!({"resources": ["rules/draft:0"]})).ok();
    assert_eq!(at.rules().len(), 2);

    let (rule, id) = proposed(&at);
    at.save(
        "PUT",
        &format!("/rules/{rule}"),
        &json!({"name": "nuevo nombre"}),
    );
    assert!(kinds(&at.proposal(&id).0).is_empty());
    at.apply(&id, &json!({"resources": [format!("rules/{rule}")]}))
        .ok();
    let now = at.read(&format!("/rules/{rule}"));
    assert_eq!(now.data()["name"], "nuevo nombre");
    assert_eq!(now.data()["priority"], 9);
}

#[test]
fn what_contradicts_is_named() {
    let at = Proposing::open();
    let (rule, id) = proposed(&at);
    at.shop.own("DELETE", &format!("/rules/{rule}")).send().ok();
    assert_eq!(kinds(&at.proposal(&id).0), ["deleted"]);

    let rule = saved_id(&at.save("POST", "/rules", &pin("b", "t1")));
    let id = id_of(&at.call("DELETE", &format!("/rules/{rule}")).send());
    at.save("PUT", &format!("/rules/{rule}"), &json!({"priority": 1}));
    assert_eq!(kinds(&at.proposal(&id).0), ["updated"]);
    at.apply(&id, &json!({})).error(412, "precondition_failed");

    let other = json!({"terms": ["saco", "funda"], "language": "es"});
    let id = id_of(&at.post("/synonyms", &other));
    assert!(kinds(&at.proposal(&id).0).is_empty());
    at.apply(&id, &json!({})).ok();
    assert_eq!(at.read("/synonyms").data()[0]["terms"], other["terms"]);
    let group = json!({"terms": ["carpa", "tienda"], "language": "es"});
    let id = id_of(&at.post("/synonyms", &group));
    at.save("POST", "/synonyms", &group);
    assert_eq!(kinds(&at.proposal(&id).0), ["duplicate"]);
    at.apply(&id, &json!({})).error(412, "precondition_failed");

    let queries = |q: &str| json!({"queries": [{"q": q, "lang": "es", "note": ""}]});
    let put = |q: &str| at.call("PUT", "/watched").json(&queries(q)).send();
    let id = id_of(&put("tienda"));
    at.save("PUT", "/watched", &queries("otra"));
    assert_eq!(kinds(&at.proposal(&id).0), ["updated"]);

    let boosts = json!({"boosts": {"name": 9}});
    let id = id_of(&at.call("PUT", "/relevance").json(&boosts).send());
    at.save("PUT", "/relevance", &boosts);
    let revision = at.revision();
    assert!(kinds(&at.proposal(&id).0).is_empty());
    let applied = at.apply(&id, &json!({})).ok();
    assert_eq!(applied.data()["decision"]["outcome"], "unchanged");
    assert_eq!(at.revision(), revision);
}

#[test]
fn a_race_saves_nothing_that_nobody_applied() {
    let at = Proposing::open();
    for round in 0..6 {
        let id = id_of(&at.post("/rules", &pin(&format!("r{round}"), "t1")));
        let (seen, etag) = at.proposal(&id);
        let [applied, added, edited] = std::thread::scope(|scope| {
            let apply = scope.spawn(|| at.decide(&id, "apply", &etag, &json!({})));
            let add = scope.spawn(|| {
                let call = at.call("POST", "/rules").header("X-Proposal-Id", &id);
                call.json(&pin(&format!("a\u{f1}adida {round}"), "t2"))
                    .send()
            });
            let edit = scope.spawn(|| {
                at.shop
                    .own("PUT", "/relevance")
                    .json(&json!({"boosts": {"name": 2 + round}}))
                    .send()
            });
            [apply, add, edit].map(|call| call.join().expect("a reply"))
        });
        assert_eq!(edited.status, 200, "{edited:?}");
        let names: Vec<Value> = at.rules().iter().map(|rule| rule["name"].clone()).collect();
        assert!(
            !names.contains(&json!(format!("a\u{f1}adida {round}"))),
            "{names:?}"
        );
        match applied.status {
            200 => {
                assert!(names.contains(&seen["draft"]["rules"]["create"][0]["name"]));
                assert!(matches!(added.status, 202 | 409), "{added:?}");
            }
            412 => assert_eq!(added.status, 202, "{added:?}"),
            _ => panic!("{applied:?}"),
        }
    }
}
