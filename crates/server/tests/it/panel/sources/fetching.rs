//! 1. 304 and an equal body are `unchanged`: one request, no run.
//! 2. A stall, a short body, a status, a web page and a refused redirect are failures with their code; the catalogue stays,
//!    `failingSince` is the first of them, and a success ends it.
//! 3. After failures the next fetch comes after 5, 15, 60 minutes, then after the interval; `Retry-After` delays it.
//! 4. A sale that ends brings the next fetch forward, and then an unchanged file gives other prices.
//! 5. What is fetched is counted; of the history 30 fetches stay.

use super::{Desk, MINUTE_MS, csv};
use domain::Timestamp;
use serde_json::{Value, json};

fn runs(desk: &Desk) -> usize {
    let listed = desk
        .shop
        .by(&desk.owner, "GET", &desk.shop.of_store("/runs"))
        .send()
        .ok();
    listed.data().as_array().expect("a list").len()
}

fn instant(value: &Value) -> i64 {
    let text = value.as_str().expect("an instant");
    Timestamp::parse(text).expect("an instant").0
}

#[test]
fn an_unchanged_file_costs_one_request() {
    let desk = Desk::new();
    desk.server.sends(&csv(0, 3, "10"), "ETag: W/\"1\"\r\n");
    let id = desk.create(&json!({}));
    assert_eq!(desk.until_fetched(&id, 1)["outcome"], "updated");
    let before = runs(&desk);
    let fetched = desk.fetch(&id);
    assert_eq!(
        (&fetched["outcome"], &fetched["httpStatus"]),
        (&json!("unchanged"), &json!(304))
    );
    assert_eq!(fetched["trigger"], "manual");
    desk.server.sends(&csv(0, 3, "10"), "");
    let fetched = desk.fetch(&id);
    assert_eq!(
        (&fetched["outcome"], &fetched["httpStatus"]),
        (&json!("unchanged"), &json!(200))
    );
    assert!(fetched.get("result").is_none());
    assert_eq!((runs(&desk), desk.server.requests().len()), (before, 3));
    // What a hook adds is not what the file left: it is read again.
    desk.shop
        .bulk(
            "products",
            "es",
            &json!([crate::harness::product("900", "Bota")]),
        )
        .ok();
    assert_eq!(desk.fetch(&id)["outcome"], "updated");
    desk.until_products(3);
}

