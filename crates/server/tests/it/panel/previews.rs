//! 1. A preview compares places, applies rules at an instant, explains hits and names the first reason of a missing one;
//!    for a query without products it names the one that shoppers see instead, under the draft.
//! 2. Watched queries are compared in portions.

use super::drafts::{audit, call, pin, stocked, tried};
use domain::Role;
use serde_json::{Value, json};

/// A draft that hides what is out of stock and one product, and pins another from 2030 on.
fn hiding() -> Value {
    let mut later = pin("tienda", &["t12"]);
    later["startDate"] = json!("2030-01-01");
    let hide = json!({"name": "h", "type": "HIDE", "trigger": {"query": "tienda", "match": "contains"},
        "actions": {"hide": ["t05"]}});
    json!({
        "relevance": {"searchSettings": {"hideOutOfStock": true, "minMatchShort": "100%"}},
        "rules": {"create": [later, hide]},
    })
}

#[test]
fn a_preview_explains() {
    let (shop, eva) = stocked();
    let draft = hiding();
    let preview = |more: Value| {
        let mut body = json!({"q": "tienda", "draft": draft, "limit": 5, "cards": 2});
        let more = more.as_object().cloned().expect("an object");
        body.as_object_mut().expect("an object").extend(more);
        call(&shop, &eva, "/preview", &body)
    };
    let now = preview(json!({})).ok();
    assert_ne!(tried(&now)[0], "t12");
    assert_eq!(now.data()["rules"][0]["applied"], false);
    assert_eq!(now.data()["hidden"], json!(["t05"]));
    assert_eq!(now.data()["cards"].as_array().expect("cards").len(), 2);
    assert_eq!((tried(&now).len(), &now.data()["total"]), (5, &json!(10)));
    let all = preview(json!({"limit": 100})).ok();
    let left = all.data()["left"].as_array().expect("ids");
    assert!(
        left.contains(&json!("t05")) && left.contains(&json!("t03")),
        "{left:?}"
    );
    let then = preview(json!({"at": "2030-06-01T00:00:00Z"})).ok();
    assert_eq!(tried(&then)[0], "t12");
    assert_eq!(
        preview(json!({"at": "soon"}))
            .error(400, "invalid_request")
            .fields(),
        ["at"]
    );
    assert_eq!(
        preview(json!({"restore": 1}))
            .error(400, "invalid_request")
            .fields(),
        ["restore"]
    );
    let other = preview(json!({"filters": {"colour": ["x"]}}));
    assert_eq!(
        other.error(400, "invalid_request").fields(),
        ["filters.colour"]
    );
    let none = preview(json!({"q": "farol purple unicorn wheel"})).ok();
    let proposed = json!({"text": "farol", "reason": "fewerWords"});
    assert_eq!(
        (
            &none.data()["total"],
            &none.data()["query"]["correctedQuery"]
        ),
        (&json!(0), &proposed)
    );
    assert_eq!(now.data()["query"].get("correctedQuery"), None);
    let filtered = preview(json!({"filters": {"manufacturer": ["M1"]}})).ok();
    assert_eq!(filtered.data()["total"], 4);
}

