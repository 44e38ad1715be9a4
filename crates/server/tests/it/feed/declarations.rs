//! 1. A declaration replaces the former one as a whole, counts its base where it should, and takes effect at once; the
//!    same one again changes nothing; an empty list withdraws all.
//! 2. Above the plan it is 403 with the numbers and the former one stays; at the limit it is accepted.
//! 3. Every field is checked; all errors are reported at once with their paths.
//! 4. It shows in the plan's usage and in the store's detail, survives a clear, and is not in the audit trail.

use crate::harness::{Reply, Shop};
use domain::audit::AuditFilter;
use domain::store::PlanLimits;
use operations::stores::StoreSettings;
use serde_json::{Value, json};
use server::admin::AdminRequest;

fn declare(shop: &Shop, kind: &str, body: &Value) -> Reply {
    shop.feed("POST", &format!("/feed/{kind}"))
        .json(body)
        .send()
}

fn plan(shop: &Shop, plan: &Value) {
    let plan: PlanLimits = serde_json::from_value(plan.clone()).expect("a plan");
    shop.admin(AdminRequest::SetStore {
        store: shop.store.clone(),
        settings: StoreSettings {
            plan: Some(plan),
            ..StoreSettings::default()
        },
    });
}

fn currencies(codes: &[&str]) -> Value {
    let list: Vec<Value> = codes.iter().map(|code| json!({"code": code})).collect();
    json!({"base": "EUR", "currencies": list})
}

fn tiers(ids: &[&str]) -> Value {
    let list: Vec<Value> = ids.iter().map(|id| json!({"groupId": id})).collect();
    json!({"base": {"groupId": "1"}, "tiers": list})
}

fn countries(codes: &[&str]) -> Value {
    let list: Vec<Value> = codes.iter().map(|iso| json!({"iso": iso})).collect();
    json!({"base": "es", "countries": list})
}

#[test]
fn a_declaration_replaces_the_former_one() {
    let shop = Shop::open();
    let first = declare(&shop, "currencies", &currencies(&["EUR", "USD"])).ok();
    let expected = json!({"accepted": ["EUR", "USD"], "used": 2, "revision": 1});
    assert_eq!(first.data(), &expected);
    let again = declare(&shop, "currencies", &currencies(&["EUR", "USD"])).ok();
    assert_eq!(again.data(), &expected);
    let next = declare(&shop, "currencies", &currencies(&["GBP"])).ok();
    let expected = json!({"accepted": ["GBP"], "used": 2, "revision": 2});
    assert_eq!(next.data(), &expected);
    let tiers = declare(&shop, "price-tiers", &tiers(&["4", "5"])).ok();
    assert_eq!(
        (&tiers.data()["used"], &tiers.data()["revision"]),
        (&json!(3), &json!(3))
    );
    let countries = declare(&shop, "price-countries", &countries(&["fr"])).ok();
    assert_eq!(countries.data()["used"], 1);
    let groups =
        json!({"enabled": true, "visitorGroup": "1", "groups": [{"id": "1"}, {"id": "4"}]});
    let groups = declare(&shop, "access-groups", &groups).ok();
    assert_eq!(groups.data()["accepted"], json!(["1", "4"]));

    let usage = || shop.feed("GET", "/feed/plan").send().ok().data()["usage"].clone();
    let figures = |usage: &Value| {
        ["priceTiers", "currencies", "priceCountries"].map(|name| usage[name].clone())
    };
    assert_eq!(figures(&usage()), [json!(3), json!(2), json!(1)]);
    let detail = shop.own("GET", "").send().ok();
    assert_eq!(detail.data()["config"]["currency"], "EUR");

    for (kind, body) in [
        ("currencies", json!({"base": "EUR", "currencies": []})),
        ("price-tiers", json!({"tiers": []})),
        ("price-countries", json!({"countries": []})),
        ("access-groups", json!({"enabled": false})),
    ] {
        assert_eq!(
            declare(&shop, kind, &body).ok().data()["accepted"],
            json!([]),
            "{kind}"
        );
    }
    assert_eq!(figures(&usage()), [json!(1), json!(1), json!(0)]);
}

