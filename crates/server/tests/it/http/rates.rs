//! 1. A key may send 600 requests and 120 writes within a minute; the limits are exact; the minute starts with the
//!    first request of the key and ends as a whole.
//! 2. The headers report the limit, `Retry-After` and `retryAfter` the seconds to wait.
//! 3. A search-only key has a count per client address.
//! 4. Every operation of the catalogue counts as a read or a write, as it is.
//! 5. 401 comes before 429, and 429 before everything else.
//! 6. The limits can be set, and switched off.
//! 7. A proposal that is repeated counts as one write.

use crate::harness::{Binary, Call, Reply, SeededStore, Shop, TestClock, command};
use domain::limits::{REQUESTS_PER_MINUTE, WRITES_PER_MINUTE};
use domain::{KeyKind, Scope, Timestamp};
use operations::catalogue::{RequiredAccess, all_operations};
use operations::rates::Rates;
use serde_json::json;
use std::process::Stdio;

fn shop_at(rates: Rates) -> Shop {
    Shop::open_at_with(TestClock::fixed(Timestamp(1_800_000_000_000)), |options| {
        options.proxies.trusted = vec!["127.0.0.0/8".parse().expect("a network")];
        options.rates = rates;
    })
}

fn few(requests: u32, writes: u32) -> Shop {
    // Setting the shop up sends three requests with the connector key, and none with other keys.
    shop_at(Rates { requests, writes })
}

/// Limit, remaining requests and seconds until the reset, as the headers report them.
fn rate_headers(reply: &Reply) -> [u64; 3] {
    ["limit", "remaining", "reset"].map(|name| {
        let header = reply.header(&format!("x-ratelimit-{name}"));
        header
            .parse()
            .unwrap_or_else(|_| panic!("{name}: {reply:?}"))
    })
}

fn has_no_rate_headers(reply: &Reply) -> bool {
    reply.header("x-ratelimit-limit").is_empty()
}

fn assert_limited(reply: Reply, seconds: u64) {
    let reply = reply.error(429, "rate_limited");
    assert_eq!(reply.json["retryAfter"], seconds);
    assert_eq!(reply.header("retry-after"), seconds.to_string());
    assert_eq!(rate_headers(&reply)[1..], [0, seconds]);
}

