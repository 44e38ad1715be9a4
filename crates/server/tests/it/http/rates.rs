//! 1. A key may ask 600 times within a minute and write 120 times, at, under and over; the minute starts with the first
//!    request, is its own, and ends as a whole.
//! 2. The headers tell how the limit stands, `Retry-After` and `retryAfter` when to come again.
//! 3. A search-only key is counted for each client address.
//! 4. Every operation of the catalogue counts as what it is.
//! 5. 401 comes before 429, and 429 before everything else.
//! 6. The limits can be set, and switched off.

use crate::harness::{Binary, Call, Furnished, Reply, Shop, command};
use domain::limits::{REQUESTS_PER_MINUTE, WRITES_PER_MINUTE};
use domain::{KeyKind, Scope, Timestamp};
use operations::catalogue::{OPERATIONS, RequiredAccess};
use operations::clock::Clock;
use operations::rates::Rates;
use serde_json::json;
use std::process::Stdio;

fn shop_at(rates: Rates) -> Shop {
    Shop::open_with(|options| {
        options.clock = Clock::fixed(Timestamp(1_800_000_000_000));
        options.proxies.trusted = vec!["127.0.0.0/8".parse().expect("a network")];
        options.rates = rates;
    })
}

fn few(requests: u32, writes: u32) -> Shop {
    // Furnishing the shop asks thrice as the connector, and as nobody else.
    shop_at(Rates { requests, writes })
}

/// Limit, what is left, and the seconds until it is whole, as the headers tell them.
fn told(reply: &Reply) -> [u64; 3] {
    ["limit", "remaining", "reset"].map(|name| {
        let header = reply.header(&format!("x-ratelimit-{name}"));
        header
            .parse()
            .unwrap_or_else(|_| panic!("{name}: {reply:?}"))
    })
}

fn untold(reply: &Reply) -> bool {
    reply.header("x-ratelimit-limit").is_empty()
}

fn limited(reply: Reply, seconds: u64) {
    let reply = reply.refused(429, "rate_limited");
    assert_eq!(reply.json["retryAfter"], seconds);
    assert_eq!(reply.header("retry-after"), seconds.to_string());
    assert_eq!(told(&reply)[1..], [0, seconds]);
}

