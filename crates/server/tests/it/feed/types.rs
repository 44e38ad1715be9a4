//! 1. Categories, brands and pages are sent, replaced, touched, purged and deleted like products, each by its own
//!    paths.
//! 2. Each type has a required field: a name, for pages a title; a document without it is rejected alone.
//! 3. Blocks and limits of the plan apply to each type by itself.
//! 4. A run may cover several types; a scope that it does not cover is rejected.

use crate::harness::{Reply, Shop, eventually};
use domain::store::PlanLimits;
use operations::stores::StoreSettings;
use serde_json::{Value, json};
use server::admin::AdminRequest;

/// Each type with its required field and the error code of a document without it.
const TYPES: [(&str, &str, &str); 3] = [
    ("categories", "name", "name_missing"),
    ("brands", "name", "name_missing"),
    ("pages", "title", "title_missing"),
];

fn shop() -> Shop {
    let shop = Shop::open();
    let body = json!({
        "types": ["products", "categories", "brands", "pages"],
        "languages": [{"code": "es", "default": true}]
    });
    shop.feed("POST", "/feed/indices").json(&body).send().ok();
    shop
}

fn named(field: &str, id: &str, text: &str) -> Value {
    let mut document = json!({"id": id, "hash": "a", "url": format!("https://shop.example/{id}")});
    document[field] = json!(text);
    document
}

