//! 1. Owners create stores, as many as the account may have, and get the connector key once.
//! 2. Owners change address, platform, status, purge breaker and gate, if nobody else was first; a suspended store stays so.
//! 3. The currency of the prices is set here, until a connector declares its own.
//! 4. Custom code is for owners who gave their password; null clears it, and each change is a revision.
//! 5. A held purge is released or aborted by the owner, the audit trail names her, and an editor may do neither.
//! 6. Editors create missing indices and hide queries; viewers see both.

use super::{MINUTE_MS, Person, shop};
use crate::feed::calls::{close, many, opened, spanish, touch, until_count};
use crate::harness::{Reply, Shop};
use domain::Role;
use domain::store::StoreStatus;
use operations::stores::StoreSettings;
use serde_json::{Value, json};
use server::admin::AdminRequest;

fn people(shop: &Shop) -> [Person; 3] {
    [
        shop.member("viewer@shop.example", Role::Viewer),
        shop.member("editor@shop.example", Role::Editor),
        shop.member("ana@shop.example", Role::Owner),
    ]
}

/// The latest record of the store's audit trail.
fn recorded(shop: &Shop, person: &Person) -> Value {
    let path = shop.of_store("/audit?limit=1");
    shop.by(person, "GET", &path).send().ok().data()[0].clone()
}

#[test]
fn owners_create_stores() {
    let shop = shop();
    let [_, editor, ana] = people(&shop);
    let path = shop.of_account("/stores");
    let body = json!({"name": "Second", "languages": ["es", "en"]});
    let create = |person: &Person, body: &Value| shop.by(person, "POST", &path).json(body).send();
    create(&editor, &body).error(403, "role_missing");
    let made = create(&ana, &body).ok();
    assert_eq!(made.status, 201);
    let key = made.data()["connectorKey"].as_str().expect("a key");
    let connected = shop.api("GET", "/feed/connect").key(key).send().ok();
    assert_eq!(connected.data()["storeId"], made.data()["id"]);
    let of_store = format!("/stores/{}", made.data()["id"].as_str().expect("an id"));
    let read = shop.by(&ana, "GET", &of_store).send().ok();
    assert_eq!(read.data()["languages"], json!(["es", "en"]));
    assert!(!read.text.contains(key));
    let keys = shop
        .by(&ana, "GET", &format!("{of_store}/keys"))
        .send()
        .ok();
    assert_eq!(keys.data()[0]["createdBy"]["userId"], ana.id.as_str());

    for (body, field) in [
        (json!({"name": "", "languages": ["es"]}), "name"),
        (json!({"name": "x", "languages": []}), "languages"),
        (
            json!({"name": "x", "languages": ["es", "es"]}),
            "languages[1]",
        ),
        (
            json!({"name": "x", "languages": ["es"], "plan": {}}),
            "plan",
        ),
    ] {
        let failed = create(&ana, &body).error(400, "invalid_request");
        assert_eq!(failed.fields(), [field], "{body}");
    }
    let set = |most| {
        let account = shop.account.clone();
        shop.admin(AdminRequest::SetAccount {
            account,
            max_stores: most,
        })
    };
    set(2);
    create(&ana, &body).error(403, "plan_limit");
    set(3);
    create(&ana, &body).ok();
    create(&ana, &body).error(403, "plan_limit");
}