#[test]
fn above_the_plan_nothing_is_stored() {
    let shop = Shop::open();
    plan(
        &shop,
        &json!({"plan": "small", "maxPriceTiers": 2, "maxCurrencies": 2, "maxPriceCountries": 1}),
    );
    for (kind, at, over, used) in [
        (
            "currencies",
            currencies(&["USD"]),
            currencies(&["USD", "GBP"]),
            3,
        ),
        ("price-tiers", tiers(&["4"]), tiers(&["4", "5"]), 3),
        (
            "price-countries",
            countries(&["fr"]),
            countries(&["fr", "de"]),
            2,
        ),
    ] {
        let stored = declare(&shop, kind, &at).ok();
        assert_eq!(stored.data()["used"], stored.data()["max"], "{kind}");
        let over_limit = declare(&shop, kind, &over).error(403, "plan_limit");
        let max = stored.data()["max"].clone();
        assert_eq!(
            over_limit.json["details"],
            json!({"max": max, "declared": used}),
            "{kind}"
        );
        let same = declare(&shop, kind, &at).ok();
        assert_eq!(same.data()["revision"], stored.data()["revision"], "{kind}");
    }
    let reported = shop.feed("GET", "/feed/plan").send().ok();
    assert_eq!(
        (&reported.data()["plan"], &reported.data()["maxCurrencies"]),
        (&json!("small"), &json!(2))
    );
    assert!(
        reported.data().get("maxLanguages").is_none(),
        "no limit is left out"
    );
    let used = json!({
        "documents": {"products": 0, "categories": 0}, "priceTiers": 2, "currencies": 2,
        "priceCountries": 1, "languages": 2
    });
    assert_eq!(reported.data()["usage"], used);
    plan(&shop, &json!({"maxPriceTiers": 1}));
    declare(&shop, "price-tiers", &tiers(&["4"])).error(403, "plan_limit");
    declare(&shop, "price-tiers", &tiers(&[])).ok();
}

#[test]
fn every_field_of_prices_is_checked() {
    let long = "x".repeat(256);
    assert_errors(&[
        ("currencies", json!({}), vec!["base", "currencies"]),
        (
            "currencies",
            currencies(&["usd", "US", "USD"]),
            vec!["currencies[0].code", "currencies[1].code"],
        ),
        (
            "currencies",
            currencies(&["USD", "USD"]),
            vec!["currencies[1].code"],
        ),
        (
            "currencies",
            json!({"base": "euro", "currencies": [{"code": "USD", "decimals": 7, "symbol": "x".repeat(17)}]}),
            vec!["base", "currencies[0].decimals", "currencies[0].symbol"],
        ),
        (
            "currencies",
            json!({"base": "EUR", "currencies": [{"code": "USD", "rate": 1}]}),
            vec!["currencies[0].rate"],
        ),
        (
            "price-tiers",
            tiers(&["4", "x", "4a"]),
            vec!["tiers[1].groupId", "tiers[2].groupId"],
        ),
        (
            "price-tiers",
            tiers(&["4", "5", "4"]),
            vec!["tiers[2].groupId"],
        ),
        (
            "price-tiers",
            json!({"tiers": [{"groupId": 4, "taxDisplay": "both"}]}),
            vec!["tiers[0].groupId", "tiers[0].taxDisplay"],
        ),
        (
            "price-tiers",
            json!({"base": {"groupId": "1", "names": {"english": "x"}}, "tiers": [{"groupId": "4", "names": {"en": long}}]}),
            vec!["base.names.english", "tiers[0].names.en"],
        ),
        (
            "price-countries",
            countries(&["FR", "fr", "fr"]),
            vec!["countries[0].iso"],
        ),
        (
            "price-countries",
            countries(&["es", "fr", "fr"]),
            vec!["countries[0].iso", "countries[2].iso"],
        ),
    ]);
}

#[test]
fn every_field_of_groups_is_checked() {
    assert_errors(&[
        ("access-groups", json!({"groups": []}), vec!["enabled"]),
        (
            "access-groups",
            json!({"enabled": true, "groups": [{"id": "1"}]}),
            vec!["visitorGroup"],
        ),
        (
            "access-groups",
            json!({"enabled": true, "visitorGroup": "2", "groups": [{"id": "1"}, {"id": "none"}, {"id": "1"}]}),
            vec!["groups[1].id", "groups[2].id", "visitorGroup"],
        ),
        (
            "access-groups",
            json!({"enabled": true, "visitorGroup": "1", "groups": [{"id": ""}]}),
            vec!["groups[0].id", "visitorGroup"],
        ),
    ]);
}

/// Asserts that every declaration has errors for exactly these fields, and that none is stored.
fn assert_errors(cases: &[(&str, Value, Vec<&str>)]) {
    let shop = Shop::open();
    for (kind, body, fields) in cases {
        let reply = declare(&shop, kind, body).error(400, "invalid_request");
        assert_eq!(reply.fields(), *fields, "{kind} {body}");
    }
    let untouched = declare(&shop, "currencies", &currencies(&[])).ok();
    assert_eq!(untouched.data()["revision"], 1);
}

#[test]
fn declarations_are_not_configuration() {
    let shop = Shop::open();
    let audited = || {
        let filter = AuditFilter {
            limit: 1_000,
            ..AuditFilter::default()
        };
        let rows = shop.admin(AdminRequest::ListAudit(filter));
        rows.as_array().map(Vec::len)
    };
    let revision = || {
        shop.own("GET", "")
            .send()
            .ok()
            .header("X-Config-Revision")
            .to_owned()
    };
    let before = (audited(), revision());
    declare(&shop, "currencies", &currencies(&["USD"])).ok();
    assert_eq!((audited(), revision()), before);
}