#[test]
fn the_limits_of_the_contract_hold_to_the_request() {
    let shop = shop_at(Rates::default());
    let connector = shop.new_key(&shop.store, KeyKind::Connector, None);
    type Ask<'a> = Box<dyn Fn() -> Call<'a> + 'a>;
    let rows: [(Ask<'_>, u32); 4] = [
        (
            Box::new(|| shop.api("GET", "/me").key(&shop.read_key)),
            REQUESTS_PER_MINUTE,
        ),
        (
            Box::new(|| shop.api("GET", "/feed/connect").key(&connector)),
            REQUESTS_PER_MINUTE,
        ),
        (
            Box::new(|| shop.api("GET", "/search?limit=1").key(&shop.public)),
            REQUESTS_PER_MINUTE,
        ),
        (
            Box::new(|| shop.own("PUT", "/relevance").json(&json!({}))),
            WRITES_PER_MINUTE,
        ),
    ];
    for (ask, limit) in rows {
        for number in 1..=limit {
            let reply = ask().send().ok();
            assert_eq!(told(&reply), [limit.into(), (limit - number).into(), 60]);
        }
        limited(ask().send(), 60);
        shop.clock.advance_ms(59_999);
        limited(ask().send(), 1);
        shop.clock.advance_ms(1);
        ask().send().ok();
    }
}

#[test]
fn a_minute_starts_with_the_first_request() {
    let shop = few(3, 0);
    let me = |key: &str| shop.api("GET", "/me").key(key).send();
    me(&shop.read_key).ok();
    shop.clock.advance_ms(40_000);
    // Another key has its own minute.
    assert_eq!(told(&me(&shop.write_key).ok()), [3, 2, 60]);
    assert_eq!(told(&me(&shop.read_key).ok()), [3, 1, 20]);
    assert_eq!(told(&me(&shop.read_key).ok()), [3, 0, 20]);
    limited(me(&shop.read_key), 20);
    shop.clock.advance_ms(20_000);
    // All of it is there again at once.
    for left in [2, 1, 0] {
        assert_eq!(told(&me(&shop.read_key).ok()), [3, left, 60]);
    }
    limited(me(&shop.read_key), 60);
    assert_eq!(told(&me(&shop.write_key).ok()), [3, 1, 40]);
}

#[test]
fn writes_spend_both_limits_and_what_is_less_is_told() {
    let shop = few(5, 3);
    let write = || shop.own("PUT", "/relevance").json(&json!({})).send();
    let read = || shop.own("GET", "/relevance").send();
    assert_eq!(told(&write().ok()), [3, 2, 60]);
    assert_eq!(told(&read().ok()), [5, 3, 60]);
    assert_eq!(told(&read().ok()), [5, 2, 60]);
    assert_eq!(told(&read().ok()), [5, 1, 60]);
    assert_eq!(told(&write().ok()), [5, 0, 60]);
    limited(write(), 60);
    shop.clock.advance_ms(60_000);
    // What was refused as a request spent no write; what is refused as a write is a request.
    for left in [2, 1, 0] {
        assert_eq!(told(&write().ok()), [3, left, 60]);
    }
    limited(write(), 60);
    assert_eq!(told(&read().ok()), [5, 0, 60]);
    limited(read(), 60);
}

#[test]
fn shoppers_are_counted_by_address() {
    let shop = few(4, 0);
    let search = |client: &str| {
        let call = shop.api("GET", "/search").header("X-Forwarded-For", client);
        call.key(&shop.public).send()
    };
    for left in [3, 2, 1, 0] {
        assert_eq!(told(&search("198.51.100.7").ok()), [4, left, 60]);
    }
    limited(search("198.51.100.7"), 60);
    assert_eq!(told(&search("198.51.100.8").ok()), [4, 3, 60]);
    // A network of IPv6 is one client.
    search("2001:db8::1").ok();
    assert_eq!(told(&search("2001:db8::ffff").ok()), [4, 2, 60]);
    // Other kinds of keys are counted whatever the address.
    for (client, left) in [("198.51.100.1", 3), ("198.51.100.2", 2)] {
        let call = shop.api("GET", "/me").header("X-Forwarded-For", client);
        assert_eq!(told(&call.key(&shop.read_key).send().ok())[1], left);
    }
}

#[test]
fn every_operation_counts_as_what_it_is() {
    let shop = few(1_000, 500);
    for operation in OPERATIONS {
        let Some((method, path)) = server::route(operation.id) else {
            continue;
        };
        let key = match operation.access {
            RequiredAccess::Configuration(Scope::Read) => &shop.read_key,
            RequiredAccess::Configuration(Scope::Write) => &shop.write_key,
            RequiredAccess::Feed => &shop.connector,
            RequiredAccess::Search => &shop.public,
            RequiredAccess::Operator => continue,
        };
        let mut known = path.replace("{type}", "products");
        for name in ["{id}", "{storeId}"] {
            known = known.replace(name, shop.store.as_str());
        }
        let reply = shop.api(method, &known).key(key).body("no JSON").send();
        let is_write =
            operation.writes && matches!(operation.access, RequiredAccess::Configuration(_));
        let limit = if is_write { 500 } else { 1_000 };
        assert_eq!(told(&reply)[0], limit, "{}", operation.id);
    }
}

#[test]
fn limits_come_after_401_and_before_everything_else() {
    let shop = few(3, 1);
    let own = format!("/stores/{}/relevance", shop.store);
    let put = |key: &str, path: &str| shop.api("PUT", path).key(key).body("{").send();
    put(&shop.write_key, &own).refused(415, "unsupported_media_type");
    limited(put(&shop.write_key, "/stores/other/relevance"), 60);
    limited(put(&shop.write_key, &own), 60);
    // A key that may not write spends its writes all the same, so that trying does not pay.
    put(&shop.read_key, &own).refused(403, "scope_missing");
    limited(put(&shop.read_key, &own), 60);
    // 404 of a path, 405 and 401 are not counted.
    for _ in 0..4 {
        assert!(untold(
            &put(&shop.read_key, "/nowhere").refused(404, "not_found")
        ));
        assert!(untold(
            &put(&shop.read_key, "/me").refused(405, "method_not_allowed")
        ));
        assert!(untold(&put(&shop.public, &own).refused(401, "key_kind")));
        assert!(untold(&put("cfg_x", &own).refused(401, "key_invalid")));
        assert!(untold(
            &shop.api("PUT", &own).send().refused(401, "key_missing")
        ));
    }
    let last = shop.api("GET", "/me").key(&shop.read_key).send().ok();
    assert_eq!(told(&last)[1], 0);
    assert!(untold(&shop.client.call("GET", "/healthz").send()));
    // Scripts of a store's page may read them.
    let call = shop
        .api("GET", "/search")
        .header("Origin", "https://shop.example");
    let exposed = call.key(&shop.public).send().ok();
    let exposed = exposed
        .header("access-control-expose-headers")
        .to_lowercase();
    assert!(exposed.contains("x-ratelimit-remaining"), "{exposed}");
}

#[test]
fn the_operator_sets_the_limits() {
    let shop = Furnished::empty();
    let asked = |arguments: &[&str]| {
        let serve = ["serve", "--listen", "127.0.0.1:0"];
        let mut command = command(shop.path(), &[&serve, arguments].concat());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let server = Binary::of(child.expect("the binary runs"));
        let search = server.client.call("GET", "/api/v1/search").key(&shop.key);
        search.send().ok()
    };
    assert_eq!(told(&asked(&["--requests-per-minute", "7"]))[..2], [7, 6]);
    assert!(untold(&asked(&["--requests-per-minute", "0"])));
}
