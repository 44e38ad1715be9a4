//! 1. Each kind of key opens its own door and no other.
//! 2. Both headers are accepted; both at once must agree.
//! 3. A key in the query string is 401 and told where it belongs.
//! 4. Unknown, deactivated and expired keys get one text.
//! 5. A key of the account reaches its stores and no other account's.

use crate::harness::Shop;
use domain::{KeyKind, Scope};
use serde_json::json;
use server::admin::AdminRequest;

#[test]
fn each_kind_of_key_opens_its_own_door() {
    let shop = Shop::open();
    let relevance = format!("/stores/{}/relevance", shop.store);
    let doors = |key: &str| {
        let answers = [
            shop.api("GET", "/me").key(key).send(),
            shop.api("GET", &relevance).key(key).send(),
            shop.api("PUT", &relevance).key(key).json(&json!({})).send(),
            shop.api("GET", "/feed/connect").key(key).send(),
            shop.api("GET", "/search?q=").key(key).send(),
        ];
        answers.map(|reply| match reply.status {
            200 => "open".to_owned(),
            status => format!("{status} {}", reply.code()),
        })
    };
    let (no_config, no_feed) = ("401 key_kind", "403 key_kind");
    assert_eq!(
        doors(&shop.write_key),
        ["open", "open", "open", no_feed, no_feed]
    );
    let read = ["open", "open", "403 scope_missing", no_feed, no_feed];
    assert_eq!(doors(&shop.read_key), read);
    assert_eq!(
        doors(&shop.connector),
        [no_config, no_config, no_config, "open", no_feed]
    );
    assert_eq!(
        doors(&shop.public),
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
    differ.refused(401, "key_invalid");
    let reply = me().send().refused(401, "key_missing");
    assert!(
        reply
            .header("www-authenticate")
            .starts_with("Bearer realm=")
    );
}

#[test]
fn a_key_in_the_query_string_is_refused() {
    let shop = Shop::open();
    for name in ["api_key", "apiKey", "key", "access_token", "X-API-Key"] {
        let path = format!("/me?{name}={}", shop.read_key);
        let reply = shop.api("GET", &path).send().refused(401, "key_missing");
        assert!(reply.message().contains("X-API-Key"), "{reply:?}");
        assert!(
            !reply.text.contains(&shop.read_key),
            "the key is not repeated"
        );
        let both = shop.api("GET", &path).key(&shop.read_key).send();
        both.refused(401, "key_invalid");
    }
}

#[test]
fn a_key_that_stopped_is_as_unknown() {
    let shop = Shop::open();
    let key = shop.new_key(&shop.store, KeyKind::Configuration, Some(Scope::Read));
    let me = |key: &str| shop.api("GET", "/me").key(key).send();
    let id = me(&key).ok().data()["key"]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    shop.admin(AdminRequest::DeactivateKey { key: id.into() });
    let stopped = me(&key).refused(401, "key_invalid");

    let mut wrong = key.clone();
    let last = wrong.pop().expect("a letter");
    wrong.push(if last == 'a' { 'b' } else { 'a' });
    for unknown in [
        wrong.as_str(),
        "cfg_unknown_0123456789012345678901234567890",
        "x",
        "é",
    ] {
        if unknown.is_ascii() {
            let reply = me(unknown).refused(401, "key_invalid");
            assert_eq!(reply.message(), stopped.message());
        }
    }
}

#[test]
fn a_key_of_the_account_reaches_its_stores() {
    let shop = Shop::open();
    let second = shop.new_store("Second");
    let key = shop.account_key(&shop.account, Scope::Read);
    let name = "Others".to_owned();
    let other = shop.admin(AdminRequest::CreateAccount { name });
    let other_id = other["id"].as_str().expect("an id").into();
    let foreign = shop.account_key(&other_id, Scope::Read);

    for store in [&shop.store, &second] {
        let path = format!("/stores/{store}");
        shop.api("GET", &path).key(&key).send().ok();
        shop.api("GET", &path)
            .key(&foreign)
            .send()
            .refused(404, "not_found");
    }
    let bound = shop
        .api("GET", &format!("/stores/{second}"))
        .key(&shop.read_key)
        .send();
    bound.refused(403, "store_mismatch");
    let stores = shop.api("GET", "/stores").key(&key).send().ok();
    assert_eq!(stores.data().as_array().map(Vec::len), Some(2));
    let stores = shop.api("GET", "/stores").key(&shop.read_key).send().ok();
    assert_eq!(stores.data().as_array().map(Vec::len), Some(1));
}
