//! 1. One event and a list count; a repeated one, one of an old, foreign, unknown or uncounted response, and all beyond 50
//!    of a response are ignored, also after a restart.
//! 2. The key is in a header or in the body, which may be plain text; both must agree, and the query string holds none.
//! 3. Every invalid value is named by its path, and then nothing of the request counts.
//! 4. Robots are answered and ignored; a suspended store is 403, a paused one counts.
//! 5. One request of the limit, whatever it holds; any origin may send it, plain text without a preflight request.

use crate::harness::{Shop, TestClock, eventually, product};
use domain::store::StoreStatus;
use domain::{KeyKind, Timestamp};
use operations::rates::Rates;
use operations::stores::StoreSettings;
use serde_json::{Value, json};
use server::admin::AdminRequest;

const START: Timestamp = Timestamp(1_763_650_000_000);
const DAY_MS: i64 = 86_400_000;

fn stocked() -> Shop {
    let shop = Shop::open_at(TestClock::fixed(START));
    shop.bulk("products", "es", &json!([product("1", "Bota roja")]))
        .ok();
    shop.until_found("es", &["1"]);
    shop
}

fn query_id(shop: &Shop, request: &Value) -> String {
    let reply = shop.search(request).ok();
    reply.data()["queryId"].as_str().expect("an id").to_owned()
}

fn send(shop: &Shop, body: &Value) -> (u64, u64) {
    let call = shop.api("POST", "/events").key(&shop.public).json(body);
    counted(call.send())
}

fn counted(reply: crate::harness::Reply) -> (u64, u64) {
    assert_eq!(reply.status, 202, "{reply:?}");
    let number = |name: &str| reply.data()[name].as_u64().expect("a number");
    (number("accepted"), number("ignored"))
}

#[test]
fn events_count_once() {
    let shop = stocked();
    let id = query_id(&shop, &json!({"q": "bota"}));
    assert!(id.len() <= 64, "{id}");
    let click = json!({"queryId": id, "type": "click", "id": "1", "position": 1});
    assert_eq!(send(&shop, &click), (1, 0));
    assert_eq!(send(&shop, &click), (0, 1));
    let elsewhere = json!({"queryId": id, "type": "click", "id": "1", "position": 9});
    let others = [
        json!({"queryId": id, "type": "cart", "id": "1"}),
        json!({"queryId": id, "type": "click", "id": "2"}),
        json!({"queryId": id, "type": "click", "id": "1", "objectType": "banners"}),
    ];
    let all = json!({"events": [elsewhere, others[0], others[1], others[2], others[2]]});
    assert_eq!(send(&shop, &all), (3, 2));
    let many: Vec<Value> = (10..60)
        .map(|at| json!({"queryId": id, "type": "click", "id": at.to_string()}))
        .collect();
    assert_eq!(
        send(&shop, &json!({ "events": many })),
        (46, 4),
        "50 of a response"
    );
    shop.clock.advance_ms(7 * DAY_MS - 1);
    assert_eq!(
        send(&shop, &json!({"queryId": id, "type": "cart", "id": "z"})),
        (0, 1)
    );
}

#[test]
fn other_responses_are_ignored() {
    let shop = stocked();
    let event = |id: &str| json!({"queryId": id, "type": "click", "id": "1"});
    let uncounted = query_id(&shop, &json!({"q": "bota", "analytics": false}));
    let id = query_id(&shop, &json!({"q": "bota"}));
    let other_store = shop.new_store("Other");
    let other_key = shop.new_key(&other_store, KeyKind::SearchOnly, None);
    let foreign = shop
        .api("POST", "/events")
        .key(&other_key)
        .json(&event(&id));
    assert_eq!(counted(foreign.send()), (0, 1));
    for odd in [uncounted.as_str(), "q", "q_AAAA", "ñ", &id.to_lowercase()] {
        assert_eq!(send(&shop, &event(odd)), (0, 1), "{odd}");
    }
    let second_key = shop.new_key(&shop.store, KeyKind::SearchOnly, None);
    let by_another = shop
        .api("POST", "/events")
        .key(&second_key)
        .json(&event(&id));
    assert_eq!(counted(by_another.send()), (1, 0), "every key of the store");
    shop.clock.advance_ms(7 * DAY_MS);
    let later = json!({"queryId": id, "type": "cart", "id": "1"});
    assert_eq!(send(&shop, &later), (0, 1), "too old");
}

