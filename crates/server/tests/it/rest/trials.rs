//! 1. A draft is tried in the simulator as it is saved: its records fire under provisional ids, nothing is saved, and
//!    saving it gives the order that was tried.
//!    A hit of a query that the draft does not concern has its own position as the saved one.
//! 2. A draft is checked as a save of it: paths, messages, duplicates, unknown records, bounds.
//! 3. Rules apply at an instant, on both sides; a revision may be what is compared with.
//! 4. Several queries say what moves in each, in order, without breakdowns; the tool's result of many fits whole.
//! 5. Trials cost requests, and a key runs two at once.

use crate::harness::{Reply, Shop, product};
use operations::rates::Rates;
use serde_json::{Value, json};

fn stocked() -> Shop {
    let shop = Shop::open();
    for (language, documents) in [
        (
            "es",
            json!([
                product("1", "Linterna"),
                product("2", "Farol rojo"),
                product("3", "Farol azul")
            ]),
        ),
        (
            "en",
            json!([
                product("1", "Torch"),
                product("2", "Red lamp"),
                product("3", "Blue lamp")
            ]),
        ),
    ] {
        shop.bulk("products", language, &documents).ok();
        shop.until_found(language, &["1", "2", "3"]);
    }
    shop
}

fn test(shop: &Shop, body: &Value) -> Reply {
    let path = format!("/stores/{}/relevance/test", shop.store);
    let call = shop.api("POST", &path).key(&shop.read_key);
    call.json(body).send()
}

fn group() -> Value {
    json!({"synonyms": {"create": [{"language": "es", "terms": ["linterna", "farol"]}]}})
}

fn pin(query: &str, ids: &[&str]) -> Value {
    json!({"name": "n", "language": "es", "type": "PIN", "trigger": {"query": query, "match": "exact"}, "actions": {"pin": ids}})
}

fn hits(reply: &Reply) -> Vec<Value> {
    let hits = reply.data()["hits"].as_array().expect("hits").iter();
    hits.map(|hit| json!([hit["id"], hit["savedPosition"]]))
        .collect()
}

#[test]
fn a_draft_leaves_other_queries_as_they_are() {
    let shop = stocked();
    let rules = json!([pin("farol", &["3"])]);
    let draft = json!({"rules": {"create": rules}, "synonyms": group()["synonyms"]});
    let other = test(&shop, &json!({"q": "rojo", "draft": draft})).ok();
    assert_eq!(hits(&other), [json!(["2", 1])]);
    let concerned = test(&shop, &json!({"q": "farol", "draft": draft})).ok();
    let pinned = &hits(&concerned)[0];
    assert_eq!(pinned[0], "3");
    assert!(pinned[1].is_u64(), "{pinned}");
    assert_eq!(hits(&concerned)[2], json!(["1", null]));
}

#[test]
fn a_draft_is_tried_as_it_is_saved() {
    let shop = stocked();
    let tried = test(&shop, &json!({"q": "linterna", "draft": group()})).ok();
    assert_eq!(tried.data()["query"]["synonyms"][0]["id"], "draft:0");
    assert_eq!(tried.data()["total"], 3);
    assert_eq!(hits(&tried)[0], json!(["1", 1]));
    assert_eq!(hits(&tried)[1][1], Value::Null);
    assert_eq!(tried.data()["config"]["draft"], true);
    assert_eq!(tried.data()["config"]["compareWith"], "saved");
    assert_eq!(tried.header("x-config-revision"), "");
    let groups = shop.own("GET", "/synonyms").send().ok();
    assert_eq!(groups.data(), &json!([]));
    assert_eq!(
        shop.own("GET", "/revisions").send().ok().json["meta"]["total"],
        0
    );
    let created = group()["synonyms"]["create"][0].clone();
    let status = shop.own("POST", "/synonyms").json(&created).send().status;
    assert_eq!(status, 201);
    let saved = test(&shop, &json!({"q": "linterna"})).ok();
    let ids = |reply: &Reply| {
        hits(reply)
            .iter()
            .map(|hit| hit[0].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&saved), ids(&tried));
}

