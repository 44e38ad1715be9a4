//! 1. The response is in the text format of Prometheus, and its names follow the conventions.
//! 2. Requests are counted and timed by operation and status; searches, documents and lag are reported.
//! 3. Nothing of a request but its operation and status appears in it.
//! 4. It is served to this machine only, not through a proxy, or at an address of its own.

use crate::harness::{Client, Shop, eventually, product};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};

/// A scrape: kinds by family, values by sample as it is written.
#[derive(Debug, Default)]
struct Scrape {
    kinds: BTreeMap<String, String>,
    values: BTreeMap<String, f64>,
}

impl Scrape {
    fn of(client: &Client) -> Self {
        let reply = client.call("GET", "/metrics").send();
        assert_eq!(reply.status, 200, "{reply:?}");
        assert!(
            reply
                .header("content-type")
                .starts_with("text/plain; version=0.0.4")
        );
        Self::parse(&reply.text)
    }

    fn parse(text: &str) -> Self {
        assert!(text.ends_with('\n'), "the last line has an end");
        let mut reading = Self::default();
        let mut helped: HashSet<String> = HashSet::new();
        let mut current = String::new();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# HELP ") {
                let (family, help) = rest.split_once(' ').expect("a help text");
                assert!(
                    help.ends_with('.') || !family.starts_with("findwell"),
                    "{line}"
                );
                assert!(helped.insert(family.to_owned()), "twice: {line}");
            } else if let Some(rest) = line.strip_prefix("# TYPE ") {
                let (family, kind) = rest.split_once(' ').expect("a kind");
                assert!(helped.contains(family), "help before kind: {line}");
                current = family.to_owned();
                let former = reading.kinds.insert(current.clone(), kind.to_owned());
                assert_eq!(former, None, "twice: {line}");
            } else {
                let (sample, value) = line.rsplit_once(' ').expect("a value");
                let name = sample.split('{').next().unwrap_or_default();
                let kind = reading.kinds.get(&current).expect("a kind before samples");
                let suffix = name.strip_prefix(&current).expect("a sample of its family");
                match kind.as_str() {
                    "histogram" => assert!(["_bucket", "_sum", "_count"].contains(&suffix)),
                    _ => assert_eq!(suffix, "", "{line}"),
                }
                let value = value.parse().expect("a number");
                let former = reading.values.insert(sample.to_owned(), value);
                assert_eq!(former, None, "twice: {line}");
            }
        }
        reading
    }

    fn value(&self, sample: &str) -> f64 {
        self.values.get(sample).copied().unwrap_or(0.0)
    }
}