#[test]
fn owners_change_settings_of_a_store() {
    let shop = shop();
    let [viewer, editor, ana] = people(&shop);
    let path = shop.of_store("/details");
    let read = shop.by(&viewer, "GET", &path).send().ok();
    let tag = read.header("etag").to_owned();
    let body = json!({
        "url": "https://boots.example", "platform": "prestashop", "status": "paused", "purgeBreaker": false,
        "impactGate": {"maxChangedTop3Percent": 10, "keysMayForce": false}
    });
    let set = |person: &Person, body: &Value, tag: &str| {
        let call = shop.by(person, "PUT", &path).header("If-Match", tag);
        call.json(body).send()
    };
    set(&editor, &body, &tag).error(403, "role_missing");
    let saved = set(&ana, &body, &tag).ok();
    let mut wanted = body.clone();
    wanted["currency"] = Value::Null;
    assert_eq!(saved.data(), &wanted);
    assert_ne!(saved.header("etag"), tag);
    set(&ana, &json!({"url": ""}), &tag).error(412, "precondition_failed");
    shop.bulk("products", "es", &many(0, 1))
        .error(403, "store_suspended");
    let entry = recorded(&shop, &ana);
    assert_eq!(entry["operation"], "set_store_details");
    assert_eq!(entry["actor"]["userId"], ana.id.as_str());
    assert_eq!(entry["accountId"], shop.account.as_str());
    assert_eq!(entry["changes"].as_array().map(Vec::len), Some(5));

    for (body, field) in [
        (json!({"url": "javascript:alert(1)"}), "url"),
        (json!({"platform": "Presta Shop"}), "platform"),
        (json!({"status": "suspended"}), "status"),
        (json!({"plan": {}}), "plan"),
        (
            json!({"impactGate": {"maxChangedTop3Percent": 101}}),
            "impactGate.maxChangedTop3Percent",
        ),
        (
            json!({"impactGate": {"maxChangedTop3Percent": 1, "max": 1}}),
            "impactGate.max",
        ),
    ] {
        let failed = set(&ana, &body, "*").error(400, "invalid_request");
        assert_eq!(failed.fields(), [field], "{body}");
    }
    let suspended = StoreSettings {
        status: Some(StoreStatus::Suspended),
        ..StoreSettings::default()
    };
    shop.admin(AdminRequest::SetStore {
        store: shop.store.clone(),
        settings: suspended,
    });
    let failed = set(&ana, &json!({"status": "active"}), "*").error(400, "invalid_request");
    assert_eq!(failed.fields(), ["status"]);
    set(&ana, &json!({"purgeBreaker": true}), "*").ok();
    let read = shop.by(&viewer, "GET", &path).send().ok();
    assert_eq!(read.data()["status"], "suspended");
}

#[test]
fn owners_name_the_currency_of_a_file() {
    let shop = shop();
    let [viewer, editor, ana] = people(&shop);
    let path = shop.of_store("/details");
    let set = |person: &Person, code: Value| {
        let call = shop.by(person, "PUT", &path);
        call.json(&json!({"currency": code})).send()
    };
    set(&editor, json!("EUR")).error(403, "role_missing");
    for wrong in [json!("eur"), json!("Euro"), json!(null), json!("")] {
        let failed = set(&ana, wrong).error(400, "invalid_request");
        assert_eq!(failed.fields(), ["currency"]);
    }
    for code in ["USD", "EUR"] {
        assert_eq!(set(&ana, json!(code)).ok().data()["currency"], code);
    }
    let changes = json!([{"path": "currency", "before": "USD", "after": "EUR"}]);
    assert_eq!(recorded(&shop, &ana)["changes"], changes);
    let config = shop
        .api("GET", "/widget/config")
        .key(&shop.public)
        .send()
        .ok();
    assert_eq!(config.data()["currency"]["base"], "EUR");

    let declare = |base: &str| {
        let body = json!({"base": base, "currencies": [{"code": base}]});
        let call = shop.api("POST", "/feed/currencies").key(&shop.connector);
        call.json(&body).send().ok()
    };
    declare("EUR");
    set(&ana, json!("EUR")).ok();
    let refused = set(&ana, json!("CHF")).error(409, "conflict");
    assert!(refused.text.contains("declares its currencies itself"));
    declare("GBP");
    let read = shop.by(&viewer, "GET", &path).send().ok();
    assert_eq!(read.data()["currency"], "GBP");
}

#[test]
fn custom_code_is_for_confirmed_owners() {
    let shop = shop();
    let [viewer, editor, ana] = people(&shop);
    let path = shop.of_store("/widget/custom");
    let set = |person: &Person, body: &Value| shop.by(person, "PUT", &path).json(body).send();
    let script = json!({"customJS": "hello()", "customCSS": "a{}"});
    set(&editor, &script).error(403, "role_missing");
    let saved = set(&ana, &script).ok();
    assert_eq!(saved.data(), &script);
    let revision = shop.by(&viewer, "GET", &shop.of_store("/revisions")).send();
    assert_eq!(revision.ok().data()[0]["operation"], "set_custom_code");
    shop.clock.advance_ms(11 * MINUTE_MS);
    set(&ana, &json!({"customJS": null})).error(403, "password_needed");
    let read = shop.by(&viewer, "GET", &path).send().ok();
    assert_eq!(read.data(), &script);
    let ana = Person::of(&shop.sign_in(&ana.email, super::PASSWORD).ok());
    let tag = read.header("etag");
    let call = shop.by(&ana, "PUT", &path).header("If-Match", tag);
    let cleared = call.json(&json!({"customJS": null})).send().ok();
    assert_eq!(cleared.data(), &json!({"customCSS": "a{}"}));
    let call = shop.by(&ana, "PUT", &path).header("If-Match", tag);
    call.json(&json!({"customCSS": null}))
        .send()
        .error(412, "precondition_failed");
    let long = "x".repeat(64 * 1024 + 1);
    let failed = set(&ana, &json!({"customCSS": long})).error(400, "invalid_request");
    assert_eq!(failed.fields(), ["customCSS"]);
}

