//! 1. Each kind of key opens its own part of the interface and no other.
//! 2. Both headers are accepted; both at once must agree.
//! 3. A key in the query string is 401, and the message names the header.
//! 4. Unknown, deactivated and expired keys get the same message.
//! 5. An account key reaches the stores of its account and no others.

use crate::harness::Shop;
use domain::{KeyKind, Scope};
use serde_json::json;
use server::admin::AdminRequest;

#[test]
fn each_kind_of_key_opens_its_own_part_of_the_interface() {
    let shop = Shop::open();
    let relevance = format!("/stores/{}/relevance", shop.store);
    let access = |key: &str| {
        let replies = [
            shop.api("GET", "/me").key(key).send(),
            shop.api("GET", &relevance).key(key).send(),
            shop.api("PUT", &relevance).key(key).json(&json!({})).send(),
            shop.api("GET", "/feed/connect").key(key).send(),
            shop.api("GET", "/search?q=").key(key).send(),
        ];
        replies.map(|reply| match reply.status {
            200 => "open".to_owned(),
            status => format!("{status} {}", reply.code()),
        })
    };
    let (no_config, no_feed) = ("401 key_kind", "403 key_kind");
    assert_eq!(
        access(&shop.write_key),
        ["open", "open", "open", no_feed, no_feed]
    );
    let read = ["open", "open", "403 scope_missing", no_feed, no_feed];
    assert_eq!(access(&shop.read_key), read);
    assert_eq!(
        access(&shop.connector),
        [no_config, no_config, no_config, "open", no_feed]
    );
    assert_eq!(
        access(&shop.public),
        [no_config, no_config, no_config, no_feed, "open"]
    );
}

#[test]
fn both_headers_are_accepted_and_must_agree() {
    let shop = Shop::open();
    let me = || shop.api("GET", "/me");
    let bearer = format!("Bearer {}", shop.read_key);
    me().header("Authorization", &bearer).send().ok();
    me().header("Authorization", &bearer.replace("Bearer", "bearer"))
        .send()
        .ok();
    me().header("Authorization", &bearer)
        .key(&shop.read_key)
        .send()
        .ok();
    let differ = me()
        .header("Authorization", &bearer)
        .key(&shop.write_key)
        .send();
    differ.error(401, "key_invalid");
    let reply = me().send().error(401, "key_missing");
    assert!(
        reply
            .header("www-authenticate")
            .starts_with("Bearer realm=")
    );
}

#[test]
fn a_key_in_the_query_string_is_rejected() {
    let shop = Shop::open();
    for name in ["api_key", "apiKey", "key", "access_token", "X-API-Key"] {
        let path = format!("/me?{name}={}", shop.read_key);
        let reply = shop.api("GET", &path).send().error(401, "key_missing");
        assert!(reply.message().contains("X-API-Key"), "{reply:?}");
        assert!(
            !reply.text.contains(&shop.read_key),
            "the key is not repeated"
        );
        let both = shop.api("GET", &path).key(&shop.read_key).send();
        both.error(401, "key_invalid");
    }
}

#[test]
fn a_deactivated_key_looks_unknown() {
    let shop = Shop::open();
    let key = shop.new_key(&shop.store, KeyKind::Configuration, Some(Scope::Read));
    let me = |key: &str| shop.api("GET", "/me").key(key).send();
    let id = me(&key).ok().data()["key"]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    shop.admin(AdminRequest::DeactivateKey { key: id.into() });
    let stopped = me(&key).error(401, "key_invalid");

    let mut wrong = key.clone();
    let last = wrong.pop().expect("a character");
    wrong.push(if last == 'a' { 'b' } else { 'a' });
    for unknown in [
        wrong.as_str(),
        "cfg_unknown_0123456789012345678901234567890",
        "x",
        "é",
    ] {
        if unknown.is_ascii() {
            let reply = me(unknown).error(401, "key_invalid");
            assert_eq!(reply.message(), stopped.message());
        }
    }
}

#[test]
fn an_account_key_reaches_its_stores() {
    let shop = Shop::open();
    let second = shop.new_store("Second");
    let key = shop.account_key(&shop.account, Scope::Read);
    let name = "Others".to_owned();
    let other = shop.admin(AdminRequest::CreateAccount {
        name,
        max_stores: None,
    });
    let other_id = other["id"].as_str().expect("an id").into();
    let foreign = shop.account_key(&other_id, Scope::Read);

    for store in [&shop.store, &second] {
        let path = format!("/stores/{store}");
        shop.api("GET", &path).key(&key).send().ok();
        shop.api("GET", &path)
            .key(&foreign)
            .send()
            .error(404, "not_found");
    }
    let bound = shop
        .api("GET", &format!("/stores/{second}"))
        .key(&shop.read_key)
        .send();
    bound.error(403, "store_mismatch");
    let stores = shop.api("GET", "/stores").key(&key).send().ok();
    assert_eq!(stores.data().as_array().map(Vec::len), Some(2));
    let stores = shop.api("GET", "/stores").key(&shop.read_key).send().ok();
    assert_eq!(stores.data().as_array().map(Vec::len), Some(1));
}