#[test]
fn the_key_is_in_a_header_or_in_the_body() {
    let shop = stocked();
    let id = query_id(&shop, &json!({"q": "bota"}));
    let event = |at: &str| json!({"queryId": id, "type": "click", "id": at, "key": shop.public});
    let call = || shop.api("POST", "/events");
    for (at, media) in [
        ("1", "text/plain"),
        ("2", "text/plain;charset=UTF-8"),
        ("3", "application/json"),
    ] {
        let beacon = call()
            .header("Content-Type", media)
            .header("Origin", "https://shop.example");
        let reply = beacon.body(event(at).to_string()).send();
        assert_eq!(reply.header("access-control-allow-origin"), "*");
        assert_eq!(counted(reply), (1, 0), "{media}");
    }
    assert_eq!(
        counted(call().key(&shop.public).json(&event("4")).send()),
        (1, 0),
        "in both"
    );
    let list = json!({"events": [{"queryId": id, "type": "cart", "id": "5"}], "key": shop.public});
    assert_eq!(counted(call().json(&list).send()), (1, 0));
    call()
        .key(&shop.connector)
        .json(&event("6"))
        .send()
        .error(403, "key_kind");
    let other = shop.new_key(&shop.store, KeyKind::SearchOnly, None);
    call()
        .key(&other)
        .json(&event("6"))
        .send()
        .error(401, "key_invalid");
    let path = format!("/events?key={}", shop.public);
    shop.api("POST", &path)
        .json(&event("6"))
        .send()
        .error(401, "key_missing");
    let mut keyless = event("6");
    keyless.as_object_mut().expect("an object").remove("key");
    call().json(&keyless).send().error(401, "key_missing");
    call()
        .raw_json("{\"key\": ")
        .send()
        .error(401, "key_missing");
    call().send().error(401, "key_missing");
    for (key, status, code) in [
        (json!("pub_x_y"), 401, "key_invalid"),
        (json!(shop.connector), 403, "key_kind"),
        (json!(shop.read_key), 403, "key_kind"),
        (json!(7), 400, "invalid_request"),
        (Value::Null, 400, "invalid_request"),
        (json!(["pub_x_y"]), 400, "invalid_request"),
    ] {
        let mut body = event("6");
        body["key"] = key;
        let failed = call().json(&body).send().error(status, code);
        if status == 400 {
            assert_eq!(failed.fields(), ["key"]);
        }
    }
    assert_eq!(
        send(&shop, &event("6")),
        (1, 0),
        "nothing of all that counted"
    );
}

#[test]
fn invalid_events_are_named_and_count_nothing() {
    let shop = stocked();
    let id = query_id(&shop, &json!({"q": "bota"}));
    let good = json!({"queryId": id, "type": "click", "id": "1"});
    let change = |name: &str, value: Value| {
        let mut event = good.clone();
        event[name] = value;
        event
    };
    let rejected = |body: &Value, fields: &[&str]| {
        let call = shop.api("POST", "/events").key(&shop.public).json(body);
        assert_eq!(
            call.send().error(400, "invalid_request").fields(),
            fields,
            "{body}"
        );
    };
    for (name, values) in [
        (
            "queryId",
            vec![json!(""), json!("x".repeat(65)), json!(1), Value::Null],
        ),
        (
            "type",
            vec![json!("view"), json!("Click"), json!([]), Value::Null],
        ),
        ("id", vec![json!(""), json!("x".repeat(256)), json!(1)]),
        (
            "position",
            vec![json!(0), json!(10_001), json!(1.5), json!("1")],
        ),
        ("objectType", vec![json!("product"), json!({})]),
        ("amount", vec![json!(9.5)]),
        ("userId", vec![json!("u1")]),
    ] {
        for value in values {
            let bad = change(name, value);
            rejected(&bad, &[name]);
            let at = format!("events[1].{name}");
            rejected(&json!({"events": [good, bad]}), &[&at]);
        }
    }
    rejected(&json!({}), &["queryId", "type", "id"]);
    rejected(&json!({"events": []}), &["events"]);
    for malformed in [json!(5), json!("x"), good.clone(), Value::Null] {
        rejected(&json!({"events": malformed}), &["events"]);
        rejected(&json!({"events": malformed, "id": ""}), &["events", "id"]);
    }
    rejected(&json!({"key": 5}), &["key", "queryId", "type", "id"]);
    rejected(
        &json!({"events": [{"queryId": id, "type": "click", "id": "1", "key": "k"}]}),
        &["events[0].key"],
    );
    rejected(&json!({"events": [good], "id": "1"}), &["id"]);
    rejected(&json!({"events": vec![good.clone(); 51]}), &["events"]);
    assert_eq!(send(&shop, &good), (1, 0), "nothing of all that counted");
}

