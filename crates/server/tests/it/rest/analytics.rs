//! 1. Twenty keystrokes, a pause and a click are one search, one click and a rate of 1.
//! 2. Lists: the most searched, those without results, those without clicks; languages, days, pages, limits.
//! 3. The summary adds all up, by day; empty queries are browses; nothing counts of page 2, robots and objections.
//! 4. Queries that may identify a person are kept without their text.
//! 5. Every parameter is checked; responses are `no-store`, without entity tag and revision.
//! 6. Clearing deletes all, or what is older than a day, and is audited.
//! 7. Rates count searches: a click on a further page counts for its search once, and for none that was not counted.
//! 8. Searches without a session count at once, suggestions without one never.
//! 9. Of a flood of searches the summary says how many were not counted; none is lost without being counted as dropped,
//!    and shoppers go on searching.

use crate::harness::{Reply, Shop, TestClock, eventually, product};
use domain::analytics::Surface;
use domain::{KeyKind, Language, Timestamp};
use operations::search_log::Searched;
use serde_json::{Value, json};
use server::admin::AdminRequest;

const START: Timestamp = Timestamp(1_763_650_000_000); // 2025-11-20T14:46:40Z
const DAY_MS: i64 = 86_400_000;

fn stocked() -> Shop {
    let shop = Shop::open_at(TestClock::fixed(START));
    let products = json!([product("1", "Tienda roja"), product("2", "Tienda verde")]);
    shop.bulk("products", "es", &products).ok();
    shop.bulk("products", "en", &json!([product("1", "Red tent")]))
        .ok();
    let found = |request: Value| {
        let reply = shop.search(&request).ok();
        reply.data()["products"]["total"].as_u64()
    };
    eventually("all are found", || {
        found(json!({"q": "tienda", "analytics": false})) == Some(2)
            && found(json!({"q": "tent", "lang": "en", "analytics": false})) == Some(1)
    });
    shop
}

/// Lets the pause of all sessions pass, and writes the log.
fn write(shop: &Shop) {
    shop.clock.advance_ms(4_000);
    shop.write_search_log();
}

fn queries(shop: &Shop, parameters: &str) -> Vec<Value> {
    let reply = shop
        .own("GET", &format!("/analytics/queries?{parameters}"))
        .send()
        .ok();
    reply.data().as_array().expect("a list").clone()
}

fn texts(shop: &Shop, parameters: &str) -> Vec<String> {
    let text = |row: &Value| row["query"].as_str().expect("text").to_owned();
    queries(shop, parameters).iter().map(text).collect()
}

fn summary(shop: &Shop, parameters: &str) -> Value {
    let reply = shop
        .own("GET", &format!("/analytics/summary?{parameters}"))
        .send()
        .ok();
    reply.data().clone()
}

fn suggest(shop: &Shop, request: &Value) -> Value {
    let call = shop.api("POST", "/suggest").key(&shop.public).json(request);
    call.send().ok().data().clone()
}

fn event(shop: &Shop, response: &Value, kind: &str, id: &str, position: u32) {
    let body =
        json!({"queryId": response["queryId"], "type": kind, "id": id, "position": position});
    let reply = shop
        .api("POST", "/events")
        .key(&shop.public)
        .json(&body)
        .send();
    assert_eq!(reply.data(), &json!({"accepted": 1, "ignored": 0}));
}

