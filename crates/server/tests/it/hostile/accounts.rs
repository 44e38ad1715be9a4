//! 1. A store keeps 20 installations: a further one replaces the one whose key searched least recently.
//! 2. After a restore without `master.key` a rotation helps at once: tokens signed with the new secret are accepted.

use super::target::{Start, Target};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

/// The maximum of installations per store.
const INSTALLATIONS_MAX: usize = 20;

fn issue(target: &Target, instance: &str, rotate: bool) -> Value {
    let body = json!({"instanceId": instance, "rotate": rotate});
    let call = target.attacker.feed(target.client(), "/public-key", &body);
    call.send().ok().data().clone()
}

fn works(target: &Target, key: &Value) -> bool {
    let key = key.as_str().expect("a key");
    let call = target.api("POST", "/search", key);
    call.json(&json!({"q": "a"})).send().status == 200
}

#[test]
fn a_store_keeps_20_installations() {
    let target = Target::open();
    let mut keys = vec![json!(target.attacker.public)];
    for at in 0..INSTALLATIONS_MAX + 5 {
        assert!(works(&target, &keys[0]), "the key that searches goes on");
        let issued = issue(&target, &format!("another {at}"), false);
        keys.push(issued["publicKey"].clone());
    }
    assert!(
        works(&target, &keys[keys.len() - 1]),
        "the newest one works"
    );
    let working = keys.iter().filter(|key| works(&target, key)).count();
    assert_eq!(working, INSTALLATIONS_MAX);
}

fn token(secret: &str, claims: &Value) -> String {
    let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"HS256","typ":"JWT"}"#);
    let signed = format!("{header}.{}", URL_SAFE_NO_PAD.encode(claims.to_string()));
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length");
    mac.update(signed.as_bytes());
    let signature = URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes());
    format!("{signed}.{signature}")
}

/// Seconds since 1970 by the system's `date`: a token has to end within the hour.
fn now() -> i64 {
    let printed = std::process::Command::new("date").arg("+%s").output();
    let printed = String::from_utf8(printed.expect("a date").stdout).expect("digits");
    printed.trim().parse().expect("a number")
}

#[test]
fn a_rotation_helps_after_a_restore_without_the_key_of_secrets() {
    let mut target = Target::started(Start::default());
    let groups =
        json!({"enabled": true, "visitorGroup": "1", "groups": [{"id": "1"}, {"id": "4"}]});
    let call = target
        .attacker
        .feed(target.client(), "/access-groups", &groups);
    call.send().ok();
    target.bulk(&[json!({"id": "members", "name": "Sandalia", "accessGroups": ["4"]})]);
    let sees = |target: &Target, issued: &Value| {
        let secret = issued["contextSecret"].as_str().expect("a secret");
        let visitor = token(secret, &json!({"groups": ["4"], "exp": now() + 600}));
        let key = issued["publicKey"].as_str().expect("a key");
        let call = target.api("POST", "/search", key);
        let body = json!({"q": "sandalia", "types": ["products"], "visitor": visitor});
        call.json(&body).send().ok().data()["products"]["total"] == 1
    };
    let issued = issue(&target, "one", false);
    crate::harness::eventually("a member sees it", || sees(&target, &issued));

    target.server.end();
    std::fs::remove_file(target.dir.path().join("master.key")).expect("a key of secrets");
    target.start_again();
    let rotated = issue(&target, "one", true);
    crate::harness::eventually("a member sees it again", || sees(&target, &rotated));
}
