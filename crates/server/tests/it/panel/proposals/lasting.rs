//! 1. A proposal is open for 30 days from its creation, then expired: nobody decides about it, and it leaves room. 90 days
//!    later it is gone.
//! 2. However many attempts, they leave 50 open ones and 500 ended ones; the largest draft is bounded.
//! 3. Metrics count them by state.

use super::{Proposing, id_of, pin, saved_id};
use serde_json::json;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

#[test]
fn a_proposal_expires() {
    let at = Proposing::open();
    let id = id_of(&at.post("/rules", &pin("tienda", "t3")));
    let metrics = |state: &str| {
        let reply = at.shop.client.call("GET", "/metrics").send();
        reply
            .text
            .contains(&format!("findwell_proposals{{state=\"{state}\"}} 1"))
    };
    assert!(metrics("open"));
    at.shop.clock.advance_ms(30 * DAY_MS - 1);
    assert_eq!(at.proposal(&id).0["state"], "open");
    at.shop.clock.advance_ms(1);
    let (record, etag) = at.proposal(&id);
    assert_eq!(record["state"], "expired");
    assert!(metrics("expired"));
    assert_eq!(at.read("/proposals?state=open").json["meta"]["total"], 0);
    assert_eq!(at.read("/proposals?state=expired").json["meta"]["total"], 1);
    let eva = at.shop.member("eva2@shop.example", domain::Role::Editor);
    at.decide_as(&eva, &id, "apply", &etag, &json!({}))
        .error(409, "conflict");
    assert_eq!(at.post("/rules", &pin("tienda", "t3")).status, 202);
    at.shop.clock.advance_ms(90 * DAY_MS);
    at.call("GET", &format!("/proposals/{id}"))
        .send()
        .error(404, "not_found");
}

#[test]
fn attempts_are_bounded() {
    let at = Proposing::open();
    let mut open = Vec::new();
    for n in 0..700 {
        let draft = json!({"draft": {"rules": {"create": [pin(&format!("r{n}"), "t1")]}}});
        let made = at.post("/proposals?impact=false", &draft);
        if made.status == 201 {
            open.push(saved_id(&made));
        } else {
            made.error(403, "plan_limit");
            let first = open.remove(0);
            at.call("DELETE", &format!("/proposals/{first}"))
                .send()
                .ok();
        }
    }
    assert_eq!(at.read("/proposals?state=open").json["meta"]["total"], 50);
    let total = at.read("/proposals").json["meta"]["total"].as_u64();
    assert!(total.is_some_and(|total| total <= 550), "{total:?}");
    let first = &open[0];
    at.call("DELETE", &format!("/proposals/{first}"))
        .send()
        .ok();
    let many: Vec<_> = (0..501).map(|n| pin(&format!("m{n}"), "t1")).collect();
    let many = json!({"draft": {"rules": {"create": many}}});
    at.post("/proposals", &many).error(400, "invalid_request");
    let ids: Vec<String> = (0..100).map(|n| format!("{n:0>60}")).collect();
    let large: Vec<_> = (0..60)
        .map(|n| {
            let mut rule = pin(&format!("l{n}"), "t1");
            rule["actions"] = json!({"pin": ids});
            rule
        })
        .collect();
    let large = json!({"draft": {"rules": {"create": large}}});
    let refused = at.post("/proposals", &large).error(400, "invalid_request");
    assert!(refused.message().contains("262144"), "{refused:?}");
    assert!(at.rules().is_empty());
}