/// A run with a held purge of 59 of 60 products.
fn held(shop: &Shop, name: &str) -> String {
    shop.bulk("products", "es", &many(0, 60)).ok();
    let run = opened(shop, name);
    touch(shop, &run, &json!([{"id": "0", "hash": "a"}])).ok();
    let closed: Reply = close(shop, &run, &json!([spanish(0, 1)])).ok();
    assert_eq!(closed.data()["scopes"][0]["status"], "held");
    run
}

#[test]
fn owners_decide_about_held_purges() {
    let shop = shop();
    let [viewer, editor, ana] = people(&shop);
    let post = |person: &Person, run: &str, verb: &str| {
        let path = shop.of_store(&format!("/runs/{run}/{verb}"));
        shop.by(person, "POST", &path).send()
    };
    let run = held(&shop, "first");
    for verb in ["release", "abort"] {
        post(&editor, &run, verb).error(403, "role_missing");
    }
    until_count(&shop, 60);
    let aborted = post(&ana, &run, "abort").ok();
    assert_eq!(aborted.data()["state"], "aborted");
    let entry = recorded(&shop, &viewer);
    assert_eq!(entry["operation"], "abort_run");
    assert_eq!(entry["actor"], json!({"userId": ana.id, "name": "ana"}));
    post(&ana, &run, "abort").error(410, "run_gone");
    post(&ana, &run, "release").error(409, "conflict");
    for verb in ["release", "abort"] {
        post(&ana, "run_01UNKNOWN", verb).error(410, "run_gone");
    }
    until_count(&shop, 60);

    let run = held(&shop, "second");
    post(&ana, &run, "release").ok();
    until_count(&shop, 1);
    let entry = recorded(&shop, &viewer);
    assert_eq!(entry["operation"], "release_run");
    assert_eq!(entry["actor"]["userId"], ana.id.as_str());
    assert!(
        entry["summary"]
            .as_str()
            .is_some_and(|text| text.contains(&run))
    );
    let runs = shop.by(&viewer, "GET", &shop.of_store("/runs")).send().ok();
    let states = runs.data().as_array().expect("a list").iter();
    let states: Vec<_> = states.map(|run| run["state"].clone()).collect();
    assert_eq!(states, ["closed", "aborted"]);
}

#[test]
fn editors_create_indices_and_hide_queries() {
    let shop = shop();
    let [viewer, editor, _] = people(&shop);
    let path = shop.of_store("/indices");
    let body = json!({"types": ["pages"], "languages": [{"code": "es"}]});
    shop.by(&viewer, "POST", &path)
        .json(&body)
        .send()
        .error(403, "role_missing");
    let made = shop.by(&editor, "POST", &path).json(&body).send().ok();
    assert_eq!(made.data()["indices"][0]["status"], "created");
    let entry = recorded(&shop, &viewer);
    assert_eq!(entry["operation"], "create_indices");
    assert_eq!(entry["actor"]["userId"], editor.id.as_str());

    let path = shop.of_store("/hidden-queries");
    let body = json!({"queries": ["rude word"]});
    shop.by(&viewer, "PUT", &path)
        .json(&body)
        .send()
        .error(403, "role_missing");
    shop.by(&editor, "PUT", &path).json(&body).send().ok();
    let read = shop.by(&viewer, "GET", &path).send().ok();
    assert_eq!(read.data(), &body);
    let twice = json!({"queries": ["a", "a"]});
    let failed = shop.by(&editor, "PUT", &path).json(&twice).send();
    assert_eq!(failed.error(400, "invalid_request").fields().len(), 1);
}
