//! 1. A proposal is exactly one of draft, restore, watched and hidden queries, checked as their writes are.
//! 2. Restores, watched and hidden queries are applied as a whole, a restore with what it restores. Nothing is added to
//!    them.
//! 3. Tools propose and read what is decided; `proposalId` adds to a proposal. The same tools are listed as with a key that
//!    writes.

use super::{Proposing, pin, saved_id};
use crate::mcp::{call_all, tools_of};
use serde_json::json;

#[test]
fn a_proposal_has_one_content() {
    let at = Proposing::open();
    let draft = json!({"rules": {"create": [pin("a", "t1")]}});
    for body in [
        json!({}),
        json!({"draft": draft, "watched": {"queries": []}}),
        json!({"draft": {"colours": {}}}),
        json!({"draft": {}}),
        json!({"restore": {"revision": 0}}),
        json!({"hiddenQueries": {"queries": [""]}}),
    ] {
        at.post("/proposals", &body).error(400, "invalid_request");
    }
    let gone = json!({"draft": {"rules": {"update": {"none": {"priority": 1}}}}});
    let gone = at.post("/proposals", &gone).error(404, "not_found");
    assert_eq!(gone.json["details"]["field"], "draft.rules.update.none");
    assert_eq!(at.read("/proposals").json["meta"]["total"], 0);
}

#[test]
fn restores_and_lists_are_applied_as_a_whole() {
    let at = Proposing::open();
    at.save("POST", "/rules", &pin("una", "t1"));
    at.save("POST", "/rules", &pin("dos", "t2"));
    let restore = json!({"restore": {"revision": 1, "parts": ["rules"]}});
    let made = at.post("/proposals", &restore);
    assert_eq!(made.status, 201, "{made:?}");
    let id = saved_id(&made);
    assert_eq!(made.data()["restore"], restore["restore"]);
    let add = at.call("POST", "/rules").header("X-Proposal-Id", &id);
    let add = add
        .json(&pin("x", "t1"))
        .send()
        .error(400, "invalid_request");
    assert_eq!(add.fields(), ["header.X-Proposal-Id"]);
    at.apply(&id, &json!({"resources": ["rules/x"]}))
        .error(400, "invalid_request");
    at.apply(&id, &json!({})).ok();
    assert_eq!(at.rules().len(), 1);
    let revision = at.read(&format!("/revisions/{}", at.revision()));
    assert_eq!(revision.data()["restores"], 1);

    let id = saved_id(&at.post(
        "/proposals",
        &json!({"restore": {"revision": 0, "parts": ["rules"]}}),
    ));
    at.save(
        "PUT",
        &format!("/rules/{}", at.rules()[0]["id"].as_str().expect("an id")),
        &json!({"priority": 1}),
    );
    at.apply(&id, &json!({})).error(412, "precondition_failed");

    let revision = at.revision();
    let watched = json!({"queries": [{"q": "tienda", "lang": "es", "note": ""}]});
    let id = saved_id(&at.post("/proposals", &json!({"watched": watched})));
    at.apply(&id, &json!({})).ok();
    assert_eq!(at.read("/watched").data(), &watched);
    let hidden = json!({"queries": ["fea"]});
    let id = saved_id(&at.post("/proposals", &json!({"hiddenQueries": hidden})));
    at.apply(&id, &json!({})).ok();
    assert_eq!(at.read("/hidden-queries").data(), &hidden);
    assert_eq!(at.revision(), revision);
}

#[test]
fn tools_propose() {
    let at = Proposing::open();
    let writes = tools_of(&at.shop.client, &at.shop.write_key);
    assert_eq!(tools_of(&at.shop.client, &at.key), writes);
    let tool = |name: &str, arguments| call_all(&at.shop.client, &at.key, name, arguments);
    let made = tool("create_rule", pin("una", "t1"));
    let id = made["proposal"]["id"].as_str().expect("an id").to_owned();
    let mut second = pin("dos", "t2");
    second["proposalId"] = json!(id);
    let added = tool("create_rule", second);
    assert_eq!(
        (&added["proposal"]["id"], &added["data"]["id"]),
        (&json!(id), &json!("draft:1"))
    );
    let draft = json!({"rules": {"create": [pin("tres", "t3")]}});
    let whole = tool("create_proposal", json!({"draft": draft, "note": "Tres"}));
    assert_eq!(whole["data"]["note"], "Tres");
    assert_eq!(
        tool("list_proposals", json!({"state": "open"}))["data"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    let read = tool("get_proposal", json!({"proposalId": id}));
    assert_eq!(
        read["data"]["resources"],
        json!(["rules/draft:0", "rules/draft:1"])
    );
    let gone = tool("withdraw_proposal", json!({"proposalId": id}));
    assert_eq!(gone["data"]["state"], "withdrawn");
    assert!(at.rules().is_empty());
}