#[test]
fn a_draft_is_checked_as_a_save() {
    let shop = stocked();
    let wrong = |draft: Value| test(&shop, &json!({"q": "x", "draft": draft}));
    let mut bad = pin("(", &["1"]);
    bad["trigger"]["match"] = json!("regex");
    let two = json!({"rules": {"create": [bad]}, "synonyms": {"create": [{"terms": ["only"]}]}});
    let reply = wrong(two).error(400, "invalid_request");
    assert_eq!(
        reply.fields(),
        [
            "draft.synonyms.create[0].terms",
            "draft.rules.create[0].trigger.query"
        ]
    );
    let unknown = wrong(json!({"colours": {}})).error(400, "invalid_request");
    assert_eq!(unknown.fields(), ["draft.colours"]);
    let many: Vec<Value> = (0..501)
        .map(|n| json!({"terms": [format!("a{n}"), format!("b{n}")]}))
        .collect();
    wrong(json!({"synonyms": {"create": many}})).error(400, "invalid_request");
    let doubled = json!({"q": "x", "boosts": {}, "draft": {"relevance": {"boosts": {}}}});
    let reply = test(&shop, &doubled).error(400, "invalid_request");
    assert_eq!(reply.fields(), ["draft.relevance"]);
    let created = group()["synonyms"]["create"][0].clone();
    let created = shop.own("POST", "/synonyms").json(&created).send();
    let duplicate = wrong(group()).error(409, "conflict");
    assert_eq!(duplicate.json["details"]["id"], created.data()["id"]);
    let missing =
        wrong(json!({"rules": {"update": {"none": {"priority": 1}}}})).error(404, "not_found");
    assert_eq!(missing.json["details"]["field"], "draft.rules.update.none");
}

#[test]
fn rules_apply_at_an_instant_on_both_sides() {
    let shop = stocked();
    let mut rule = pin("farol", &["1"]);
    rule["startDate"] = json!("2031-01-01T00:00:00Z");
    assert_eq!(shop.own("POST", "/rules").json(&rule).send().status, 201);
    let later = json!({"q": "farol", "at": "2031-01-02T00:00:00+01:00", "boosts": {"name": 7}});
    let later = test(&shop, &later).ok();
    assert_eq!(hits(&later)[0], json!(["1", 1]));
    let now = test(&shop, &json!({"q": "farol", "applyRules": true})).ok();
    assert_eq!(now.data()["total"], 2);
    let reply = test(&shop, &json!({"q": "farol", "at": "2031-06-01T10:00:00"}));
    assert_eq!(reply.error(400, "invalid_request").fields(), ["at"]);
}

#[test]
fn a_revision_may_be_the_base() {
    let shop = stocked();
    let mut created = shop
        .own("POST", "/rules")
        .json(&pin("farol", &["3", "2"]))
        .send();
    let before = created.header("x-config-revision").to_owned();
    created = shop
        .own("POST", "/rules")
        .json(&pin("linterna", &["3"]))
        .send();
    assert_eq!(created.status, 201);
    let before: i64 = before.parse().expect("a number");
    let compared = |number: Value| {
        test(
            &shop,
            &json!({"q": "linterna", "applyRules": true, "compareWith": number}),
        )
    };
    let since = compared(json!(before)).ok();
    assert_eq!(hits(&since), [json!(["3", null]), json!(["1", 1])]);
    assert_eq!(since.data()["config"]["compareWith"], before);
    assert_eq!(hits(&compared(json!("saved")).ok())[0], json!(["3", 1]));
    assert_eq!(hits(&compared(json!(0)).ok())[0], json!(["3", null]));
    compared(json!(99)).error(404, "not_found");
    compared(json!("then")).error(400, "invalid_request");
}

