//! 1. What a draft is tried as is what shoppers get once it is saved, in one revision with one audit record.
//! 2. One wrong record keeps the whole draft out; the error stands at its path. Everything wrong is reported at once; what
//!    is not there is 404.
//! 3. Every present resource of a draft needs its entity tag; what changed in the meantime is named with who and when.
//! 4. Bounds hold: records, note, cards, hits.

use super::{Person, shop};
use crate::harness::{Reply, Shop};
use domain::Role;
use serde_json::{Value, json};

/// A shop with twelve tents and two lamps, and an editor.
pub(super) fn stocked() -> (Shop, Person) {
    let shop = shop();
    let mut products: Vec<Value> = (1..=12)
        .map(|n| {
            let id = format!("t{n:02}");
            let name = format!("Tienda {}", "larga ".repeat(n));
            let url = format!("https://shop.example/{id}");
            json!({"id": id, "name": name, "url": url, "reference": format!("REF-{id}"),
                "inStock": n != 3, "priceInclTax": n, "currency": "EUR", "manufacturer": format!("M{}", n % 3)})
        })
        .collect();
    for id in ["l1", "l2"] {
        products.push(
            json!({"id": id, "name": "Farol", "url": "https://shop.example/l", "reference": id,
            "inStock": true, "priceInclTax": 5.0, "currency": "EUR"}),
        );
    }
    shop.bulk("products", "es", &json!(products)).ok();
    crate::harness::eventually("all products are found", || shop.products("es").len() == 14);
    let eva = shop.member("eva@shop.example", Role::Editor);
    shop.clock.advance_ms(1_000);
    (shop, eva)
}

pub(super) fn call(shop: &Shop, person: &Person, path: &str, body: &Value) -> Reply {
    shop.by(person, "POST", &shop.of_store(path))
        .json(body)
        .send()
}

pub(super) fn etag(shop: &Shop, path: &str) -> String {
    let reply = shop.own("GET", path).send().ok();
    let tag = reply.headers.get("etag").expect("a tag");
    tag.to_str().expect("text").to_owned()
}

/// The order in which shoppers get products.
pub(super) fn order(shop: &Shop, q: &str) -> Vec<String> {
    let request = json!({"q": q, "lang": "es", "types": ["products"], "limit": 100});
    let found = shop.search(&request).ok();
    let hits = found.data()["products"]["hits"].as_array().cloned();
    let hits = hits.expect("hits");
    let ids = hits
        .iter()
        .map(|hit| hit["id"].as_str().expect("an id").to_owned());
    ids.collect()
}

/// The order of a preview.
pub(super) fn tried(reply: &Reply) -> Vec<String> {
    let order = reply.data()["order"].as_array().cloned().expect("an order");
    let ids = order
        .iter()
        .map(|one| one[0].as_str().expect("an id").to_owned());
    ids.collect()
}

pub(super) fn pin(query: &str, ids: &[&str]) -> Value {
    json!({"name": "n", "type": "PIN", "trigger": {"query": query, "match": "contains"}, "actions": {"pin": ids}})
}

pub(super) fn audit(shop: &Shop) -> Vec<Value> {
    let records = shop.audit(100);
    records.as_array().cloned().expect("a list")
}

#[test]
fn what_is_tried_is_what_is_saved() {
    let (shop, eva) = stocked();
    let equal = json!({"name": "b", "type": "BOOST", "trigger": {"query": "farol", "match": "contains"},
        "actions": {"boost": [{"field": "manufacturer", "value": "M1", "weight": 3.0}]}});
    let rules: Vec<Value> = (1..=12)
        .map(|n| pin("farol", &[&format!("t{n:02}")]))
        .chain([equal])
        .collect();
    let draft = json!({
        "relevance": {"boosts": {"name": 1, "manufacturer": 9}, "searchSettings": {"stockBoost": 4}},
        "synonyms": {"create": [{"terms": ["farol", "tienda"]}]},
        "rules": {"create": rules},
    });
    let saved = order(&shop, "farol");
    assert_eq!(saved.len(), 2);
    let body = json!({"q": "farol", "lang": "es", "draft": draft, "facets": true});
    let preview = call(&shop, &eva, "/preview", &body).ok();
    assert_eq!(preview.data()["total"], 14);
    assert_eq!(preview.data()["savedTotal"], 2);
    assert_eq!(preview.data()["entered"], 12);
    assert_eq!(preview.data()["rules"][0]["id"], "draft:0");
    assert_eq!(preview.data()["query"]["synonyms"][0]["id"], "draft:0");
    assert_eq!(
        preview.data()["cards"][0]["badges"][0],
        json!({"badge": "pinned"})
    );
    assert!(
        !preview.data()["facets"]
            .as_array()
            .expect("a list")
            .is_empty()
    );
    assert_eq!(order(&shop, "farol"), saved, "nothing is saved");

    let (before, records) = (etag(&shop, "/relevance"), audit(&shop).len());
    let body = json!({"draft": draft, "ifMatch": {"relevance": before}, "note": " Lamps. "});
    let reply = call(&shop, &eva, "/changes", &body).ok();
    assert_eq!(order(&shop, "farol"), tried(&preview), "place by place");
    let revision = reply.data()["revision"].as_i64().expect("a number");
    let detail = shop
        .own("GET", &format!("/revisions/{revision}"))
        .send()
        .ok();
    assert_eq!(detail.data()["note"], "Lamps.");
    assert_eq!(
        detail.data()["by"],
        json!({"userId": eva.id, "name": "eva"})
    );
    assert_eq!(detail.data()["operation"], "apply_changes");
    let list = shop.own("GET", "/revisions").send().ok();
    assert_eq!(list.json["meta"]["total"], 1, "one revision");
    let audit = audit(&shop);
    assert_eq!(
        (audit.len(), &audit[0]["operation"]),
        (records + 1, &json!("apply_changes"))
    );
    let created = reply.data()["created"]["rules/draft:12"]
        .as_str()
        .expect("an id");
    let tag = reply.data()["etags"][created].as_str().expect("a tag");
    assert_eq!(etag(&shop, &format!("/{created}")), format!("\"{tag}\""));
}