#[test]
fn a_missing_product_has_a_reason() {
    let (shop, eva) = stocked();
    let draft = hiding();
    let now = call(
        &shop,
        &eva,
        "/preview",
        &json!({"q": "tienda", "draft": draft}),
    )
    .ok();
    let explain = |q: &str, ids: Value, filters: Value| {
        let body = json!({"q": q, "draft": draft, "ids": ids, "filters": filters});
        call(&shop, &eva, "/preview/explain", &body)
    };
    let both = explain("tienda", json!(["t01", "t05"]), json!({})).ok();
    assert_eq!(
        both.data()[0]["position"],
        tried(&now)
            .iter()
            .position(|id| id == "t01")
            .expect("a place")
            + 1
    );
    assert!(both.data()[0]["breakdown"]["summary"].is_string());
    let hidden = json!({"key": "missing.hidden", "values": {}});
    let missing = &both.data()[1];
    assert_eq!(
        (&missing["id"], &missing["found"]),
        (&json!("t05"), &json!(false))
    );
    assert_eq!(missing["reason"], "is hidden by a rule");
    assert_eq!(missing["translatable"], hidden);
    assert_eq!(missing["code"], "hidden_by_rule");
    let reason = |q: &str, id: &str, filters: Value| {
        let reply = explain(q, json!([id]), filters).ok();
        reply.data()[0]["reason"]
            .as_str()
            .unwrap_or("found")
            .to_owned()
    };
    let none = || json!({});
    assert_eq!(
        reason("tienda", "t03", none()),
        "is out of stock, and such products are hidden"
    );
    assert_eq!(
        reason("tienda", "zz", none()),
        "is not a product of the store"
    );
    assert_eq!(
        reason("tienda", "l1", none()),
        "matches no word of the query"
    );
    assert_eq!(reason("tienda roja", "t01", none()), "matches 1 of 2 words");
    assert_eq!(
        reason("tienda", "t01", json!({"manufacturer": ["M2"]})),
        "does not pass the filters"
    );
    let three = explain("tienda", json!(["a", "b", "c"]), json!({}));
    assert_eq!(three.error(400, "invalid_request").fields(), ["ids"]);
}

#[test]
fn watched_queries_are_compared() {
    let (shop, eva) = stocked();
    let viewer = shop.member("vic@shop.example", Role::Viewer);
    let path = shop.of_store("/watched");
    let queries = json!({"queries": [{"q": " tienda ", "lang": "es", "note": "top"}, {"q": "farol", "lang": "es"}]});
    shop.by(&viewer, "PUT", &path)
        .json(&queries)
        .send()
        .error(403, "role_missing");
    let saved = shop.by(&eva, "PUT", &path).json(&queries).send().ok();
    assert_eq!(
        saved.data()["queries"][0],
        json!({"q": "tienda", "lang": "es", "note": "top"})
    );
    let read = shop.by(&viewer, "GET", &path).send().ok();
    assert_eq!(read.data(), saved.data());
    assert_eq!(audit(&shop)[0]["operation"], "set_watched");
    assert_eq!(
        shop.own("GET", "/revisions").send().ok().json["meta"]["total"],
        0
    );
    let stale = shop
        .by(&eva, "PUT", &path)
        .header("If-Match", "\"x\"")
        .json(&queries)
        .send();
    stale.error(412, "precondition_failed");

    let draft = json!({"rules": {"create": [pin("tienda", &["t12"]),
        {"name": "h", "type": "HIDE", "trigger": {"query": "farol", "match": "exact"}, "actions": {"hide": ["l1", "l2"]}}]}});
    let body = json!({"draft": draft, "count": 25});
    let reply = call(&shop, &viewer, "/preview/watched", &body).ok();
    assert_eq!(reply.data()[0]["q"], "tienda");
    assert!(
        reply.data()[0]["moved"].as_u64() > Some(0),
        "{:?}",
        reply.data()
    );
    let lost = json!({"q": "farol", "lang": "es", "moved": 0, "entered": 0, "left": 2, "total": 0, "savedTotal": 2});
    assert_eq!(reply.data()[1], lost);
    let body = json!({"draft": draft, "from": 1, "count": 1});
    assert_eq!(
        call(&shop, &viewer, "/preview/watched", &body).ok().data(),
        &json!([lost])
    );
    for path in ["/preview", "/preview/explain", "/preview/watched"] {
        let body = json!({"drafts": {}, "draft": {"rule": {}}, "at": "soon", "restore": "1"});
        let reply = call(&shop, &viewer, path, &body).error(400, "invalid_request");
        for field in ["drafts", "draft.rule", "restore"] {
            assert!(reply.fields().contains(&field), "{path}: {reply:?}");
        }
    }
    let body = json!({"count": 26});
    call(&shop, &viewer, "/preview/watched", &body).error(400, "invalid_request");
    let twice = json!({"queries": [{"q": "a", "lang": "es"}, {"q": "a ", "lang": "es"}, {"q": " ", "lang": "es"}]});
    let reply = shop
        .by(&eva, "PUT", &path)
        .json(&twice)
        .send()
        .error(400, "invalid_request");
    assert_eq!(reply.fields(), ["queries[1].q", "queries[2].q"]);
}