#[test]
fn keystrokes_and_a_click_are_one_search() {
    let shop = stocked();
    let mut response = Value::Null;
    for at in 1..=11 {
        let q: String = "Tienda Roja".chars().take(at).collect();
        response = suggest(&shop, &json!({"q": q, "sessionId": "s1"}));
        shop.clock.advance_ms(200);
    }
    let search = |more: Value| {
        let mut request = json!({"q": "tienda  roja", "sessionId": "s1"});
        request
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        shop.search(&request).ok().data().clone()
    };
    let first = search(json!({}));
    for more in [
        json!({"filters": {"inStock": ["true"]}}),
        json!({"sort": "name"}),
        json!({"page": 2}),
    ] {
        search(more);
    }
    event(&shop, &first, "click", "1", 1);
    let again = search(json!({}));
    event(&shop, &again, "click", "2", 4);
    event(&shop, &response, "cart", "1", 1);
    event(&shop, &first, "purchase", "1", 1);
    write(&shop);
    let today = "2025-11-20";
    assert_eq!(
        queries(&shop, ""),
        [json!({
            "query": "tienda roja", "language": "es", "searches": 1, "found": 2, "withoutResults": 0, "filtered": 0,
            "clicks": 2, "clickThroughRate": 1.0, "meanPosition": 2.5, "conversionRate": 1.0, "lastDay": today
        })]
    );
    // Half an hour later it is another search.
    shop.clock.advance_ms(30 * 60_000);
    search(json!({}));
    write(&shop);
    let row = &queries(&shop, "")[0];
    assert_eq!(
        (&row["searches"], &row["clickThroughRate"]),
        (&json!(2), &json!(0.5))
    );
}

#[test]
fn lists_show_what_their_kind_says() {
    let shop = stocked();
    let search = |q: &str, times: usize, session: bool| {
        for at in 0..times {
            let mut request = json!({ "q": q });
            if session {
                request["sessionId"] = json!(format!("{q}{at}"));
            }
            shop.search(&request).ok();
        }
    };
    search("tienda", 6, true);
    search("verde", 7, true);
    search("roja", 2, false);
    search("nada", 3, false);
    shop.search(&json!({"q": "tent", "lang": "en"})).ok();
    let filtered = json!({"q": "nada", "filters": {"inStock": ["true"]}});
    shop.search(&filtered).ok();
    let clicked = shop
        .search(&json!({"q": "verde", "sessionId": "verde0"}))
        .ok();
    event(&shop, clicked.data(), "click", "2", 1);
    // A suggestion without a session never counts.
    suggest(&shop, &json!({"q": "tien"}));
    write(&shop);
    assert_eq!(
        texts(&shop, ""),
        ["verde", "tienda", "nada", "roja", "tent"]
    );
    assert_eq!(texts(&shop, "kind=without_results"), ["nada"]);
    assert_eq!(texts(&shop, "kind=without_clicks"), ["tienda"]);
    assert_eq!(texts(&shop, "lang=en"), ["tent"]);
    assert_eq!(texts(&shop, "limit=2&page=2"), ["nada", "roja"]);
    assert!(texts(&shop, "to=2025-11-19").is_empty());
    let row = &queries(&shop, "kind=without_results")[0];
    assert_eq!(
        (&row["searches"], &row["withoutResults"], &row["filtered"]),
        (&json!(4), &json!(3), &json!(1))
    );
    assert!(
        row.get("clickThroughRate").is_none(),
        "a rate over 0 is left out: {row}"
    );
    let reply = shop.own("GET", "/analytics/queries?limit=2").send().ok();
    assert_eq!(
        reply.json["meta"],
        json!({"page": 1, "limit": 2, "total": 5, "totalPages": 3})
    );
    assert_eq!(reply.message(), "5 queries, page 1 of 3.");
    let other = shop.new_store("Other");
    let key = shop.new_key(&other, KeyKind::Configuration, Some(domain::Scope::Read));
    let call = shop
        .api("GET", &format!("/stores/{other}/analytics/queries"))
        .key(&key);
    assert_eq!(
        call.send().ok().data(),
        &json!([]),
        "another store has none of it"
    );
}