#[test]
fn values_and_form_of_a_draft_are_checked_together() {
    let (shop, eva) = stocked();
    let draft = json!({
        "relevance": {"boosts": {"name": -1}},
        "synonyms": {"create": [{"terms": ["a"]}]},
    });
    let body = json!({"draft": draft, "ifMatch": {"relevance": etag(&shop, "/relevance")}});
    let wrong = [
        "draft.relevance.boosts.name",
        "draft.synonyms.create[0].terms",
    ];
    for path in ["/changes", "/preview"] {
        let mut body = body.clone();
        if path == "/preview" {
            body.as_object_mut().expect("an object").remove("ifMatch");
        }
        let reply = call(&shop, &eva, path, &body).error(400, "invalid_request");
        assert_eq!(reply.fields(), wrong, "{path}");
    }
}

#[test]
fn one_wrong_record_keeps_a_draft_out() {
    let (shop, eva) = stocked();
    let mut wrong = pin("(", &["t01"]);
    wrong["trigger"]["match"] = json!("regex");
    let draft = json!({
        "relevance": {"boosts": {"name": 9}},
        "store": {"name": "New"},
        "synonyms": {"create": [{"terms": ["a", "b"]}, {"terms": ["c", "d"]}]},
        "rules": {"create": [wrong, pin("x", &["t01"])]},
    });
    let tags = json!({"relevance": etag(&shop, "/relevance"), "store": etag(&shop, "")});
    let body = json!({"draft": draft, "ifMatch": tags});
    let reply = call(&shop, &eva, "/changes", &body).error(400, "invalid_request");
    assert_eq!(reply.fields(), ["draft.rules.create[0].trigger.query"]);
    let list = shop.own("GET", "/revisions").send().ok();
    assert_eq!(list.json["meta"]["total"], 0);
    assert!(shop.own("GET", "/synonyms").send().ok().data()["x"].is_null());
    let same = call(&shop, &eva, "/preview", &json!({"draft": draft}));
    assert_eq!(
        same.error(400, "invalid_request").json["errors"],
        reply.json["errors"]
    );

    let twice = json!({"synonyms": {"create": [{"terms": ["a", "b"]}, {"terms": ["B", "A"]}]}});
    let reply = call(&shop, &eva, "/changes", &json!({"draft": twice})).error(409, "conflict");
    assert_eq!(
        reply.json["details"],
        json!({"id": "draft:0", "field": "draft.synonyms.create[1]"})
    );
    let same = call(&shop, &eva, "/preview", &json!({"draft": twice})).error(409, "conflict");
    assert_eq!(same.json["message"], reply.json["message"]);

    let many = json!({
        "synonyms": {"create": [{"terms": ["a"]}]},
        "filters": {"delete": ["none"]},
    });
    let body = json!({"draft": many});
    let reply = call(&shop, &eva, "/preview", &body).error(404, "not_found");
    assert_eq!(
        reply.json["details"],
        json!({"field": "draft.filters.delete[0]"})
    );
    let many = json!({
        "synonyms": {"create": [{"terms": ["a"]}, {"terms": ["b"]}]},
    });
    let body = json!({"draft": many});
    let reply = call(&shop, &eva, "/preview", &body).error(400, "invalid_request");
    let fields = reply.fields();
    assert_eq!(
        fields,
        [
            "draft.synonyms.create[0].terms",
            "draft.synonyms.create[1].terms"
        ]
    );
    let body = json!({"draft": {"store": {"url": "https://a.example"}}});
    call(&shop, &eva, "/changes", &body).error(403, "reserved");
    let body = json!({"draft": {"widget": {"customJS": "x"}}});
    call(&shop, &eva, "/preview", &body).error(403, "reserved");
}

