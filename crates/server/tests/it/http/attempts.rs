//! 1. From the 61st attempt with a bad key within a minute, an address gets 429 until the minute is over.
//! 2. A valid key is never rejected for that, and requests without a key are not counted.
//! 3. Each address has its own count; a forwarded address is used only if the proxy is trusted.

use crate::harness::{Reply, Shop, TestClock};
use domain::{KeyKind, Timestamp};
use server::admin::AdminRequest;

const BAD: &str = "cfg_unknown_0123456789012345678901234567890";

fn shop_behind(trusted: &[&str]) -> Shop {
    let trusted = trusted.iter().map(|text| text.parse().expect("a network"));
    Shop::open_at_with(TestClock::fixed(Timestamp(1_800_000_000_000)), |options| {
        options.proxies.trusted = trusted.collect();
    })
}

/// An attempt with a bad key by a client whose address a proxy forwards.
fn attempt(shop: &Shop, client: &str) -> Reply {
    let call = shop.api("GET", "/me").header("X-Forwarded-For", client);
    call.key(BAD).send()
}

fn check_limit_of(shop: &Shop, client: &str) {
    for _ in 0..60 {
        attempt(shop, client).error(401, "key_invalid");
    }
    attempt(shop, client).error(429, "rate_limited");
}

#[test]
fn the_61st_attempt_within_a_minute_is_rejected() {
    let shop = shop_behind(&[]);
    let deactivated = shop.new_key(&shop.store, KeyKind::Connector, None);
    let id = deactivated.split('_').nth(1).expect("an id").to_owned();
    shop.admin(AdminRequest::DeactivateKey { key: id.into() });
    let connect = |key: &str| shop.api("GET", "/feed/connect").key(key).send();

    for _ in 0..30 {
        attempt(&shop, "").error(401, "key_invalid");
        shop.clock.advance_ms(1_000);
        // A deactivated key counts like an unknown one; a missing key and a valid one do not count.
        connect(&deactivated).error(401, "key_invalid");
        shop.api("GET", "/me").send().error(401, "key_missing");
        shop.api("GET", "/me").key(&shop.read_key).send().ok();
    }
    let limited = attempt(&shop, "").error(429, "rate_limited");
    assert_eq!(limited.json["retryAfter"], 30);
    assert_eq!(limited.header("retry-after"), "30");
    assert_eq!(limited.header("www-authenticate"), "");
    connect(&deactivated).error(429, "rate_limited");
    shop.api("GET", "/me").key(&shop.read_key).send().ok();
    connect(&shop.connector).ok();
    // A valid key of the wrong kind gets the error for its kind and is not counted.
    connect(&shop.read_key).error(403, "key_kind");
    shop.api("GET", "/me").send().error(401, "key_missing");
    shop.api("GET", "/nowhere")
        .key(BAD)
        .send()
        .error(404, "not_found");

    shop.clock.advance_ms(29_999);
    let limited = attempt(&shop, "").error(429, "rate_limited");
    assert_eq!(limited.json["retryAfter"], 1);
    shop.clock.advance_ms(1);
    check_limit_of(&shop, "");
}

#[test]
fn a_client_cannot_forge_its_address_without_a_trusted_proxy() {
    let shop = shop_behind(&["192.0.2.0/24"]);
    for number in 0..60 {
        let client = format!("198.51.100.{number}");
        attempt(&shop, &client).error(401, "key_invalid");
    }
    attempt(&shop, "203.0.113.9").error(429, "rate_limited");
}

#[test]
fn clients_of_a_trusted_proxy_are_counted_separately() {
    let shop = shop_behind(&["127.0.0.0/8", "192.0.2.0/24"]);
    check_limit_of(&shop, "198.51.100.7");
    attempt(&shop, "1.2.3.4, 198.51.100.7, 192.0.2.8").error(429, "rate_limited");
    attempt(&shop, "198.51.100.8").error(401, "key_invalid");
    check_limit_of(&shop, "2001:db8::1");
    attempt(&shop, "2001:db8::ffff").error(429, "rate_limited");
    attempt(&shop, "2001:db8:0:1::1").error(401, "key_invalid");
    // Without a forwarded address the proxy's own address is counted.
    check_limit_of(&shop, "unknown");
}