#[test]
fn the_summary_adds_up_days() {
    let shop = stocked();
    shop.search(&json!({"q": "tienda"})).ok();
    shop.search(&json!({"q": "nada"})).ok();
    shop.search(&json!({"q": ""})).ok();
    shop.search(&json!({"q": "tienda", "page": 2})).ok();
    shop.search(&json!({"q": "tienda", "analytics": false}))
        .ok();
    shop.search(&json!({"q": "tienda", "types": ["pages"]}))
        .ok();
    let robot = shop.api("GET", "/search?q=tienda").key(&shop.public);
    robot.header("User-Agent", "x-bot").send().ok();
    write(&shop);
    shop.clock.advance_ms(DAY_MS);
    let found = shop.search(&json!({"q": "tienda", "sessionId": "a"})).ok();
    shop.search(&json!({"q": "tienda", "sessionId": "b"})).ok();
    event(&shop, found.data(), "click", "1", 3);
    write(&shop);
    let all = summary(&shop, "");
    assert_eq!(
        (&all["from"], &all["to"]),
        (&json!("2025-10-23"), &json!("2025-11-21"))
    );
    for (name, value) in [
        ("searches", json!(4)),
        ("queries", json!(2)),
        ("browses", json!(1)),
        ("withoutResults", json!(1)),
        ("zeroResultRate", json!(0.25)),
        ("clicks", json!(1)),
        ("clickThroughRate", json!(0.5)),
        ("meanPosition", json!(3.0)),
        ("conversionRate", json!(0.0)),
        ("carts", json!(0)),
        ("dropped", json!(0)),
    ] {
        assert_eq!(all[name], value, "{name}");
    }
    let days = all["days"].as_array().expect("a list");
    assert_eq!(days.len(), 30);
    assert_eq!(
        days[28..],
        [
            json!({"day": "2025-11-20", "searches": 2, "withoutResults": 1, "clicks": 0, "carts": 0, "purchases": 0}),
            json!({"day": "2025-11-21", "searches": 2, "withoutResults": 0, "clicks": 1, "carts": 0, "purchases": 0}),
        ]
    );
    assert_eq!(summary(&shop, "lang=en")["searches"], 0);
    let yesterday = summary(&shop, "from=2025-11-20&to=2025-11-20");
    assert_eq!(
        (&yesterday["searches"], &yesterday["days"][0]["searches"]),
        (&json!(2), &json!(2))
    );
}

#[test]
fn clicks_on_further_pages_count_for_their_search() {
    let shop = stocked();
    for session in ["a", "b"] {
        shop.search(&json!({"q": "tienda", "sessionId": session}))
            .ok();
    }
    write(&shop);
    for session in ["b", "b", "c", "d"] {
        shop.clock.advance_ms(900);
        let further = json!({"q": "tienda", "sessionId": session, "page": 2});
        let further = shop.search(&further).ok();
        event(&shop, further.data(), "click", "1", 25);
    }
    write(&shop);
    let all = summary(&shop, "");
    assert_eq!(
        (&all["searches"], &all["clickThroughRate"]),
        (&json!(2), &json!(0.5))
    );
}

#[test]
fn personal_queries_lose_their_text() {
    let shop = stocked();
    for q in ["ana@example.com", "600 123 456", "tienda 4006381333931"] {
        shop.search(&json!({ "q": q })).ok();
    }
    write(&shop);
    assert_eq!(texts(&shop, ""), ["(hidden)", "tienda 4006381333931"]);
    let clicked = shop.search(&json!({"q": "ana@example.com"})).ok();
    event(&shop, clicked.data(), "click", "1", 1);
    write(&shop);
    assert_eq!(queries(&shop, "")[0]["clicks"], 1);
}

