//! 1. An address is enough for a source, which is fetched at once; updates merge, with entity tags.
//! 2. Addresses that are refused as they are written are 400 with `address_refused`, without a connection.
//! 3. Secrets are in no response and no record; another host loses them, and then the source waits for them.
//! 4. Owners write, editors fetch, viewers read without the query of the address; keys see neither it nor the path.
//! 5. Ten sources, one complete one for each type and language, and none beside a connector.
//! 6. A deleted source leaves its documents; each write is audited without the query.

use super::super::Person;
use super::{Desk, csv};
use crate::feed::calls::{close, opened, send, spanish};
use crate::harness::product;
use domain::Role;
use serde_json::{Value, json};

#[test]
fn a_source_is_created_and_updated() {
    let desk = Desk::new();
    desk.server.sends(&csv(0, 3, "10"), "");
    let id = desk.create(&json!({}));
    let fetched = desk.until_fetched(&id, 1);
    assert_eq!(
        (&fetched["trigger"], &fetched["outcome"]),
        (&json!("change"), &json!("updated"))
    );
    assert_eq!(fetched["result"]["documents"], 3);
    desk.until_products(3);
    let read = desk.call(&desk.owner, "GET", &format!("/{id}"), None).ok();
    let source = read.data();
    for (key, value) in [
        ("name", json!("127.0.0.1")),
        ("type", json!("products")),
        ("language", json!("es")),
        ("mode", json!("complete")),
        ("intervalMinutes", json!(240)),
        ("active", json!(true)),
        ("mapping", json!({})),
        ("auth", json!({"kind": "none"})),
        ("state", json!("ok")),
        ("documents", json!(3)),
    ] {
        assert_eq!(source[key], value, "{key}");
    }
    let path = desk.shop.of_store(&format!("/sources/{id}"));
    let put = |tag: &str, body: &Value| {
        let call = desk
            .shop
            .by(&desk.owner, "PUT", &path)
            .header("If-Match", tag);
        call.json(body).send()
    };
    let changed = put(
        read.header("etag"),
        &json!({"name": "Shop", "intervalMinutes": 15}),
    )
    .ok();
    assert_eq!(changed.data()["name"], "Shop");
    assert_eq!(changed.data()["url"], source["url"]);
    put(read.header("etag"), &json!({"name": "x"})).error(412, "precondition_failed");
    put("*", &json!({"mapping": {"columns": {"title": "prise"}}})).error(400, "invalid_request");
    let failed = put("*", &json!({"mapping": {"colums": {}}})).error(400, "invalid_request");
    assert_eq!(failed.fields(), ["mapping"]);
    put("*", &json!({"mapping": {"currency": "USD"}})).ok();
    assert_eq!(desk.until_fetched(&id, 2)["trigger"], "change");
    put("*", &json!({"active": false})).ok();
    assert_eq!(desk.source(&id)["state"], "inactive");
    desk.call(&desk.owner, "POST", &format!("/{id}/fetch"), None)
        .error(409, "conflict");
}

#[test]
fn what_is_refused_as_written_is_not_connected_to() {
    let desk = Desk::allowing(|_| Vec::new());
    for url in [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://2130706433/",
        "http://169.254.169.254/",
        "http://[::ffff:10.0.0.1]/",
        "http://localhost/",
        "https://shop.example:22/",
        &desk.server.address("/feed.csv"),
    ] {
        let failed = desk
            .by_owner("POST", "", &json!({"url": url}))
            .error(400, "invalid_request");
        assert_eq!(failed.fields(), ["url"], "{url}");
        assert!(
            failed.text.contains("address_refused"),
            "{url}: {}",
            failed.text
        );
    }
    let allowed = Desk::new();
    let other = allowed.server.port.checked_add(1).unwrap_or(1);
    let url = format!("http://127.0.0.1:{other}/");
    allowed
        .by_owner("POST", "", &json!({"url": url}))
        .error(400, "invalid_request");
    assert!(desk.server.requests().is_empty());
}

