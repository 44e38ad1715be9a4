//! 1. Groups are created, read, updated and deleted; what a read returned can be put back.
//! 2. The list returns all groups, or the page that its parameters select.
//! 3. A duplicate is 409, on `POST` and `PUT`, whatever the order, case and accents of its terms.
//! 4. An import creates new groups, skips existing ones, and reports each invalid line.
//! 5. Each limit holds below, at and above it; all errors are reported at once with their paths.
//! 6. Each write checks the precondition, is audited with its fields before and after, and advances the revision if it
//!    changes any.

use crate::harness::{Reply, Shop};
use serde_json::{Value, json};

fn create(shop: &Shop, body: Value) -> Reply {
    shop.own("POST", "/synonyms").json(&body).send()
}

fn created_id(shop: &Shop, body: Value) -> String {
    let reply = create(shop, body).ok();
    assert_eq!(reply.status, 201);
    reply.data()["id"].as_str().expect("an id").to_owned()
}

fn list(shop: &Shop, query: &str) -> Reply {
    shop.own("GET", &format!("/synonyms{query}")).send().ok()
}

/// The first term of each group of a list.
fn first_terms(reply: &Reply) -> Vec<&str> {
    let groups = reply.data().as_array().expect("a list");
    groups
        .iter()
        .filter_map(|group| group["terms"][0].as_str())
        .collect()
}

fn import(shop: &Shop, csv: &str) -> Value {
    let body = json!({"language": "en", "csv": csv});
    let reply = shop.own("POST", "/synonyms/import").json(&body).send().ok();
    reply.data().clone()
}

fn latest_audit(shop: &Shop) -> Value {
    shop.audit(1)[0].clone()
}

fn revision(reply: &Reply) -> i64 {
    reply.header("x-config-revision").parse().expect("a number")
}

#[test]
fn a_group_is_created_read_updated_and_deleted() {
    let shop = Shop::open();
    let reply = create(&shop, json!({"terms": ["sofa", " Couch "]})).ok();
    let group = reply.data().clone();
    assert_eq!(
        (
            &group["language"],
            &group["type"],
            &group["terms"],
            &group["active"]
        ),
        (
            &json!("es"),
            &json!("BIDIRECTIONAL"),
            &json!(["sofa", "Couch"]),
            &json!(true)
        )
    );
    assert!(group.get("input").is_none(), "{group}");
    assert_eq!(group["createdAt"], group["updatedAt"]);
    let path = format!("/synonyms/{}", group["id"].as_str().expect("an id"));
    let read = shop.own("GET", &path).send().ok();
    assert_eq!(read.data(), &group);
    assert_eq!(read.header("etag"), reply.header("etag"));

    let body =
        json!({"type": "UNIDIRECTIONAL", "input": "tv", "terms": ["television"], "active": false});
    let changed = shop.own("PUT", &path).json(&body).send().ok();
    assert_eq!(changed.data()["input"], "tv");
    assert_eq!(changed.data()["active"], false);
    let back = json!({"type": "BIDIRECTIONAL", "terms": ["tv", "telly"]});
    let back = shop.own("PUT", &path).json(&back).send().ok();
    assert!(back.data().get("input").is_none(), "{back:?}");

    let deleted = shop.own("DELETE", &path).send().ok();
    assert_eq!(deleted.data(), &json!({"id": group["id"]}));
    for method in ["GET", "PUT", "DELETE"] {
        let call = shop.own(method, &path).json(&json!({"terms": 7}));
        call.send().error(404, "not_found");
    }
}

#[test]
fn the_list_is_complete_or_a_page() {
    let shop = Shop::open();
    for at in 0..23 {
        created_id(
            &shop,
            json!({"terms": [format!("s{at}"), "Möbel 100%"], "language": "es"}),
        );
    }
    created_id(
        &shop,
        json!({"terms": ["e0"], "input": "MÖBEL_x", "type": "UNIDIRECTIONAL", "language": "en"}),
    );
    let off = created_id(&shop, json!({"terms": ["e1", "other"], "language": "en"}));
    let off = format!("/synonyms/{off}");
    shop.own("PUT", &off)
        .json(&json!({"active": false}))
        .send()
        .ok();

    let all = list(&shop, "");
    assert_eq!((first_terms(&all).len(), all.json.get("meta")), (25, None));
    assert_eq!(all.message(), "25 synonym groups.");
    assert_eq!(first_terms(&list(&shop, "?lang=en")), ["e0", "e1"]);
    assert!(list(&shop, "?lang=en").json.get("meta").is_none());

    let page = list(&shop, "?page=2");
    let meta = json!({"page": 2, "limit": 20, "total": 25, "totalPages": 2});
    assert_eq!((first_terms(&page).len(), &page.json["meta"]), (5, &meta));
    assert_eq!(page.message(), "25 synonym groups, page 2 of 2.");
    let third = list(&shop, "?page=3&limit=2&lang=es");
    assert_eq!(first_terms(&third), ["s4", "s5"]);
    assert!(first_terms(&list(&shop, "?page=4294967295&limit=100")).is_empty());
    for (query, expected) in [
        ("?q=M%C3%B6BEL_", vec!["e0"]),
        ("?q=100%25&limit=1", vec!["s0"]),
        ("?q=%25%25", vec![]),
        ("?type=UNIDIRECTIONAL", vec!["e0"]),
        ("?type=BIDIRECTIONAL&lang=en", vec!["e1"]),
        ("?active=false", vec!["e1"]),
        ("?active=true&lang=en", vec!["e0"]),
        ("?q=s22", vec!["s22"]),
    ] {
        let reply = list(&shop, query);
        assert_eq!(first_terms(&reply), expected, "{query}");
        assert!(reply.json.get("meta").is_some(), "{query}");
    }
}

