//! 1. A dry run checks a write as the write is checked, says what it would change and do, and saves nothing.
//! 2. An impact is measured on watched, searched and catalogue queries, with their weights; the sample is kept for ten
//!    minutes. The worst queries come first, those that lose all results before the others.
//! 3. What meets no query changes nothing; a write that is saved returns its impact if it is asked for; that of a revision
//!    is what its dry run said.

use crate::harness::{Reply, Shop, TestClock, product};
use crate::mcp::call_ok;
use domain::Timestamp;
use serde_json::{Value, json};

const START: Timestamp = Timestamp(1_763_650_000_000); // 2025-11-20T14:46:40Z

fn stocked() -> Shop {
    let shop = Shop::open_at(TestClock::fixed(START));
    let mut products: Vec<Value> = (1..=12)
        .map(|n| {
            product(
                &format!("t{n:02}"),
                &format!("Tienda {}", "larga ".repeat(n)),
            )
        })
        .collect();
    products.push(product("l1", "Farol rojo"));
    products.push(product("l2", "Linterna"));
    for (n, product) in products.iter_mut().enumerate() {
        product["categories"] =
            json!([{"id": "1", "name": if n < 12 { "Tiendas" } else { "Luces" }}]);
    }
    shop.bulk("products", "es", &json!(products)).ok();
    crate::harness::eventually("all are found", || shop.products("es").len() == 14);
    shop
}

fn rule(kind: &str, query: &str, ids: &[&str]) -> Value {
    json!({"name": "n", "language": "es", "type": kind, "trigger": {"query": query, "match": "exact"},
        "actions": {kind.to_lowercase(): ids}})
}

fn dry(shop: &Shop, method: &'static str, path: &str, body: &Value) -> Reply {
    shop.own(method, &format!("{path}?dryRun=true"))
        .json(body)
        .send()
}

fn watch(shop: &Shop, queries: &[&str]) {
    let queries: Vec<Value> = queries
        .iter()
        .map(|q| json!({"q": q, "lang": "es", "note": ""}))
        .collect();
    let (service, operator) = (shop.running().service(), domain::Caller::operator());
    let watched = serde_json::from_value(json!({"queries": queries})).expect("queries");
    let guard = operations::Precondition::None;
    let set = operations::watched::set(service, &operator, &shop.store, watched, guard);
    shop.block_on(set).expect("saved");
}

/// What a dry run must not change.
fn state(shop: &Shop) -> [Value; 5] {
    let read = |path: &str| shop.own("GET", path).send().ok().json;
    [
        read("/rules"),
        read("/synonyms"),
        read("/filters"),
        read("/revisions"),
        json!([
            shop.audit(100),
            read("/widget"),
            read("/relevance"),
            read("")["data"]["name"]
        ]),
    ]
}

#[test]
fn a_dry_run_saves_nothing() {
    let shop = stocked();
    let created = shop
        .own("POST", "/rules")
        .json(&rule("PIN", "tienda", &["t12"]))
        .send();
    let id = created.data()["id"].as_str().expect("an id").to_owned();
    watch(&shop, &["tienda"]);
    let before = state(&shop);
    let reply = dry(&shop, "POST", "/rules", &rule("HIDE", "tienda", &["t01"])).ok();
    assert_eq!(reply.status, 200);
    assert_eq!(reply.message(), "Valid; nothing was saved.");
    assert_eq!(
        (&reply.json["dryRun"], &reply.data()["id"]),
        (&json!(true), &json!("draft:0"))
    );
    assert_eq!(reply.header("etag"), "");
    assert!(!reply.header("x-config-revision").is_empty());
    let changes = reply.json["changes"].as_array().expect("changes");
    let paths: Vec<&str> = changes
        .iter()
        .filter_map(|change| change["path"].as_str())
        .collect();
    assert!(paths.contains(&"rules/draft:0.priority"), "{paths:?}");
    assert_eq!(reply.json["impact"]["watched"]["queries"], 1);

    let path = format!("/rules/{id}");
    let deleted = shop
        .own("DELETE", &format!("{path}?dryRun=true"))
        .send()
        .ok();
    let worst = &deleted.json["impact"]["worst"][0];
    assert_eq!(
        (&worst["q"], &worst["source"]),
        (&json!("tienda"), &json!("watched"))
    );
    assert_eq!(deleted.json["impact"]["visitor"], "anonymous");
    let updated = dry(&shop, "PUT", &path, &json!({"priority": 7})).ok();
    let priority = json!([{"path": format!("rules/{id}.priority"), "before": 0, "after": 7}]);
    assert_eq!(
        (&updated.json["changes"], &updated.data()["priority"]),
        (&priority, &json!(7))
    );
    dry_runs_of_other_parts(&shop);
    assert_eq!(state(&shop), before);
}