#[test]
fn bodies_are_bounded_and_strict() {
    let shop = stocked();
    let call = |path: &str| shop.api("POST", path).key(&shop.public);
    let raw = |body: String| call("/events").raw_json(body).send();
    let thousands = json!({"events": vec![json!({}); 10_000]});
    let reply = raw(thousands.to_string()).error(400, "invalid_request");
    assert!(reply.text.len() <= 64 * 1024, "{} bytes", reply.text.len());
    let long = format!("{{\"queryId\": \"{}\"}}", "x".repeat(64 * 1024));
    raw(long).error(413, "payload_too_large");
    raw("{\"type\": \"click\", \"type\": \"cart\"}".to_owned()).error(400, "invalid_request");
    raw("[1]".to_owned()).error(400, "invalid_request");
    let form = call("/events").header("Content-Type", "application/x-www-form-urlencoded");
    form.body("a=b").send().error(415, "unsupported_media_type");
    let event = json!({"queryId": "q", "type": "click", "id": "1"});
    call("/events?x=1")
        .json(&event)
        .send()
        .error(400, "invalid_request");
    let got = shop.api("GET", "/events").key(&shop.public).send();
    got.error(405, "method_not_allowed");
}

#[test]
fn robots_and_suspended_stores() {
    let shop = stocked();
    let id = query_id(&shop, &json!({"q": "bota"}));
    let event = json!({"queryId": id, "type": "click", "id": "1"});
    for (name, value) in [
        ("User-Agent", "Some Crawler/1"),
        ("Sec-Purpose", "prefetch"),
    ] {
        let call = shop
            .api("POST", "/events")
            .key(&shop.public)
            .header(name, value);
        assert_eq!(counted(call.json(&event).send()), (0, 1));
        let call = shop
            .api("POST", "/search")
            .key(&shop.public)
            .header(name, value);
        let reply = call.json(&json!({"q": "bota"})).send().ok();
        let of_robot = json!({"queryId": reply.data()["queryId"], "type": "click", "id": "1"});
        assert_eq!(send(&shop, &of_robot), (0, 1), "its search does not count");
    }
    let set = |status| {
        let settings = StoreSettings {
            status: Some(status),
            ..StoreSettings::default()
        };
        shop.admin(AdminRequest::SetStore {
            store: shop.store.clone(),
            settings,
        });
    };
    set(StoreStatus::Suspended);
    let call = shop.api("POST", "/events").key(&shop.public).json(&event);
    call.send().error(403, "store_suspended");
    set(StoreStatus::Paused);
    assert_eq!(send(&shop, &event), (1, 0));
}

#[test]
fn a_request_is_one_of_the_limit() {
    let shop = Shop::open_with(|options| {
        options.rates = Rates {
            requests: 30,
            ..Rates::NONE
        };
    });
    let id = query_id(&shop, &json!({"q": "bota"}));
    let event = json!({"queryId": id, "type": "click", "id": "1"});
    let call = || {
        shop.api("POST", "/events")
            .key(&shop.public)
            .json(&json!({"events": [event, event]}))
    };
    let left = |reply: &crate::harness::Reply| reply.header("x-ratelimit-remaining").parse::<u32>();
    let (first, second) = (call().send(), call().send());
    assert_eq!(
        left(&first).expect("a number"),
        left(&second).expect("a number") + 1
    );
    eventually("the limit is reached", || call().send().status == 429);
    let preflight = shop
        .api("OPTIONS", "/events")
        .header("Origin", "https://shop.example");
    let preflight = preflight
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "x-api-key");
    let reply = preflight.send();
    assert_eq!(
        (reply.status, reply.header("access-control-allow-origin")),
        (200, "*")
    );
}
