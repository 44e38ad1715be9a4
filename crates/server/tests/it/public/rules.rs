//! 1. One row for every cell of the merge table: two rules that apply, and the products that shoppers see.
//! 2. The simulator with `applyRules` ranks like the search, without it as if there were no rules, and reports for
//!    every rule whose trigger matches whether it applied and why.
//! 3. Every mode of a boost multiplies as documented, and the factors of the breakdown multiply to the score.
//! 4. Time windows open and close by the clock, whatever was cached before.

use crate::harness::{Shop, TestClock, product};
use domain::Timestamp;
use serde_json::{Value, json};

const NOON: &str = "2026-11-20T12:00:00Z";

fn stocked(clock: TestClock) -> Shop {
    let shop = Shop::open_at(clock);
    let with = |id: &str, name: &str, more: Value| {
        let mut document = product(id, name);
        let fields = document.as_object_mut().expect("an object");
        fields.extend(more.as_object().cloned().unwrap_or_default());
        document
    };
    let documents = json!([
        with(
            "s1",
            "Red sofa",
            json!({"manufacturer": "Sol", "sales_count": 9, "priceInclTax": 90.0})
        ),
        with(
            "s2",
            "Blue sofa",
            json!({"manufacturer": "Luna", "priceInclTax": 50.0, "rating": 4.0})
        ),
        with(
            "s3",
            "Green sofa",
            json!({"manufacturer": "Luna", "inStock": false, "outOfStock": true})
        ),
        with("l1", "Lamp", json!({"manufacturer": "Sol"})),
        with(
            "l2",
            "Lamp shade",
            json!({"manufacturer": "Luna", "inStock": false, "outOfStock": true})
        ),
    ]);
    shop.bulk("products", "en", &documents).ok();
    shop.until_found("en", &["l1", "l2", "s1", "s2", "s3"]);
    shop
}

fn open() -> Shop {
    stocked(TestClock::fixed(Timestamp::parse(NOON).expect("a time")))
}

/// Creates a rule for the query "sofa" with `more` fields.
fn add(shop: &Shop, kind: &str, actions: &Value, more: Value) -> String {
    let mut rule = json!({"name": kind, "language": "en", "type": kind, "actions": actions,
        "trigger": {"query": "sofa", "match": "contains"}});
    let more = more.as_object().cloned().unwrap_or_default();
    rule.as_object_mut().expect("an object").extend(more);
    let created = shop.own("POST", "/rules").json(&rule).send().ok();
    created.data()["id"].as_str().expect("an id").to_owned()
}

fn search(shop: &Shop, more: &Value) -> Value {
    let mut request = json!({"q": "sofa", "lang": "en", "types": ["products"]});
    let more = more.as_object().cloned().unwrap_or_default();
    request.as_object_mut().expect("an object").extend(more);
    shop.search(&request).ok().data().clone()
}

fn simulated(shop: &Shop, apply: bool) -> Value {
    let test = json!({"q": "sofa", "lang": "en", "applyRules": apply});
    shop.own("POST", "/relevance/test")
        .json(&test)
        .send()
        .ok()
        .data()
        .clone()
}

fn ids(hits: &Value) -> Vec<String> {
    let hits = hits.as_array().expect("a list").iter();
    hits.map(|hit| hit["id"].as_str().expect("an id").to_owned())
        .collect()
}