fn found(shop: &Shop, doc_type: &str, query: &str) -> Vec<String> {
    let reply = shop.search(&json!({"q": query, "types": [doc_type]})).ok();
    let hits = reply.data()[doc_type]["hits"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let mut ids: Vec<String> = hits
        .iter()
        .map(|hit| hit["id"].as_str().expect("an id").to_owned())
        .collect();
    ids.sort();
    ids
}

fn until(shop: &Shop, doc_type: &str, query: &str, ids: &[&str]) {
    eventually(&format!("{query} finds {ids:?} of {doc_type}"), || {
        found(shop, doc_type, query) == ids
    });
}

fn post(shop: &Shop, path: &str, body: &Value) -> Reply {
    shop.feed("POST", path).json(body).send()
}

#[test]
fn every_type_can_be_fed_in_a_run() {
    let shop = shop();
    for (doc_type, field, _) in TYPES {
        let before = json!([
            named(field, "1", "Zapatos"),
            named(field, "2", "Sandalias"),
            named(field, "3", "Botas")
        ]);
        shop.bulk(doc_type, "es", &before).ok();
        until(&shop, doc_type, "zapatos", &["1"]);
        let new = json!({"clientRunId": doc_type, "mode": "incremental", "types": [doc_type], "languages": ["es"]});
        let opened = post(&shop, "/feed/runs", &new).ok();
        let run = opened.data()["runId"].as_str().expect("a run").to_owned();
        let block =
            json!({"language": "es", "runId": run, "documents": [named(field, "1", "Botines")]});
        post(&shop, &format!("/feed/{doc_type}/bulk"), &block).ok();
        let touch = json!({"runId": run, "type": doc_type, "language": "es", "items": [{"id": "2", "hash": "a"}]});
        assert_eq!(post(&shop, "/feed/touch", &touch).ok().data()["touched"], 1);
        let scope = json!({"type": doc_type, "language": "es", "sent": 1, "touched": 1});
        let closed = post(
            &shop,
            &format!("/feed/runs/{run}/close"),
            &json!({"scopes": [scope]}),
        )
        .ok();
        let expected = json!([{
            "type": doc_type, "language": "es", "status": "purged", "seen": 2, "purged": 1, "documents": 2
        }]);
        assert_eq!(closed.data()["scopes"], expected);
        until(&shop, doc_type, "", &["1", "2"]);
        until(&shop, doc_type, "botines", &["1"]);
        assert!(found(&shop, doc_type, "zapatos").is_empty());
        let deleted = post(
            &shop,
            &format!("/feed/{doc_type}/delete"),
            &json!({"ids": ["1", "9"]}),
        )
        .ok();
        assert_eq!(
            deleted.data(),
            &json!({"deleted": 1, "missing": ["9"], "stale": []})
        );
        until(&shop, doc_type, "", &["2"]);
    }
    assert!(shop.products("es").is_empty());
}

#[test]
fn every_type_requires_its_name() {
    let shop = shop();
    for (doc_type, field, code) in TYPES {
        let mut linked = named(field, "7", "x");
        linked["url"] = json!("javascript:alert(1)");
        let mut numbered = named(field, "8", "x");
        numbered["description"] = json!(["x"]);
        let documents = json!([
            named(field, "1", "Botas"), {"id": "2"}, named(field, "3", ""), named(field, "4", "  "),
            {"id": "5", "title": 5, "name": 5}, named(field, "", "x"), linked
        ]);
        let report = shop.bulk(doc_type, "es", &documents).ok();
        assert_eq!(report.data()["accepted"], 1, "{doc_type}");
        let rejected = report.data()["rejected"]
            .as_array()
            .expect("a list")
            .clone();
        let codes: Vec<&str> = rejected.iter().filter_map(|r| r["code"].as_str()).collect();
        let invalid = "invalid_document";
        assert_eq!(
            codes,
            [code, code, code, invalid, invalid, invalid],
            "{doc_type}"
        );
        until(&shop, doc_type, "", &["1"]);
    }
}

#[test]
fn limits_apply_to_each_type_by_itself() {
    let shop = shop();
    let plan: PlanLimits =
        serde_json::from_value(json!({"maxDocuments": {"categories": 2, "pages": 1}}))
            .expect("a plan");
    shop.admin(AdminRequest::SetStore {
        store: shop.store.clone(),
        settings: StoreSettings {
            plan: Some(plan),
            ..StoreSettings::default()
        },
    });
    let three = |field: &str| {
        json!([
            named(field, "1", "a"),
            named(field, "2", "b"),
            named(field, "3", "c")
        ])
    };
    for (doc_type, field, accepted) in [
        ("categories", "name", 2),
        ("brands", "name", 3),
        ("pages", "title", 1),
    ] {
        let report = shop.bulk(doc_type, "es", &three(field)).ok();
        assert_eq!(report.data()["accepted"], accepted, "{doc_type}");
        let over = report.data()["rejected"].as_array().map_or(0, Vec::len);
        assert_eq!(over, 3 - accepted, "{doc_type}");
    }
    // Known ids are updated; a block of which nothing is accepted because of the limit is rejected as a whole.
    let mixed = json!([named("title", "1", "new"), named("title", "2", "b")]);
    let report = shop.bulk("pages", "es", &mixed).ok();
    assert_eq!(
        (
            &report.data()["accepted"],
            &report.data()["rejected"][0]["code"]
        ),
        (&json!(1), &json!("plan_limit"))
    );
    let only_new = json!([named("title", "2", "b")]);
    let error = shop.bulk("pages", "es", &only_new).error(403, "plan_limit");
    assert_eq!(error.json["details"], json!({"max": 1, "documents": 1}));

    let block = |count: usize| -> Value {
        (0..count)
            .map(|id| named("name", &id.to_string(), "x"))
            .collect()
    };
    shop.bulk("brands", "es", &block(501))
        .error(400, "too_many_documents");
    shop.bulk("brands", "es", &block(500)).ok();
    shop.bulk("brands", "es", &json!([]))
        .error(400, "invalid_request");
    let ids: Vec<String> = (0..501).map(|id| id.to_string()).collect();
    post(&shop, "/feed/brands/delete", &json!({"ids": ids})).error(400, "too_many_documents");
    post(&shop, "/feed/brands/delete", &json!({"ids": ids[..500]})).ok();
    post(&shop, "/feed/brands/delete", &json!({"ids": []})).error(400, "invalid_request");
}

#[test]
fn a_run_accepts_only_what_it_covers() {
    let shop = shop();
    let new = json!({"clientRunId": "a", "mode": "full", "types": ["brands", "pages"], "languages": ["es"]});
    let opened = post(&shop, "/feed/runs", &new).ok();
    let scopes = json!([{"type": "brands", "language": "es"}, {"type": "pages", "language": "es"}]);
    assert_eq!(opened.data()["scopes"], scopes);
    let run = opened.data()["runId"].clone();
    let block = |field: &str| json!({"language": "es", "runId": run, "documents": [named(field, "1", "x")]});
    post(&shop, "/feed/pages/bulk", &block("title")).ok();
    let error = post(&shop, "/feed/categories/bulk", &block("name")).error(400, "invalid_request");
    assert_eq!(error.fields(), ["runId"]);
    until(&shop, "categories", "", &[]);
}