#[test]
fn the_default_limits_are_exact() {
    let shop = shop_at(Rates::default());
    let connector = shop.new_key(&shop.store, KeyKind::Connector, None);
    type NewCall<'a> = Box<dyn Fn() -> Call<'a> + 'a>;
    let rows: [(NewCall<'_>, u32); 4] = [
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
    for (call, limit) in rows {
        for number in 1..=limit {
            let reply = call().send().ok();
            assert_eq!(
                rate_headers(&reply),
                [limit.into(), (limit - number).into(), 60]
            );
        }
        assert_limited(call().send(), 60);
        shop.clock.advance_ms(59_999);
        assert_limited(call().send(), 1);
        shop.clock.advance_ms(1);
        call().send().ok();
    }
}

#[test]
fn a_minute_starts_with_the_first_request() {
    let shop = few(3, 0);
    let me = |key: &str| shop.api("GET", "/me").key(key).send();
    me(&shop.read_key).ok();
    shop.clock.advance_ms(40_000);
    // Another key has a minute of its own.
    assert_eq!(rate_headers(&me(&shop.write_key).ok()), [3, 2, 60]);
    assert_eq!(rate_headers(&me(&shop.read_key).ok()), [3, 1, 20]);
    assert_eq!(rate_headers(&me(&shop.read_key).ok()), [3, 0, 20]);
    assert_limited(me(&shop.read_key), 20);
    shop.clock.advance_ms(20_000);
    // The whole limit is available again at once.
    for remaining in [2, 1, 0] {
        assert_eq!(rate_headers(&me(&shop.read_key).ok()), [3, remaining, 60]);
    }
    assert_limited(me(&shop.read_key), 60);
    assert_eq!(rate_headers(&me(&shop.write_key).ok()), [3, 1, 40]);
}

#[test]
fn writes_use_both_limits_and_the_lower_one_is_reported() {
    let shop = few(5, 3);
    let write = || shop.own("PUT", "/relevance").json(&json!({})).send();
    let read = || shop.own("GET", "/relevance").send();
    assert_eq!(rate_headers(&write().ok()), [3, 2, 60]);
    assert_eq!(rate_headers(&read().ok()), [5, 3, 60]);
    assert_eq!(rate_headers(&read().ok()), [5, 2, 60]);
    assert_eq!(rate_headers(&read().ok()), [5, 1, 60]);
    assert_eq!(rate_headers(&write().ok()), [5, 0, 60]);
    assert_limited(write(), 60);
    shop.clock.advance_ms(60_000);
    // A write rejected by the request limit costs no write; one rejected by the write limit counts as a request.
    for remaining in [2, 1, 0] {
        assert_eq!(rate_headers(&write().ok()), [3, remaining, 60]);
    }
    assert_limited(write(), 60);
    assert_eq!(rate_headers(&read().ok()), [5, 0, 60]);
    assert_limited(read(), 60);
}

#[test]
fn shoppers_are_counted_by_address() {
    let shop = few(4, 0);
    let search = |client: &str| {
        let call = shop.api("GET", "/search").header("X-Forwarded-For", client);
        call.key(&shop.public).send()
    };
    for remaining in [3, 2, 1, 0] {
        assert_eq!(
            rate_headers(&search("198.51.100.7").ok()),
            [4, remaining, 60]
        );
    }
    assert_limited(search("198.51.100.7"), 60);
    assert_eq!(rate_headers(&search("198.51.100.8").ok()), [4, 3, 60]);
    // An IPv6 network is one client.
    search("2001:db8::1").ok();
    assert_eq!(rate_headers(&search("2001:db8::ffff").ok()), [4, 2, 60]);
    // Other kinds of keys are counted whatever their address.
    for (client, remaining) in [("198.51.100.1", 3), ("198.51.100.2", 2)] {
        let call = shop.api("GET", "/me").header("X-Forwarded-For", client);
        assert_eq!(
            rate_headers(&call.key(&shop.read_key).send().ok())[1],
            remaining
        );
    }
}

#[test]
fn every_operation_counts_as_a_read_or_a_write() {
    let shop = few(1_000, 500);
    for operation in all_operations() {
        let Some((method, path)) = server::route(operation.id) else {
            continue;
        };
        let key = match operation.access {
            RequiredAccess::Configuration(Scope::Read) => &shop.read_key,
            RequiredAccess::Configuration(Scope::Propose | Scope::Write) => &shop.write_key,
            RequiredAccess::Feed => &shop.connector,
            RequiredAccess::Search => &shop.public,
            RequiredAccess::Panel | RequiredAccess::Operator => continue,
        };
        let mut known = path.replace("{type}", "products");
        for name in ["{id}", "{storeId}"] {
            known = known.replace(name, shop.store.as_str());
        }
        let reply = shop.api(method, &known).key(key).body("no JSON").send();
        let is_write =
            operation.writes && matches!(operation.access, RequiredAccess::Configuration(_));
        let limit = if is_write { 500 } else { 1_000 };
        assert_eq!(rate_headers(&reply)[0], limit, "{}", operation.id);
    }
}

#[test]
fn limits_come_after_401_and_before_everything_else() {
    let shop = few(3, 1);
    let own = format!("/stores/{}/relevance", shop.store);
    let put = |key: &str, path: &str| shop.api("PUT", path).key(key).body("{").send();
    put(&shop.write_key, &own).error(415, "unsupported_media_type");
    assert_limited(put(&shop.write_key, "/stores/other/relevance"), 60);
    assert_limited(put(&shop.write_key, &own), 60);
    // A key that may not write uses up its writes all the same, so that trying does not pay.
    put(&shop.read_key, &own).error(403, "scope_missing");
    assert_limited(put(&shop.read_key, &own), 60);
    // 404 for a path, 405 and 401 are not counted.
    for _ in 0..4 {
        assert!(has_no_rate_headers(
            &put(&shop.read_key, "/nowhere").error(404, "not_found")
        ));
        assert!(has_no_rate_headers(
            &put(&shop.read_key, "/me").error(405, "method_not_allowed")
        ));
        assert!(has_no_rate_headers(
            &put(&shop.public, &own).error(401, "key_kind")
        ));
        assert!(has_no_rate_headers(
            &put("cfg_x", &own).error(401, "key_invalid")
        ));
        assert!(has_no_rate_headers(
            &shop.api("PUT", &own).send().error(401, "key_missing")
        ));
    }
    let last = shop.api("GET", "/me").key(&shop.read_key).send().ok();
    assert_eq!(rate_headers(&last)[1], 0);
    assert!(has_no_rate_headers(
        &shop.client.call("GET", "/healthz").send()
    ));
    // Scripts on a store's page may read the headers.
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
    let shop = SeededStore::empty();
    let served = |arguments: &[&str]| {
        let serve = ["serve", "--listen", "127.0.0.1:0"];
        let mut command = command(shop.path(), &[&serve, arguments].concat());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let server = Binary::of(child.expect("the binary runs"));
        let search = server.client.call("GET", "/api/v1/search").key(&shop.key);
        search.send().ok()
    };
    assert_eq!(
        rate_headers(&served(&["--requests-per-minute", "7"]))[..2],
        [7, 6]
    );
    assert!(has_no_rate_headers(&served(&[
        "--requests-per-minute",
        "0"
    ])));
}

#[test]
fn the_repetition_of_a_proposal_is_no_write() {
    let shop = few(100, 10);
    let key = shop.new_key(&shop.store, KeyKind::Configuration, Some(Scope::Propose));
    let propose = |name: &str| {
        let rule = json!({"name": name, "language": "es", "type": "HIDE", "actions": {"hide": ["1"]},
            "trigger": {"query": name, "match": "exact"}});
        let path = format!("/stores/{}/rules", shop.store);
        let reply = shop.api("POST", &path).key(&key).json(&rule).send();
        (reply.status, rate_headers(&reply)[1])
    };
    assert_eq!(propose("tienda"), (202, 9));
    assert_eq!(propose("tienda").0, 200);
    assert_eq!(propose("otra"), (202, 8));
}