#[test]
fn a_password_stays_with_its_host() {
    let desk =
        Desk::allowing(|port| vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")]);
    desk.server.sends(&csv(0, 1, "10"), "");
    let auth = json!({"kind": "basic", "user": "shop", "password": "s3cret-word"});
    let id = desk.create(&json!({"auth": auth}));
    desk.until_fetched(&id, 1);
    let carried = "authorization: basic c2hvcdpzm2nyzxqtd29yza==";
    assert!(
        desk.server.requests()[0].contains(carried),
        "{:?}",
        desk.server.requests()
    );
    let read = desk.call(&desk.owner, "GET", &format!("/{id}"), None).ok();
    assert_eq!(
        read.data()["auth"],
        json!({"kind": "basic", "user": "shop"})
    );
    let audit = desk
        .shop
        .by(&desk.owner, "GET", &desk.shop.of_store("/audit"))
        .send()
        .ok();
    for text in [&read.text, &audit.text, &desk.shop.audit(100).to_string()] {
        assert!(!text.contains("s3cret-word"), "{text}");
    }
    let tag = read.header("etag").to_owned();
    let again = desk
        .by_owner("PUT", &format!("/{id}"), &json!({"auth": auth}))
        .ok();
    assert_ne!(again.header("etag"), tag, "a new secret has another tag");
    // That fetch carries the password, and could come later than what is looked at below.
    desk.until_fetched(&id, 2);

    let elsewhere = format!("http://localhost:{}/feed.csv", desk.server.port);
    let moved = desk
        .by_owner("PUT", &format!("/{id}"), &json!({"url": elsewhere}))
        .ok();
    assert_eq!(moved.data()["state"], "inactive");
    assert_eq!(moved.data()["code"], "secret_missing");
    assert_eq!(moved.data()["auth"]["secretMissing"], true);
    let without = json!({"auth": {"kind": "none"}});
    let seen = desk.server.requests().len();
    desk.by_owner("PUT", &format!("/{id}"), &without).ok();
    let count = desk.fetches(&id).len();
    desk.until_fetched(&id, count.max(2));
    crate::harness::eventually("a request without a password", || {
        desk.server.requests().len() > seen
    });
    for request in desk.server.requests().split_off(seen) {
        assert!(!request.contains("authorization"), "{request}");
    }
}

#[test]
fn who_may_do_what() {
    let desk = Desk::new();
    desk.server.sends(&csv(0, 1, "10"), "");
    let url = desk.server.address("/feed.csv?token=s3cret");
    let id = desk.create(&json!({"url": url}));
    desk.until_fetched(&id, 1);
    let viewer = desk.shop.member("viewer@shop.example", Role::Viewer);
    let editor = desk.shop.member("editor@shop.example", Role::Editor);
    let one = format!("/{id}");
    let status = |person: &Person, method, rest: &str, body: Option<&Value>| {
        desk.call(person, method, rest, body).status
    };
    let body = json!({"url": url});
    for person in [&viewer, &editor] {
        assert_eq!(status(person, "POST", "", Some(&body)), 403);
        assert_eq!(status(person, "PUT", &one, Some(&body)), 403);
        assert_eq!(status(person, "DELETE", &one, None), 403);
    }
    let shown = desk.call(&viewer, "GET", "", None).ok();
    assert!(
        shown.data()[0]["url"]
            .as_str()
            .is_some_and(|url| url.ends_with("/feed.csv?…"))
    );
    assert!(!shown.text.contains("s3cret"));
    let shown = desk.call(&editor, "GET", &one, None).ok();
    assert_eq!(shown.data()["url"], url);
    let fetch = format!("{one}/fetch");
    assert_eq!(status(&viewer, "POST", &fetch, None), 403);
    desk.shop.clock.advance_ms(super::MINUTE_MS);
    assert_eq!(status(&editor, "POST", &fetch, None), 202);
    desk.until_fetched(&id, 2);
    let hasty = desk
        .call(&editor, "POST", &fetch, None)
        .error(429, "rate_limited");
    assert!(!hasty.header("retry-after").is_empty());

    let by_key = |path: &str| desk.shop.own("GET", path).send();
    by_key("/sources").error(404, "not_found");
    let detail = by_key("").ok();
    let source = &detail.data()["sources"][0];
    assert_eq!(
        (&source["id"], &source["state"]),
        (&json!(id), &json!("ok"))
    );
    assert!(source.get("lastSuccessAt").is_some() && source.get("url").is_none());
    assert!(!detail.text.contains("feed.csv"));
    let audit = desk
        .shop
        .by(&desk.owner, "GET", &desk.shop.of_store("/audit"))
        .send()
        .ok();
    assert!(audit.text.contains("create_source") && !audit.text.contains("s3cret"));
}

#[test]
fn two_whole_truths_conflict() {
    let desk = Desk::new();
    desk.server.sends(&csv(0, 1, "10"), "");
    let id = desk.create(&json!({}));
    desk.until_fetched(&id, 1);
    let second = json!({"url": desk.server.address("/second.csv")});
    let conflict = desk.by_owner("POST", "", &second).error(409, "conflict");
    assert_eq!(conflict.json["details"]["sourceId"], id.as_str());
    let adding = json!({"url": desk.server.address("/second.csv"), "mode": "add"});
    assert_eq!(desk.by_owner("POST", "", &adding).status, 201);
    let other = json!({"url": desk.server.address("/third.csv"), "language": "en"});
    assert_eq!(desk.by_owner("POST", "", &other).status, 201);
    for number in 4..=10 {
        let url = desk.server.address(&format!("/{number}.csv"));
        let body = json!({"url": url, "mode": "add", "active": false});
        assert_eq!(desk.by_owner("POST", "", &body).status, 201, "{number}");
    }
    desk.by_owner("POST", "", &adding).error(403, "plan_limit");

    let desk = Desk::new();
    desk.server.sends(&csv(0, 1, "10"), "");
    let run = opened(&desk.shop, "connector");
    send(&desk.shop, &run, &json!([product("1", "Bota")])).ok();
    close(&desk.shop, &run, &json!([spanish(1, 0)])).ok();
    desk.shop.clock.advance_ms(10 * 60 * super::MINUTE_MS);
    let body = json!({"url": desk.server.address("/feed.csv")});
    desk.by_owner("POST", "", &body).error(409, "conflict");
    let body = json!({"url": desk.server.address("/feed.csv"), "mode": "add"});
    assert_eq!(desk.by_owner("POST", "", &body).status, 201);
}

#[test]
fn a_deleted_source_leaves_its_documents() {
    let desk = Desk::new();
    desk.server.sends(&csv(0, 2, "10"), "");
    let id = desk.create(&json!({}));
    desk.until_fetched(&id, 1);
    desk.until_products(2);
    let deleted = desk
        .call(&desk.owner, "DELETE", &format!("/{id}"), None)
        .ok();
    assert_eq!(deleted.data()["id"], id.as_str());
    desk.call(&desk.owner, "GET", &format!("/{id}"), None)
        .error(404, "not_found");
    desk.call(&desk.owner, "GET", &format!("/{id}/fetches"), None)
        .error(404, "not_found");
    assert_eq!(desk.shop.products("es").len(), 2);
    assert_eq!(
        desk.call(&desk.owner, "GET", "", None).ok().data(),
        &json!([])
    );
}