/// Two rules, a request, and the products shown for it, in order.
type Cell<'a> = (&'a str, [(&'a str, Value); 2], Value, &'a [&'a str]);

#[expect(clippy::too_many_lines, reason = "the table has a row for every cell")]
fn cells() -> Vec<Cell<'static>> {
    let pin = |ids: &[&str]| ("PIN", json!({"pin": ids}));
    let hide = |ids: &[&str]| ("HIDE", json!({"hide": ids}));
    let boost = |brand: &str, weight: f64| {
        let entry = json!({"field": "manufacturer", "value": brand, "weight": weight});
        ("BOOST", json!({"boost": [entry]}))
    };
    let filter = |values: Value| ("FILTER", json!({"filter": {"manufacturer": values}}));
    let redirect = |url: &str| ("REDIRECT", json!({"redirect": url}));
    let banner = |shown: Value| ("BANNER", json!({ "banner": shown }));
    let all = json!({});
    vec![
        (
            "HIDE, PIN",
            [pin(&["s2", "l1"]), hide(&["s2"])],
            all.clone(),
            &["l1", "s1", "s3"],
        ),
        (
            "HIDE, BOOST",
            [boost("Luna", 100.0), hide(&["s2"])],
            all.clone(),
            &["s3", "s1"],
        ),
        (
            "PIN, PIN",
            [pin(&["s3"]), pin(&["l1", "s3"])],
            all.clone(),
            &["s3", "l1", "s1", "s2"],
        ),
        (
            "PIN, FILTER",
            [pin(&["l1", "s3"]), filter(json!("Luna"))],
            all.clone(),
            &["s3", "s2"],
        ),
        (
            "PIN, the shopper's filters",
            [pin(&["l1", "s3"]), hide(&["l2"])],
            json!({"filters": {"manufacturer": ["Luna"]}}),
            &["s3", "s2"],
        ),
        (
            "PIN, another sort",
            [pin(&["l1", "s3"]), hide(&["l2"])],
            json!({"sort": "price_asc"}),
            &["s3", "s2", "s1"],
        ),
        (
            "PIN, what the query does not find",
            [pin(&["l2"]), hide(&["l1"])],
            all.clone(),
            &["l2", "s1", "s2", "s3"],
        ),
        (
            "BOOST, BOOST",
            [boost("Luna", 2.0), boost("Luna", 50.0)],
            all.clone(),
            &["s2", "s3", "s1"],
        ),
        (
            "FILTER, FILTER",
            [filter(json!(["Sol", "Luna"])), filter(json!("Sol"))],
            all.clone(),
            &["s1"],
        ),
        (
            "REDIRECT, REDIRECT",
            [redirect("/one"), redirect("/two")],
            all.clone(),
            &["s1", "s2", "s3"],
        ),
        (
            "REDIRECT, PIN",
            [redirect("/one"), pin(&["s3"])],
            all.clone(),
            &["s3", "s1", "s2"],
        ),
        (
            "BANNER, BANNER",
            [
                banner(json!({"imageUrl": "/1.png"})),
                banner(json!({"text": "Sale"})),
            ],
            all,
            &["s1", "s2", "s3"],
        ),
    ]
}

#[test]
fn two_rules_merge_as_the_table_says() {
    let shop = open();
    assert_eq!(
        ids(&search(&shop, &json!({}))["products"]["hits"]),
        ["s1", "s2", "s3"]
    );
    for (name, rules, request, expected) in cells() {
        let created: Vec<String> = rules
            .iter()
            .zip([2, 1])
            .map(|((kind, actions), priority)| {
                add(&shop, kind, actions, json!({"priority": priority}))
            })
            .collect();
        let response = search(&shop, &request);
        assert_eq!(ids(&response["products"]["hits"]), expected, "{name}");
        assert_eq!(response["products"]["total"], expected.len(), "{name}");
        let ruled = simulated(&shop, true);
        if request == json!({}) {
            assert_eq!(ids(&ruled["hits"]), expected, "{name}");
            assert_eq!(ruled["total"], expected.len(), "{name}");
        }
        assert_eq!(ruled["banners"], response["banners"], "{name}");
        assert_eq!(ruled["redirect"], response["redirect"], "{name}");
        let plain = simulated(&shop, false);
        assert_eq!(ids(&plain["hits"]), ["s1", "s2", "s3"], "{name}");
        assert_eq!(
            (&plain["rules"], &plain["hidden"]),
            (&json!([]), &json!([]))
        );
        assert_banners_and_redirect(name, &response, &created);
        for id in created {
            shop.own("DELETE", &format!("/rules/{id}")).send().ok();
        }
    }
}

/// Checks the banners and the redirect beside the results.
fn assert_banners_and_redirect(name: &str, response: &Value, created: &[String]) {
    let redirect = match name {
        "REDIRECT, REDIRECT" | "REDIRECT, PIN" => json!({"ruleId": created[0], "url": "/one"}),
        _ => Value::Null,
    };
    assert_eq!(response["redirect"], redirect, "{name}");
    let banners = match name {
        "BANNER, BANNER" => json!([
            {"ruleId": created[0], "imageUrl": "/1.png", "position": "top"},
            {"ruleId": created[1], "text": "Sale", "position": "top"},
        ]),
        _ => json!([]),
    };
    assert_eq!(response["banners"], banners, "{name}");
}

#[test]
fn pinned_products_that_may_not_be_shown_are_left_out() {
    let shop = open();
    let settings = json!({"searchSettings": {"hideOutOfStock": true, "scoreCutoff": 100}});
    shop.own("PUT", "/relevance").json(&settings).send().ok();
    add(
        &shop,
        "PIN",
        &json!({"pin": ["s3", "l1", "gone"]}),
        json!({}),
    );
    let response = search(&shop, &json!({"facets": true}));
    assert_eq!(ids(&response["products"]["hits"]), ["l1", "s1"]);
    assert_eq!(response["products"]["total"], 2);
    let data = simulated(&shop, true);
    let reason = data["rules"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("\"s3\" may not be shown"), "{reason}");
    assert!(reason.contains("\"gone\" is not a product"), "{reason}");
    assert_eq!(data["hits"][0]["breakdown"]["pinned"], true);
    assert_eq!(data["hits"][1]["breakdown"]["pinned"], false);
    let brands = response["facets"].as_array().expect("a list").iter();
    let mut brands = brands.filter(|facet| facet["field"] == "manufacturer");
    let values = &brands.next().expect("a facet of brands")["values"];
    assert_eq!(values[0]["count"], 2, "{values}");
    // Pages include pinned products like any others.
    let second = search(&shop, &json!({"page": 2, "limit": 1}));
    assert_eq!(ids(&second["products"]["hits"]), ["s1"]);
}

#[test]
fn the_simulator_reports_every_rule_that_matches() {
    let shop = open();
    let pin = |ids: &[&str]| json!({"pin": ids});
    let named = |name: &str, priority: u32| json!({"name": name, "priority": priority});
    let with = |mut one: Value, more: Value| {
        let more = more.as_object().cloned().unwrap_or_default();
        one.as_object_mut().expect("an object").extend(more);
        one
    };
    add(&shop, "PIN", &pin(&["s2"]), named("first", 9));
    add(&shop, "PIN", &pin(&["s2"]), named("again", 8));
    add(&shop, "HIDE", &json!({"hide": ["l1"]}), named("hides", 7));
    add(&shop, "PIN", &pin(&["l1"]), named("hidden", 6));
    add(
        &shop,
        "REDIRECT",
        &json!({"redirect": "/a"}),
        named("goes", 5),
    );
    add(
        &shop,
        "REDIRECT",
        &json!({"redirect": "/b"}),
        named("late", 4),
    );
    let off = json!({"active": false});
    add(&shop, "PIN", &pin(&["l1"]), with(named("off", 3), off));
    let soon = json!({"startDate": "2026-11-21T00:00:00Z"});
    add(&shop, "PIN", &pin(&["l1"]), with(named("soon", 2), soon));
    let over = json!({"endDate": "2026-11-19T00:00:00Z"});
    add(&shop, "PIN", &pin(&["l1"]), with(named("over", 1), over));
    let other = json!({"trigger": {"query": "lamp", "match": "exact"}});
    add(&shop, "PIN", &pin(&["l1"]), with(named("other", 0), other));
    let data = simulated(&shop, true);
    let reported: Vec<(&str, bool, &str)> = data["rules"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|rule| {
            let text = |key: &str| rule[key].as_str().expect("text");
            (text("name"), rule["applied"] == true, text("reason"))
        })
        .collect();
    let matched = "the query contains \"sofa\"";
    assert_eq!(
        reported,
        [
            ("first", true, matched),
            (
                "again",
                false,
                "none of its products is pinned: \"s2\" is pinned by the rule \"first\""
            ),
            ("hides", true, matched),
            (
                "hidden",
                false,
                "none of its products is pinned: \"l1\" is hidden by the rule \"hides\""
            ),
            ("goes", true, matched),
            ("late", false, "the rule \"goes\" takes precedence"),
            ("off", false, "it is inactive"),
            ("soon", false, "its window begins at 2026-11-21T00:00:00Z"),
            ("over", false, "its window ended at 2026-11-19T00:00:00Z"),
        ]
    );
    assert_eq!(data["hidden"], json!(["l1"]));
}

#[test]
fn every_mode_of_a_boost_multiplies_as_documented() {
    let shop = open();
    let rows = [
        (
            json!({"field": "manufacturer", "value": "Sol", "weight": 3.0}),
            3.0,
        ),
        (
            json!({"field": "manufacturer", "value": "sol", "weight": 3.0}),
            1.0,
        ),
        (
            json!({"mode": "range", "field": "price", "min": 90.0, "weight": 0.5}),
            0.5,
        ),
        (
            json!({"mode": "range", "field": "price", "max": 89.9, "weight": 0.5}),
            1.0,
        ),
        (json!({"mode": "value", "field": "sales_count"}), 9.0),
        (
            json!({"mode": "value", "field": "sales_count", "modifier": "log1p", "factor": 2.0}),
            2.0,
        ),
        (
            json!({"mode": "value", "field": "sales_count", "modifier": "sqrt"}),
            3.0,
        ),
        (
            json!({"mode": "value", "field": "sales_count", "modifier": "ln1p"}),
            10f64.ln(),
        ),
        (json!({"mode": "value", "field": "rating"}), 1.0),
        (
            json!({"mode": "value", "field": "rating", "missing": 2.0}),
            2.0,
        ),
        (
            json!({"mode": "value", "field": "price", "factor": 1_000_000.0}),
            1_000_000.0,
        ),
    ];
    for (entry, expected) in rows {
        let id = add(&shop, "BOOST", &json!({"boost": [entry]}), json!({}));
        let data = simulated(&shop, true);
        let hits = data["hits"].as_array().expect("a list");
        let hit = hits.iter().find(|hit| hit["id"] == "s1").expect("found");
        let number = |pointer: &str| hit.pointer(pointer).and_then(Value::as_f64).unwrap_or(1.0);
        let multiplier = number("/breakdown/rules/0/multiplier");
        assert!((multiplier - expected).abs() < 1e-9, "{entry}: {hit}");
        let product =
            number("/breakdown/text/score") * number("/breakdown/factors/multiplier") * multiplier;
        let score = number("/score");
        assert!((product - score).abs() <= score / 2000.0, "{entry}: {hit}");
        shop.own("DELETE", &format!("/rules/{id}")).send().ok();
    }
}

#[test]
fn time_windows_open_and_close_by_the_clock() {
    let clock = TestClock::fixed(Timestamp::parse(NOON).expect("a time"));
    let shop = stocked(clock.clone());
    let window = json!({"startDate": "2026-11-20T12:00:10Z", "endDate": "2026-11-20T12:00:20Z"});
    add(&shop, "PIN", &json!({"pin": ["l1"]}), window);
    let first_after = |seconds: i64| {
        clock.advance_ms(seconds * 1000);
        let response = search(&shop, &json!({}));
        ids(&response["products"]["hits"])[0].clone()
    };
    let first = [0, 9, 1, 10, 1].map(first_after);
    assert_eq!(first, ["s1", "s1", "l1", "l1", "s1"]);
}