#[test]
fn what_changed_in_the_meantime_is_named() {
    let (shop, eva) = stocked();
    let rule = |query| {
        shop.own("POST", "/rules")
            .json(&pin(query, &["t01"]))
            .send()
            .ok()
    };
    let id = |reply: &Reply| reply.data()["id"].as_str().expect("an id").to_owned();
    let (one, two) = (id(&rule("a")), id(&rule("b")));
    let paths = [format!("rules/{one}"), format!("rules/{two}")];
    let draft = json!({
        "relevance": {"boosts": {"name": 9}},
        "rules": {"update": {&one: {"name": "mine"}}, "delete": [two]},
    });
    let body = json!({"draft": draft, "ifMatch": {&paths[0]: "x", "widget": "x"}});
    let reply = call(&shop, &eva, "/changes", &body).error(400, "invalid_request");
    let missing = format!("ifMatch.{}", paths[1]);
    assert_eq!(
        reply.fields(),
        ["ifMatch.relevance", missing.as_str(), "ifMatch.widget"]
    );

    let tags = json!({"relevance": etag(&shop, "/relevance"),
        &paths[0]: etag(&shop, &format!("/{}", paths[0])), &paths[1]: etag(&shop, &format!("/{}", paths[1]))});
    let ben = shop.member("ben@shop.example", Role::Editor);
    shop.clock.advance_ms(5_000);
    let path = shop.of_store(&format!("/{}", paths[0]));
    shop.by(&ben, "PUT", &path)
        .json(&json!({"name": "his"}))
        .send()
        .ok();
    shop.own("DELETE", &format!("/{}", paths[1])).send().ok();
    let body = json!({"draft": draft, "ifMatch": tags});
    let reply = call(&shop, &eva, "/changes", &body).error(412, "precondition_failed");
    let stale = &reply.json["details"]["stale"];
    let now = etag(&shop, &format!("/{}", paths[0]));
    assert_eq!(stale[0]["resource"], paths[0].as_str());
    assert_eq!(stale[0]["etag"], now.trim_matches('"'));
    assert_eq!(stale[0]["revision"], 3);
    assert_eq!(stale[0]["by"], json!({"userId": ben.id, "name": "ben"}));
    assert_eq!(stale[0]["at"], shop.clock.now().to_string());
    assert_eq!(
        (&stale[1]["resource"], &stale[1]["etag"]),
        (&json!(paths[1]), &Value::Null)
    );
    assert_eq!(stale.as_array().expect("a list").len(), 2);
    assert_eq!(
        shop.own("GET", "/relevance").send().ok().data()["boosts"]["name"],
        6.0
    );
    // What was deleted can be made again; its tag is no longer sent.
    let again =
        json!({"rules": {"update": {&one: {"name": "mine"}}, "create": [pin("b", &["t01"])]}});
    let body = json!({"draft": again, "ifMatch": {&paths[0]: now}});
    call(&shop, &eva, "/changes", &body).ok();
}

#[test]
fn bounds_of_drafts_hold() {
    let (shop, eva) = stocked();
    let group = |n: usize| json!({"terms": [format!("a{n}"), format!("b{n}")]});
    let of = |count: usize| {
        let create: Vec<Value> = (0..count).map(group).collect();
        json!({"draft": {"synonyms": {"create": create}, "rules": {"create": [pin("x", &["t01"])]}}})
    };
    let reply = call(&shop, &eva, "/changes", &of(500)).error(400, "invalid_request");
    assert_eq!(reply.fields(), ["draft"]);
    call(&shop, &eva, "/changes", &of(499)).ok();
    let note = json!({"draft": {}, "note": "x".repeat(501)});
    assert_eq!(
        call(&shop, &eva, "/changes", &note)
            .error(400, "invalid_request")
            .fields(),
        ["note"]
    );
    let both = json!({"draft": {"rules": {"update": {"a": {}}, "delete": ["a", "b", "b"]}}});
    let reply = call(&shop, &eva, "/preview", &both).error(400, "invalid_request");
    let fields = reply.fields();
    assert_eq!(fields, ["draft.rules.delete[0]", "draft.rules.delete[2]"]);
    for (key, value) in [("limit", 501), ("limit", 0), ("cards", 101)] {
        let reply = call(&shop, &eva, "/preview", &json!({key: value}));
        assert_eq!(reply.error(400, "invalid_request").fields(), [key]);
    }
    let browsed = call(&shop, &eva, "/preview", &json!({})).ok();
    assert_eq!(
        (&browsed.data()["moved"], tried(&browsed).len()),
        (&json!(0), 14)
    );
    assert_eq!(tried(&browsed), order(&shop, ""));
}