#[test]
fn names_follow_the_conventions() {
    let shop = Shop::open();
    shop.client.call("GET", "/healthz").send().ok();
    let reading = Scrape::of(&shop.client);
    for (family, kind) in &reading.kinds {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(family.chars().all(plain), "{family}");
        assert_eq!(
            kind == "counter",
            family.ends_with("_total"),
            "{family}: {kind}"
        );
        for unit in ["_ms", "_milliseconds", "_minutes", "_kb", "_mb", "_percent"] {
            assert!(!family.contains(unit), "{family}: base units only");
        }
        for reserved in ["_count", "_sum", "_bucket"] {
            assert!(!family.ends_with(reserved), "{family}");
        }
        let prefixed = family.starts_with("findwell_") || family.starts_with("process_");
        assert!(prefixed, "{family}");
    }
    for family in [
        "findwell_requests_total",
        "findwell_request_duration_seconds",
        "findwell_search_cache_lookups_total",
        "findwell_feed_documents_total",
        "findwell_index_lag_seconds",
        "findwell_indexes_behind",
        "findwell_index_rejections_total",
        "findwell_stopped_feeds",
        "findwell_writes_waiting",
        "findwell_documents",
        "findwell_indexes",
        "findwell_build_info",
        "process_resident_memory_bytes",
        "process_start_time_seconds",
        "process_cpu_seconds_total",
    ] {
        assert!(reading.kinds.contains_key(family), "{family} is missing");
    }
    let version = format!(
        "findwell_build_info{{version=\"{}\"}}",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(reading.value(&version), 1.0);
}

#[test]
fn buckets_of_durations_add_up() {
    let shop = Shop::open();
    for _ in 0..5 {
        shop.client.call("GET", "/healthz").send().ok();
    }
    let reading = Scrape::of(&shop.client);
    let of = |suffix: &str, more: &str| {
        reading.value(&format!(
            "findwell_request_duration_seconds{suffix}{{operation=\"healthz\"{more}}}"
        ))
    };
    let mut classes: Vec<(f64, f64)> = reading
        .values
        .iter()
        .filter(|(sample, _)| sample.contains("_bucket{operation=\"healthz\""))
        .map(|(sample, count)| {
            let bound = sample.split("le=\"").nth(1).expect("a bound");
            let bound = bound.trim_end_matches("\"}").parse().expect("a number");
            (bound, *count)
        })
        .collect();
    classes.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(classes.is_sorted_by(|a, b| a.1 <= b.1), "{classes:?}");
    assert_eq!(of("_bucket", ",le=\"+Inf\""), 5.0);
    assert_eq!(of("_count", ""), 5.0);
    assert!(of("_sum", "") > 0.0);
}

/// Feeds two valid documents and an invalid one, and sends valid and invalid requests, the last of them too often.
fn feed_and_search(shop: &Shop) {
    let fed = json!({"language": "es", "documents": [
        product("1", "Bota"), product("2", "Zapato"), {"id": "3"}
    ]});
    shop.feed("POST", "/feed/products/bulk")
        .json(&fed)
        .send()
        .ok();
    shop.until_found("es", &["1", "2"]);
    let query = json!({"lang": "es", "q": "secretquestion", "types": ["products"]});
    for _ in 0..2 {
        shop.search(&query).ok();
    }
    let get = |path: &str| shop.api("GET", path).key(&shop.public).send();
    get("/search?q=secretquestion").ok();
    get("/suggest?q=secretquestion").ok();
    let me = shop.client.call("GET", "/panel/api/me").send();
    me.error(401, "session_missing");
    shop.search(&json!({"limit": 0}))
        .error(400, "invalid_request");
    shop.api("GET", "/me").send().error(401, "key_missing");
    for _ in 0..61 {
        shop.api("GET", "/me").key("cfg_x_y").send();
    }
    shop.api("DELETE", "/me")
        .send()
        .error(405, "method_not_allowed");
    shop.client.call("GET", "/secretpath").send();
    eventually("the index has caught up", || {
        Scrape::of(&shop.client).value("findwell_indexes_behind") == 0.0
    });
}

#[test]
fn requests_documents_and_lag_are_counted() {
    let shop = Shop::open();
    let before = Scrape::of(&shop.client);
    feed_and_search(&shop);

    let after = Scrape::of(&shop.client);
    let grown = |sample: &str| after.value(sample) - before.value(sample);
    let requests = |operation: &str, status: u16| {
        grown(&format!(
            "findwell_requests_total{{operation=\"{operation}\",status=\"{status}\"}}"
        ))
    };
    assert_eq!(requests("upsert_documents", 200), 1.0);
    assert!(requests("search", 200) >= 3.0);
    assert_eq!(requests("search", 400), 1.0);
    assert_eq!(requests("suggest", 200), 1.0);
    assert_eq!(requests("get_me", 401), 1.0);
    assert_eq!(
        (requests("get_account", 401), requests("get_account", 429)),
        (61.0, 1.0)
    );
    assert_eq!((requests("other", 404), requests("other", 405)), (1.0, 1.0));
    assert!(requests("metrics", 200) >= 1.0);

    let fed = |outcome| {
        grown(&format!(
            "findwell_feed_documents_total{{outcome=\"{outcome}\"}}"
        ))
    };
    assert_eq!(
        (fed("accepted"), fed("rejected"), fed("stale")),
        (2.0, 1.0, 0.0)
    );
    let looked = |result| {
        grown(&format!(
            "findwell_search_cache_lookups_total{{result=\"{result}\"}}"
        ))
    };
    assert!(looked("hit") >= 1.0 && looked("miss") >= 2.0, "{after:?}");
    assert_eq!(after.value("findwell_documents{type=\"products\"}"), 2.0);
    assert_eq!(after.value("findwell_indexes{type=\"products\"}"), 2.0);
    assert_eq!(after.value("findwell_indexes{type=\"pages\"}"), 0.0);
    assert_eq!(after.value("findwell_index_lag_seconds"), 0.0);
    assert!(after.value("process_resident_memory_bytes") > 0.0);

    let text = format!("{after:?}");
    let keys = [
        &shop.write_key,
        &shop.read_key,
        &shop.connector,
        &shop.public,
    ];
    for secret in keys.into_iter().map(String::as_str).chain([
        shop.store.as_str(),
        shop.account.as_str(),
        "secret",
        "cfg_",
        "Bota",
    ]) {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[test]
fn only_this_machine_may_read_it() {
    let shop = Shop::open();
    for header in ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"] {
        let through_proxy = shop.client.call("GET", "/metrics").header(header, "x");
        through_proxy.send().error(403, "reserved");
    }
    let bent = shop.client.call("GET", "/metrics");
    let bent = bent.header("Host", "evil.example");
    bent.send().error(403, "reserved");
    let trusting = Shop::open_with(|options| {
        options.proxies.trusted = vec!["127.0.0.1/32".parse().expect("a network")];
    });
    let by_proxy = trusting.client.call("GET", "/metrics").send();
    by_proxy.error(403, "reserved");
}

#[test]
fn it_may_have_an_address_of_its_own() {
    let shop = Shop::open_with(|options| {
        options.metrics_listen = Some(([127, 0, 0, 1], 0).into());
    });
    shop.client
        .call("GET", "/metrics")
        .send()
        .error(404, "not_found");
    let address = shop.running().metrics_address().expect("an address");
    let metrics = Client::new(format!("http://{address}"));
    shop.client.call("GET", "/healthz").send().ok();
    let reading = Scrape::of(&metrics);
    let sample = "findwell_requests_total{operation=\"healthz\",status=\"200\"}";
    assert_eq!(reading.value(sample), 1.0);
    metrics
        .call("GET", "/api/v1/me")
        .send()
        .error(404, "not_found");
}