/// Sends a dry run of each part of the configuration but rules.
fn dry_runs_of_other_parts(shop: &Shop) {
    let widget = dry(shop, "PUT", "/widget", &json!({"theme": "dark"}));
    assert!(widget.ok().json.get("impact").is_none());
    let name = dry(shop, "PUT", "", &json!({"name": "Other"})).ok();
    assert_eq!(
        (&name.data()["name"], &name.json["changes"][0]["path"]),
        (&json!("Other"), &json!("store.name"))
    );
    let csv = json!({"language": "es", "csv": "a, b\nc, d"});
    let imported = dry(shop, "POST", "/synonyms/import", &csv).ok();
    assert_eq!(imported.data()["created"], 2);
    assert_eq!(imported.json["changes"][1]["path"], "synonyms/draft:1");
    let synced = dry(shop, "POST", "/filters/sync", &json!({})).ok();
    assert_eq!(synced.json["changes"][0]["path"], "filters/draft:0");
    let none = shop
        .own("PUT", "/relevance?dryRun=true&impact=false")
        .json(&json!({"boosts": {"name": 9}}));
    let none = none.send().ok();
    assert!(
        none.json.get("impact").is_none()
            && none.json["changes"][0]["path"] == "relevance.boosts.name"
    );
    let by_tool = call_ok(
        shop,
        "update_relevance",
        json!({"boosts": {"name": 9}, "dryRun": true}),
    );
    assert_eq!(
        (&by_tool["dryRun"], &by_tool["impact"]["to"]),
        (&json!(true), &json!("draft"))
    );
}

#[test]
fn a_dry_run_is_checked_as_the_write() {
    let shop = stocked();
    let created = shop
        .own("POST", "/rules")
        .json(&rule("PIN", "tienda", &["t12"]))
        .send();
    let id = created.data()["id"].as_str().expect("an id").to_owned();
    let path = format!("/rules/{id}");
    let mut wrong = rule("HIDE", "(", &["t01"]);
    wrong["trigger"]["match"] = json!("regex");
    let tried = dry(&shop, "POST", "/rules", &wrong).error(400, "invalid_request");
    let real = shop
        .own("POST", "/rules")
        .json(&wrong)
        .send()
        .error(400, "invalid_request");
    assert_eq!(tried.json["errors"], real.json["errors"]);
    let stale = shop
        .own("PUT", &format!("{path}?dryRun=true"))
        .header("If-Match", "\"x\"");
    stale
        .json(&json!({"priority": 7}))
        .send()
        .error(412, "precondition_failed");
    let odd = shop
        .own("POST", "/rules?dryRun=yes")
        .json(&rule("HIDE", "a", &["t01"]))
        .send();
    assert_eq!(odd.error(400, "invalid_request").fields(), ["query.dryRun"]);
    let reader = format!("/stores/{}/rules?dryRun=true", shop.store);
    let reader = shop
        .api("POST", &reader)
        .key(&shop.read_key)
        .json(&rule("HIDE", "a", &["t01"]));
    reader.send().error(403, "scope_missing");
}