#[test]
fn failures_leave_the_catalogue() {
    let desk = Desk::new();
    desk.server.sends(&csv(0, 3, "10"), "");
    let id = desk.create(&json!({}));
    desk.until_fetched(&id, 1);
    desk.until_products(3);
    let mut first = None;
    for (response, code, status) in [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nid,title\n1,Bota\n",
            "truncated",
            200,
        ),
        (
            "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: 3600\r\n\r\n",
            "http_status",
            503,
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\n<!doctype html><html></html>",
            "html_page",
            200,
        ),
        (
            "HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n",
            "address_refused",
            0,
        ),
        (
            "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n",
            "too_many_redirects",
            0,
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx",
            "encoding_unsupported",
            200,
        ),
    ] {
        desk.server.sends_raw(response);
        let fetched = desk.fetch(&id);
        assert_eq!(
            (&fetched["outcome"], &fetched["code"]),
            (&json!("failed"), &json!(code))
        );
        let expected = if status == 0 {
            Value::Null
        } else {
            json!(status)
        };
        assert_eq!(fetched["httpStatus"], expected, "{code}");
        assert!(
            fetched["message"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        let source = desk.source(&id);
        assert_eq!(
            (&source["state"], &source["code"]),
            (&json!("failing"), &json!(code))
        );
        let since = first.get_or_insert_with(|| source["failingSince"].clone());
        assert_eq!(&source["failingSince"], since, "{code}");
    }
    assert_eq!(desk.shop.products("es").len(), 3);
    desk.server.sends(&csv(0, 4, "10"), "");
    assert_eq!(desk.fetch(&id)["outcome"], "updated");
    let source = desk.source(&id);
    assert_eq!(source["state"], "ok");
    assert!(source.get("failingSince").is_none() && source.get("code").is_none());
    desk.until_products(4);
}

#[test]
fn a_server_is_left_alone_after_failures() {
    let desk = Desk::new();
    desk.server
        .sends_raw("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
    let id = desk.create(&json!({}));
    desk.until_fetched(&id, 1);
    let minutes = || {
        let source = desk.source(&id);
        (instant(&source["nextFetchAt"]) - instant(&source["lastFetchAt"])) / MINUTE_MS
    };
    assert_eq!(minutes(), 5);
    for expected in [15, 60, 240, 240] {
        desk.fetch(&id);
        assert_eq!(minutes(), expected);
    }
    desk.server
        .sends_raw("HTTP/1.1 429 Wait\r\nContent-Length: 0\r\nRetry-After: 100000\r\n\r\n");
    desk.fetch(&id);
    assert_eq!(minutes(), 240);
    desk.server.sends(&csv(0, 1, "10"), "");
    desk.fetch(&id);
    let usual = minutes();
    assert!((216..=264).contains(&usual), "{usual}");
    desk.server
        .sends_raw("HTTP/1.1 503 Wait\r\nContent-Length: 0\r\nRetry-After: 1800\r\n\r\n");
    desk.fetch(&id);
    assert_eq!(minutes(), 30);
    // The clock brings the next one, without anybody asking.
    let count = desk.fetches(&id).len();
    desk.shop.clock.advance_ms(31 * MINUTE_MS);
    assert_eq!(desk.until_fetched(&id, count + 1)["trigger"], "schedule");
}

#[test]
fn a_sale_ends_without_a_change_of_the_file() {
    let desk = Desk::new();
    let now = desk.shop.clock.now().0;
    let end = Timestamp(now + 20 * MINUTE_MS);
    let file = format!(
        "id,title,link,price,sale_price,sale_price_effective_date\n\
         1,Bota,https://shop.example/1,20 EUR,15 EUR,2020-01-01T00:00:00Z/{end}\n"
    );
    desk.server.sends(&file, "ETag: \"1\"\r\n");
    let id = desk.create(&json!({}));
    desk.until_fetched(&id, 1);
    desk.until_products(1);
    let price = || {
        let found = desk
            .shop
            .search(&json!({"q": "bota", "types": ["products"]}))
            .ok();
        found.data()["products"]["hits"][0]["price"].clone()
    };
    assert_eq!(price(), 15.0, "{:?}", desk.fetches(&id));
    let next = instant(&desk.source(&id)["nextFetchAt"]);
    assert!(next <= end.0 + 1_000, "{next} is after {end}");
    desk.shop.clock.advance_ms(21 * MINUTE_MS);
    assert_eq!(desk.until_fetched(&id, 2)["outcome"], "updated");
    crate::harness::eventually("the regular price", || price() == 20.0);
}

#[test]
fn a_stall_is_given_back_when_the_server_stops() {
    let desk = Desk::new();
    desk.server
        .sends_raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nid,title\n");
    desk.server.stalls();
    let id = desk.create(&json!({}));
    crate::harness::eventually("a request", || desk.server.requests().len() == 1);
    assert_eq!(desk.source(&id)["state"], "fetching");
    desk.call(&desk.owner, "POST", &format!("/{id}/fetch"), None)
        .error(409, "conflict");
    // Dropping the shop stops its server, which does not wait for the stalled one.
}

#[test]
fn fetches_are_counted_and_thirty_are_kept() {
    let desk = Desk::new();
    desk.server.sends(&csv(0, 1, "10"), "");
    let id = desk.create(&json!({}));
    desk.until_fetched(&id, 1);
    for _ in 0..31 {
        let before = desk.source(&id)["lastFetchAt"].clone();
        desk.shop.clock.advance_ms(2 * MINUTE_MS);
        desk.call(&desk.owner, "POST", &format!("/{id}/fetch"), None)
            .ok();
        crate::harness::eventually("another fetch", || {
            let source = desk.source(&id);
            source["state"] == "ok" && source["lastFetchAt"] != before
        });
    }
    assert_eq!(desk.fetches(&id).len(), 30);
    let metrics = desk.shop.client.call("GET", "/metrics").send();
    for line in [
        "findwell_sources{state=\"ok\"} 1",
        "findwell_source_fetches_total{outcome=\"unchanged\"} 31",
        "findwell_source_fetches_total{outcome=\"updated\"} 1",
        "findwell_imports_total{outcome=\"updated\"} 1",
        "findwell_import_rows_total{outcome=\"accepted\"} 1",
        "findwell_source_fetch_duration_seconds_count 32",
    ] {
        assert!(metrics.text.contains(line), "{line}: {}", metrics.text);
    }
}