#[test]
fn parameters_of_the_list_have_limits() {
    let shop = Shop::open();
    let long = "q".repeat(100);
    for good in [
        "limit=1",
        "limit=100",
        "page=1",
        &format!("q={long}"),
        "lang=en-gb",
        "active=true",
    ] {
        list(&shop, &format!("?{good}"));
    }
    for (bad, field) in [
        ("limit=0", "query.limit"),
        ("limit=101", "query.limit"),
        ("page=0", "query.page"),
        (&format!("q={long}x"), "query.q"),
        ("lang=e", "query.lang"),
        ("lang=spanish", "query.lang"),
        ("active=yes", "query.active"),
        ("type=BOTH", "query.type"),
        ("sort=x", "query.sort"),
    ] {
        let reply = shop.own("GET", &format!("/synonyms?{bad}")).send();
        assert_eq!(
            reply.error(400, "invalid_request").fields(),
            [field],
            "{bad}"
        );
    }
}

#[test]
fn a_duplicate_is_a_conflict() {
    let shop = Shop::open();
    let first = created_id(&shop, json!({"terms": ["sofá cama", "couch"]}));
    let conflict = create(&shop, json!({"terms": ["COUCH", "Sofa  Cama"]})).error(409, "conflict");
    assert_eq!(conflict.json["details"]["id"], first.as_str());
    created_id(
        &shop,
        json!({"terms": ["couch", "sofa cama"], "language": "en"}),
    );
    created_id(
        &shop,
        json!({"terms": ["couch", "sofa cama"], "type": "UNIDIRECTIONAL", "input": "x"}),
    );
    let other = created_id(&shop, json!({"terms": ["couch", "sofas cama"]}));
    let put = |id: &str, body: Value| {
        shop.own("PUT", &format!("/synonyms/{id}"))
            .json(&body)
            .send()
    };
    put(&other, json!({"terms": ["sofa cama", "couch"]})).error(409, "conflict");
    put(&first, json!({"terms": ["couch", "sofa cama"]})).ok();
}

#[test]
fn every_error_is_reported_with_its_path() {
    let shop = Shop::open();
    let many = |count: usize| (0..count).map(|at| format!("t{at}")).collect::<Vec<_>>();
    let long = "ñ".repeat(256);
    for (body, fields) in [
        (json!({}), vec!["terms"]),
        (json!({"terms": []}), vec!["terms"]),
        (json!({"terms": ["a"]}), vec!["terms"]),
        (json!({"terms": ["a", "Á"]}), vec!["terms"]),
        (json!({"terms": ["a", "", 3]}), vec!["terms[1]", "terms[2]"]),
        (json!({"terms": ["a", " "]}), vec!["terms[1]"]),
        (json!({"terms": ["a", long]}), vec!["terms[1]"]),
        (json!({"terms": many(201)}), vec!["terms"]),
        (json!({"terms": ["a", "b"], "input": "c"}), vec!["input"]),
        (
            json!({"terms": ["a"], "type": "UNIDIRECTIONAL"}),
            vec!["input"],
        ),
        (
            json!({"terms": ["a", "b"], "active": true, "language": "x"}),
            vec!["active", "language"],
        ),
        (
            json!({"terms": ["a", "b"], "input": null, "type": "both"}),
            vec!["input", "type"],
        ),
    ] {
        let reply = create(&shop, body.clone()).error(400, "invalid_request");
        assert_eq!(reply.fields(), fields, "{body}");
    }
    created_id(&shop, json!({"terms": many(200)}));
    created_id(&shop, json!({"terms": ["a", "ñ".repeat(255)]}));
    let id = created_id(&shop, json!({"terms": ["c", "d"]}));
    for (body, field) in [
        (json!({"language": "en"}), "language"),
        (json!({"terms": null}), "terms"),
        (json!({"id": "x"}), "id"),
        (json!({"type": "UNIDIRECTIONAL"}), "input"),
    ] {
        let put = shop
            .own("PUT", &format!("/synonyms/{id}"))
            .json(&body)
            .send();
        assert_eq!(
            put.error(400, "invalid_request").fields(),
            [field],
            "{body}"
        );
    }
}

