//! 1. Each write that changes something creates one revision; they are listed newest first, page by page.
//! 2. A revision shows its change, with the state before and after; it never changes.

use crate::harness::Shop;
use serde_json::{Value, json};

#[test]
fn each_change_creates_a_revision_with_its_parent() {
    let shop = Shop::open();
    let first = shop.own("GET", "/revisions").send().ok();
    let start = first.json["meta"]["total"].as_i64().expect("a number");
    let created = shop
        .own("POST", "/synonyms")
        .json(&json!({"terms": ["a", "b"]}))
        .send()
        .ok();
    let relevance = json!({"boosts": {"name": 9}});
    shop.own("PUT", "/relevance").json(&relevance).send().ok();
    shop.own("PUT", "/relevance").json(&relevance).send().ok();
    let path = format!(
        "/synonyms/{}",
        created.data()["id"].as_str().expect("an id")
    );
    shop.own("DELETE", &path).send().ok();

    let list = shop.own("GET", "/revisions?limit=2").send().ok();
    let meta = json!({"page": 1, "limit": 2, "total": start + 3, "totalPages": (start + 4) / 2});
    assert_eq!(list.json["meta"], meta);
    assert_eq!(list.header("x-config-revision"), (start + 3).to_string());
    let shown = |at: usize, key: &str| list.data()[at][key].clone();
    assert_eq!(
        (shown(0, "revision"), shown(0, "parent")),
        (json!(start + 3), json!(start + 2))
    );
    assert_eq!(
        (shown(0, "operation"), shown(0, "resource")),
        (json!("delete_synonym"), json!(path[1..]))
    );
    assert_eq!(shown(1, "operation"), "update_relevance");
    assert!(shown(0, "by")["keyId"].is_string() && shown(0, "summary").is_string());
    assert!(list.data()[0].get("changes").is_none());

    let one = |number: i64| -> Value {
        let read = shop.own("GET", &format!("/revisions/{number}")).send().ok();
        read.data().clone()
    };
    assert_eq!(
        one(start + 2)["changes"],
        json!([{"path": "boosts.name", "before": 6.0, "after": 9.0}])
    );
    let created = one(start + 1);
    assert!(start > 0 || created.get("parent").is_none());
    let terms = json!({"path": "terms", "after": ["a", "b"]});
    assert!(
        created["changes"]
            .as_array()
            .expect("a list")
            .contains(&terms)
    );
    for missing in ["0", "99999", "-1", "x", "1.5"] {
        let read = shop.own("GET", &format!("/revisions/{missing}")).send();
        read.error(404, "not_found");
    }
}

#[test]
fn pages_of_revisions_have_limits() {
    let shop = Shop::open();
    for good in ["limit=1", "limit=100", "page=1", "page=99999"] {
        shop.own("GET", &format!("/revisions?{good}")).send().ok();
    }
    for (bad, field) in [
        ("limit=0", "query.limit"),
        ("limit=101", "query.limit"),
        ("page=0", "query.page"),
        ("q=x", "query.q"),
    ] {
        let reply = shop.own("GET", &format!("/revisions?{bad}")).send();
        assert_eq!(reply.error(400, "invalid_request").fields(), [field]);
    }
}