#[test]
fn several_queries_say_what_moves() {
    let shop = stocked();
    let mut queries: Vec<Value> = (0..23)
        .map(|n| json!({"q": format!("nada {n}"), "lang": "en"}))
        .collect();
    queries.insert(0, json!({"q": "linterna"}));
    queries.push(json!({"q": "lamp", "lang": "en"}));
    let body = json!({"queries": queries, "draft": group()});
    let reply = test(&shop, &body).ok();
    let data = reply.data();
    assert_eq!(data["queries"].as_array().map(Vec::len), Some(25));
    assert_eq!(
        data["totals"],
        json!({"queries": 25, "measured": 25, "changed": 1, "moved": 0, "entered": 2, "left": 0,
            "lostAllResults": 0, "gainedResults": 0})
    );
    let first = &data["queries"][0];
    assert_eq!(
        (&first["q"], &first["lang"], &first["total"]),
        (&json!("linterna"), &json!("es"), &json!(3))
    );
    assert_eq!(
        (&first["synonyms"], &first["savedTotal"]),
        (&json!(["draft:0"]), &json!(1))
    );
    assert_eq!(
        first["hits"][0],
        json!({"id": "1", "name": "Linterna", "position": 1, "savedPosition": 1})
    );
    let last = &data["queries"][24];
    assert_eq!((&last["rbo"], &last["total"]), (&json!(1.0), &json!(2)));
    assert!(!data.to_string().contains("breakdown"));

    queries.push(json!({"q": "x"}));
    let more = json!({"queries": queries});
    test(&shop, &more).error(400, "invalid_request");
    let wrong = |body: Value| {
        let reply = test(&shop, &body).error(400, "invalid_request");
        reply
            .fields()
            .iter()
            .map(|field| (*field).to_owned())
            .collect::<Vec<_>>()
    };
    let one = json!([{"q": "a"}]);
    assert_eq!(wrong(json!({"q": "a", "queries": one})), ["queries"]);
    assert_eq!(wrong(json!({})), ["q"]);
    assert_eq!(wrong(json!({"queries": one, "detail": "full"})), ["detail"]);
    assert_eq!(wrong(json!({"queries": one, "limit": 51})), ["limit"]);
    let foreign = json!([{"q": "a"}, {"q": "b"}, {"q": "c"}, {"q": "d", "lang": "fr"}]);
    assert_eq!(wrong(json!({"queries": foreign})), ["queries[3].lang"]);
    let twice = json!([{"q": "a"}, {"q": "a", "lang": "es"}]);
    assert_eq!(wrong(json!({"queries": twice})), ["queries[1]"]);
    let moved = test(
        &shop,
        &json!({"q": "farol", "detail": "moves", "draft": {"rules": {"create": [pin("farol", &["3"])]}}}),
    );
    let moved = moved.ok();
    let moved = &moved.data()["queries"][0];
    assert_eq!(moved["rules"], json!(["draft:0"]));
}

#[test]
fn the_moves_of_many_queries_fit_into_a_result() {
    let shop = Shop::open();
    let name = "Tienda de campaña ".repeat(8);
    let products: Vec<Value> = (0..40)
        .map(|n| product(&format!("product-{n:02}"), &format!("{name}{n}")))
        .collect();
    shop.bulk("products", "es", &json!(products)).ok();
    crate::harness::eventually("all are found", || shop.products("es").len() == 40);
    let queries: Vec<Value> = (1..=25)
        .map(|n| json!({"q": "tienda ".repeat(n)}))
        .collect();
    let last: Vec<String> = (20..40).rev().map(|n| format!("product-{n:02}")).collect();
    let rule = json!({"name": "n", "language": "es", "type": "PIN", "trigger": {"query": "", "match": "contains"}, "actions": {"pin": last}});
    let arguments = json!({"queries": queries, "draft": {"rules": {"create": [rule]}}});
    let result = crate::mcp::call_ok(&shop, "test_relevance", arguments);
    assert!(result.to_string().len() <= 60_000);
    assert_eq!(result["message"], "Simulation; nothing was saved.");
    assert_eq!(result["data"]["totals"]["changed"], 25);
    let hits = result["data"]["queries"][24]["hits"].as_array();
    assert_eq!(hits.map(Vec::len), Some(10));
}

#[test]
fn trials_cost_requests() {
    let rates = Rates {
        requests: 20,
        writes: 20,
    };
    let shop = Shop::open_with(|options| options.rates = rates);
    let queries: Vec<Value> = (0..11).map(|n| json!({"q": n.to_string()})).collect();
    let body = json!({"queries": queries});
    let reply = test(&shop, &body).ok();
    assert_eq!(reply.header("x-ratelimit-remaining"), "17");
    test(&shop, &json!({"queries": queries, "limit": 0})).error(400, "invalid_request");
    let all: Vec<Value> = (0..25).map(|n| json!({"q": n.to_string()})).collect();
    let all = json!({"queries": all});
    for remaining in ["11", "6", "1"] {
        assert_eq!(
            test(&shop, &all).ok().header("x-ratelimit-remaining"),
            remaining
        );
    }
    let reply = test(&shop, &all).error(429, "rate_limited");
    assert!(reply.json["retryAfter"].as_u64() > Some(0));
}