#[test]
fn parameters_are_checked() {
    let shop = stocked();
    let rejected = |path: &str, fields: &[&str]| {
        let reply: Reply = shop.own("GET", path).send();
        assert_eq!(
            reply.error(400, "invalid_request").fields(),
            fields,
            "{path}"
        );
    };
    for of in ["queries", "summary"] {
        for (parameters, fields) in [
            ("from=2025-11-20&to=2025-11-19", &["query.from"][..]),
            ("from=2024-11-18", &["query.from"]),
            ("to=2025-11-21", &["query.to"]),
            ("from=yesterday", &["query.from"]),
            ("from=2025-02-30", &["query.from"]),
            ("lang=fr", &["query.lang"]),
            ("lang=x", &["query.lang"]),
            ("lang=fr&to=2025-11-21", &["query.to", "query.lang"]),
            ("from=2025-11-01&from=2025-11-02", &["query.from"]),
            ("store=x", &["query.store"]),
        ] {
            rejected(&format!("/analytics/{of}?{parameters}"), fields);
        }
        let reply = shop
            .own("GET", &format!("/analytics/{of}?from=2024-11-20"))
            .send()
            .ok();
        assert_eq!(reply.header("cache-control"), "no-store");
        assert_eq!(
            (reply.header("etag"), reply.header("x-config-revision")),
            ("", "")
        );
    }
    for (parameters, field) in [
        ("limit=101", "query.limit"),
        ("limit=0", "query.limit"),
        ("page=0", "query.page"),
        ("page=101&limit=100", "query.page"),
        ("kind=best", "query.kind"),
    ] {
        rejected(&format!("/analytics/queries?{parameters}"), &[field]);
    }
    shop.own("GET", "/analytics/queries?page=100&limit=100")
        .send()
        .ok();
}

#[test]
fn clearing_deletes_and_is_audited() {
    let shop = stocked();
    shop.search(&json!({"q": "tienda"})).ok();
    write(&shop);
    shop.clock.advance_ms(DAY_MS);
    shop.search(&json!({"q": "roja"})).ok();
    let before = domain::Day::parse("2025-11-21");
    let cleared = shop.admin(AdminRequest::ClearAnalytics {
        store: shop.store.clone(),
        before,
    });
    assert_eq!(cleared["rows"], 2, "a query and a total");
    write(&shop);
    assert_eq!(texts(&shop, ""), ["roja"]);
    let found = shop.search(&json!({"q": "verde"})).ok();
    event(&shop, found.data(), "click", "1", 1);
    shop.admin(AdminRequest::ClearAnalytics {
        store: shop.store.clone(),
        before: None,
    });
    write(&shop);
    assert!(texts(&shop, "").is_empty());
    assert_eq!(summary(&shop, "")["clicks"], 0);
    let audit = shop.audit(10);
    let records = audit.as_array().expect("a list").iter();
    let cleared = records.filter(|record| record["operation"] == "clear_analytics");
    assert_eq!(cleared.count(), 2);
}

/// Notes this many searches, from as many threads as a small server has, and returns their number.
fn flood(shop: &Shop, count: i64) -> i64 {
    let language = Language::parse("es").expect("a language");
    let searched = Searched {
        store: &shop.store,
        language: &language,
        surface: Surface::Search,
        q: "tienda",
        session: None,
        counts: true,
        takes_events: true,
        correction_of: None,
        found: 2,
        words_found: true,
        filtered: false,
        redirected: false,
        anonymous: true,
    };
    let log = shop.running().service().search_log();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..count / 4).for_each(|_| drop(log.note(&searched).expect("an id"))));
        }
    });
    count
}

#[test]
fn a_flood_is_counted_as_dropped() {
    let shop = stocked();
    let log = shop.running().service().search_log().clone();
    let mut noted = flood(&shop, 100_000);
    // A machine that counts as fast as it searches drops nothing yet.
    eventually("the queue is full", || {
        if log.dropped_total() == 0 {
            noted += flood(&shop, 100_000);
        }
        log.dropped_total() > 0
    });
    let found = shop
        .search(&json!({"q": "tienda", "analytics": false}))
        .ok();
    assert_eq!(found.data()["products"]["total"], 2);
    write(&shop);
    let all = summary(&shop, "");
    let count = |name: &str| all[name].as_i64().expect("a number");
    assert!(count("dropped") > 0 && count("searches") > 0, "{all}");
    assert_eq!(count("dropped") + count("searches"), noted, "{all}");
    assert_eq!(summary(&shop, "lang=en")["dropped"], 0);
}