#[test]
fn an_import_creates_skips_and_reports_invalid_lines() {
    let shop = Shop::open();
    created_id(&shop, json!({"terms": ["sofa", "couch"], "language": "en"}));
    let csv = "\u{feff}couch, SOFA\r\n# a comment\r\n\r\ntv => television, \"flat, screen\"\r\nalone\r\n\"x, y\r\nbed,cot\ncot, Bed";
    let report = import(&shop, csv);
    assert_eq!(
        (&report["created"], &report["skipped"]),
        (&json!(2), &json!(2))
    );
    let lines: Vec<_> = report["errors"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|e| &e["line"])
        .collect();
    assert_eq!(lines, [5, 6]);
    let all = list(&shop, "?lang=en");
    assert_eq!(all.data()[1]["input"], "tv");
    assert_eq!(
        all.data()[1]["terms"],
        json!(["television", "flat, screen"])
    );
    assert_eq!(all.data()[1]["type"], "UNIDIRECTIONAL");
    assert_eq!(first_terms(&all), ["sofa", "television", "bed"]);
    assert_eq!(
        latest_audit(&shop)["changes"].as_array().map(Vec::len),
        Some(2)
    );

    let before = revision(&all);
    let again = import(&shop, csv);
    assert_eq!(
        (&again["created"], &again["skipped"]),
        (&json!(0), &json!(4))
    );
    assert_eq!(revision(&list(&shop, "")), before);
    for body in [
        json!({"csv": ""}),
        json!({}),
        json!({"csv": "a,b", "language": "spanish"}),
    ] {
        let reply = shop.own("POST", "/synonyms/import").json(&body).send();
        reply.error(400, "invalid_request");
    }
}

#[test]
fn a_language_has_at_most_5000_groups() {
    let shop = Shop::open();
    let lines = |range: std::ops::Range<usize>| -> String {
        range.map(|at| format!("left{at},right{at}\n")).collect()
    };
    let report = import(&shop, &lines(0..4_999));
    assert_eq!(report["created"], 4_999);
    let report = import(&shop, &lines(4_999..5_002));
    assert_eq!(report["created"], 1);
    let lines: Vec<_> = report["errors"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|e| &e["line"])
        .collect();
    assert_eq!(lines, [2, 3]);
    let over = create(&shop, json!({"terms": ["a", "b"], "language": "en"}));
    assert_eq!(
        over.error(403, "plan_limit").json["details"],
        json!({"max": 5000})
    );
    // A duplicate is reported before the limit, and another language has a limit of its own.
    create(
        &shop,
        json!({"terms": ["left1", "right1"], "language": "en"}),
    )
    .error(409, "conflict");
    created_id(&shop, json!({"terms": ["a", "b"], "language": "es"}));
    assert_eq!(first_terms(&list(&shop, "?lang=en")).len(), 5_000);
}

#[test]
fn each_write_is_conditional_audited_and_numbered() {
    let shop = Shop::open();
    let created = create(&shop, json!({"terms": ["a", "b"]})).ok();
    let id = created.data()["id"].as_str().expect("an id");
    let path = format!("/synonyms/{id}");
    let record = latest_audit(&shop);
    assert_eq!(record["operation"], "create_synonym");
    assert_eq!(record["resource"], format!("synonyms/{id}"));
    assert_eq!(record["revision"], revision(&created));
    let terms = json!({"path": "terms", "after": ["a", "b"]});
    assert!(
        record["changes"]
            .as_array()
            .expect("a list")
            .contains(&terms),
        "{record}"
    );

    let put = |tag: &str, body: Value| {
        shop.own("PUT", &path)
            .header("If-Match", tag)
            .json(&body)
            .send()
    };
    let tag = created.header("etag").to_owned();
    let saved = put(&tag, json!({"active": false})).ok();
    assert_eq!(revision(&saved), revision(&created) + 1);
    assert_eq!(
        latest_audit(&shop)["changes"],
        json!([{"path": "active", "before": true, "after": false}])
    );
    put(&tag, json!({"active": true})).error(412, "precondition_failed");
    let delete = |tag: &str| shop.own("DELETE", &path).header("If-Match", tag).send();
    delete(&tag).error(412, "precondition_failed");

    let same = put(
        saved.header("etag"),
        json!({"terms": ["a", "b"], "active": false}),
    )
    .ok();
    assert_eq!(revision(&same), revision(&saved));
    assert_eq!(same.data()["updatedAt"], saved.data()["updatedAt"]);
    assert_eq!(latest_audit(&shop)["changes"], json!([]));
    delete(saved.header("etag")).ok();
    let record = latest_audit(&shop);
    assert_eq!(record["operation"], "delete_synonym");
    assert_eq!(
        record["changes"][0],
        json!({"path": "active", "before": false})
    );
}

#[test]
fn a_group_may_wait_for_its_language() {
    let shop = Shop::open();
    let reply = create(&shop, json!({"terms": ["a", "b"], "language": "pt_BR"})).ok();
    assert_eq!(reply.data()["language"], "pt-br");
    assert!(
        reply
            .message()
            .contains("does not have the language \"pt-br\" yet"),
        "{reply:?}"
    );
    let reply = create(&shop, json!({"terms": ["a", "b"], "language": "en"})).ok();
    assert_eq!(reply.message(), "Synonym group created.");
}
