//! 1. Address and platform of a store are empty until its module reports them: the address with the public key, the
//!    platform in the client header.
//! 2. What was reported stays when the module reports something else, and what the operator sets is never overwritten;
//!    what the operator empties is filled again.
//! 3. No key writes them over REST; invalid ones are rejected, also from the command line.

use crate::harness::{Shop, findwell};
use operations::stores::{self, StoreSettings};
use serde_json::{Value, json};
use server::admin::AdminRequest;
use tempfile::TempDir;

/// Address and platform of the store.
fn facts(shop: &Shop) -> [Value; 2] {
    let detail = shop.own("GET", "").send().ok();
    [
        detail.data()["url"].clone(),
        detail.data()["platform"].clone(),
    ]
}

fn report(shop: &Shop, origin: Option<&str>, client: &str) {
    let mut body = json!({"instanceId": "test"});
    if let Some(origin) = origin {
        body["origin"] = json!(origin);
    }
    shop.feed("POST", "/feed/public-key")
        .header("X-Svc-Client", client)
        .json(&body)
        .send()
        .ok();
}

fn set(shop: &Shop, url: &str, platform: &str) {
    shop.admin(AdminRequest::SetStore {
        store: shop.store.clone(),
        settings: StoreSettings {
            url: Some(url.to_owned()),
            platform: Some(platform.to_owned()),
            ..StoreSettings::default()
        },
    });
}

#[test]
fn the_module_fills_what_is_empty() {
    let shop = Shop::open();
    assert_eq!(facts(&shop), ["", ""]);
    report(&shop, None, "no platform");
    assert_eq!(facts(&shop), ["", ""]);
    report(
        &shop,
        Some("https://shop.example"),
        "PrestaShop/1.0.0; platform=9.0.0",
    );
    assert_eq!(facts(&shop), ["https://shop.example", "prestashop"]);
    report(&shop, Some("https://other.example"), "other/1.0.0");
    assert_eq!(facts(&shop), ["https://shop.example", "prestashop"]);
    let connected = shop.feed("GET", "/feed/connect").send().ok();
    assert_eq!(connected.data()["platform"], "prestashop");
    assert_eq!(
        shop.own("GET", "/revisions").send().ok().json["meta"]["total"],
        0
    );
}

#[test]
fn what_the_operator_sets_stays() {
    let shop = Shop::open();
    set(&shop, "https://mine.example/shop", "own");
    report(&shop, Some("https://shop.example"), "prestashop/1.0.0");
    assert_eq!(facts(&shop), ["https://mine.example/shop", "own"]);
    set(&shop, "", "");
    assert_eq!(facts(&shop), ["", ""]);
    report(&shop, Some("https://shop.example"), "prestashop/1.0.1");
    assert_eq!(facts(&shop), ["https://shop.example", "prestashop"]);
}

#[test]
fn no_key_writes_them() {
    let shop = Shop::open();
    for (name, value) in [("url", "https://x.example"), ("platform", "other")] {
        let reply = shop.own("PUT", "").json(&json!({(name): value})).send();
        assert_eq!(reply.error(403, "reserved").fields(), [name]);
    }
    for origin in ["shop.example", "javascript:alert(1)", ""] {
        let body = json!({"instanceId": "test", "origin": origin});
        let reply = shop.feed("POST", "/feed/public-key").json(&body).send();
        assert_eq!(reply.error(400, "invalid_request").fields(), ["origin"]);
    }
    assert_eq!(facts(&shop), ["", ""]);
    let wrong = StoreSettings {
        url: Some("shop".to_owned()),
        platform: Some("My platform".to_owned()),
        ..StoreSettings::default()
    };
    let operator = domain::Caller::operator();
    let set = stores::set(shop.running().service(), &operator, &shop.store, wrong);
    let error = shop.block_on(set).expect_err("wrong").to_string();
    assert!(error.contains("url"), "{error}");
}

#[test]
fn the_command_sets_them() {
    let data = TempDir::new().expect("a directory");
    let run = |arguments: &[&str]| findwell(data.path(), arguments);
    let store = run(&["store", "create", "--name", "Shop", "--language", "es"]);
    let store = store.line();
    let set = |options: &[&str]| run(&[&["store", "set", store], options].concat());
    let done = set(&["--url", "https://shop.example", "--platform", "magento"]);
    assert_eq!(done.line(), store);
    let shown = set(&["--platform", "prestashop", "--json"]).json();
    assert_eq!(
        [&shown["url"], &shown["platform"]],
        ["https://shop.example", "prestashop"]
    );
    for options in [
        &["--url", "shop"],
        &["--platform", "A"],
        &["--platform", "x/y"],
    ] {
        let failed = set(options);
        assert_eq!(
            (failed.status, failed.stdout.as_str()),
            (2, ""),
            "{failed:?}"
        );
    }
}