#[test]
fn an_impact_is_measured_on_a_sample() {
    let shop = stocked();
    watch(&shop, &["farol"]);
    for _ in 0..3 {
        shop.search(&json!({"q": "tienda", "lang": "es"})).ok();
        shop.clock.advance_ms(120_000);
    }
    shop.write_search_log();
    let first = shop
        .search(&json!({"q": "tienda", "lang": "es", "types": ["products"]}))
        .ok();
    let first = first.data()["products"]["hits"][0]["id"]
        .as_str()
        .expect("a hit")
        .to_owned();
    let hidden = dry(&shop, "POST", "/rules", &rule("HIDE", "tienda", &[&first])).ok();
    let impact = &hidden.json["impact"];
    assert_eq!(
        (
            &impact["sources"]["watched"],
            &impact["sources"]["frequent"]
        ),
        (&json!(1), &json!(1))
    );
    assert!(
        impact["sources"]["catalogue"].as_u64() > Some(0),
        "{impact}"
    );
    assert_eq!(
        (&impact["complete"], &impact["measured"]),
        (&json!(true), &impact["queries"])
    );
    let worst = &impact["worst"][0];
    assert_eq!(
        (&worst["q"], &worst["weight"]),
        (&json!("tienda"), &json!(3.0))
    );
    assert_eq!(worst["left"][0]["id"], json!(first));
    shop.clock.advance_ms(60_000);
    let again = dry(&shop, "POST", "/rules", &rule("HIDE", "nada", &["x"])).ok();
    assert_eq!(again.json["impact"]["sampleId"], impact["sampleId"]);
    assert_eq!(again.json["impact"]["changed"]["top10"], 0);
    assert_eq!(
        (&again.json["impact"]["rbo"], &again.json["impact"]["worst"]),
        (&json!(1.0), &json!([]))
    );
    let same = dry(&shop, "PUT", "/relevance", &json!({"boosts": {}})).ok();
    assert!(same.json["changes"] == json!([]) && same.json.get("impact").is_none());
}

#[test]
fn an_impact_tells_what_loses_all_results() {
    let shop = stocked();
    watch(&shop, &["tienda"]);
    let all: Vec<String> = (1..=12).map(|n| format!("t{n:02}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let emptied = dry(&shop, "POST", "/rules", &rule("HIDE", "tienda", &all)).ok();
    let impact = emptied.json["impact"].clone();
    assert_eq!(impact["lostAllResults"], 1);
    assert_eq!(
        (&impact["worst"][0]["q"], &impact["lost"][0]["q"]),
        (&json!("tienda"), &json!("tienda"))
    );

    let real = shop
        .own("POST", "/rules?impact=true")
        .json(&rule("HIDE", "tienda", &all))
        .send();
    assert_eq!(
        (real.status, &real.json["impact"]["changed"]),
        (201, &impact["changed"])
    );
    assert!(real.json.get("dryRun").is_none());
    let number = real.header("x-config-revision").to_owned();
    let revision = shop
        .own("GET", &format!("/revisions/{number}?impact=true"))
        .send()
        .ok();
    assert_eq!(revision.json["impact"]["changed"], impact["changed"]);
    assert_eq!(
        revision.json["impact"]["to"],
        json!(number.parse::<i64>().expect("a number"))
    );
    let draft = json!({"impact": true, "draft": {"rules": {"delete": [real.data()["id"]]}}});
    let tried = shop.own("POST", "/relevance/test").json(&draft).send().ok();
    assert_eq!(tried.json["impact"]["gainedResults"], 1);
    assert_eq!(tried.data()["config"]["draft"], true);
    let plain = shop
        .own("POST", "/rules")
        .json(&rule("HIDE", "farol", &["l1"]))
        .send();
    assert!(plain.json.get("impact").is_none());
}
