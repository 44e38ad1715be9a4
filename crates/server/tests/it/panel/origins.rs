//! 1. A page of another site can change nothing: forms, plain text and JSON get 403, whatever cookies they carry.
//! 2. Without `Origin` and `Sec-Fetch-Site`, or with the origin `null`, a call that changes something gets 403.
//! 3. A name that was bent to this machine reaches no page, file or call.
//! 4. A call of another site gets 403 even if it only reads.
//! 5. Every response carries the headers that keep other sites out.

use super::{PASSWORD, shop};
use domain::Role;
use serde_json::json;

#[test]
fn another_site_changes_nothing() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let calls = [
        ("POST", "/panel/api/sign-in".to_owned()),
        ("POST", "/panel/api/sign-out".to_owned()),
        ("PUT", format!("/panel/api{}", shop.of_store("/relevance"))),
        ("DELETE", format!("/panel/api{}", shop.of_store(""))),
        ("POST", format!("/panel/api{}", shop.of_store("/keys"))),
    ];
    let kinds = [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json",
    ];
    for (method, path) in calls {
        for kind in kinds {
            let headers: [&[(&str, &str)]; 5] = [
                &[("Origin", "https://evil.example")],
                &[("Origin", "null")],
                &[("Sec-Fetch-Site", "cross-site")],
                &[("Sec-Fetch-Site", "same-site")],
                &[],
            ];
            for sent in headers {
                let mut call = shop.client.call(method, path.as_str());
                for (name, value) in sent {
                    call = call.header(name, value);
                }
                let call = call
                    .header("Cookie", &ana.session)
                    .header("Content-Type", kind);
                let body = json!({"email": "ana@shop.example", "password": PASSWORD});
                call.body(body.to_string()).send().error(403, "cross_site");
            }
        }
    }
    shop.by(&ana, "GET", "/me").send().ok();
    let revisions = shop.own("GET", "/revisions").send().ok();
    assert_eq!(revisions.json["meta"]["total"], 0, "nothing was saved");
    let own = shop
        .client
        .call("POST", "/panel/api/sign-in")
        .header("Sec-Fetch-Site", "same-origin");
    let body = json!({"email": "ana@shop.example", "password": PASSWORD});
    own.json(&body).send().ok();
}

#[test]
fn a_read_of_another_site_is_rejected() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    for (site, status) in [
        ("cross-site", 403),
        ("same-site", 403),
        ("same-origin", 200),
        ("none", 200),
    ] {
        let call = shop
            .client
            .call("GET", "/panel/api/me")
            .header("Sec-Fetch-Site", site);
        assert_eq!(
            call.header("Cookie", &ana.session).send().status,
            status,
            "{site}"
        );
    }
}

#[test]
fn a_bent_name_reaches_nothing() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let port = shop.client.base().rsplit(':').next().expect("a port");
    let page = shop.client.call("GET", "/panel/sign-in").send();
    let asset = page
        .text
        .split('"')
        .find(|text| text.ends_with("panel.css"));
    let asset = asset.expect("a style sheet").to_owned();
    for path in [
        "/panel",
        "/panel/sign-in",
        "/panel/link",
        "/panel/api/me",
        &asset,
    ] {
        for host in [
            format!("evil.example:{port}"),
            "evil.example".to_owned(),
            "127.0.0.1:1".to_owned(),
        ] {
            let call = shop.client.call("GET", path).header("Host", &host);
            call.header("Cookie", &ana.session)
                .send()
                .error(403, "host_unknown");
        }
        let call = shop
            .client
            .call("GET", path)
            .header("Host", &format!("localhost:{port}"));
        assert!(
            call.header("Cookie", &ana.session).send().status < 400,
            "{path}"
        );
    }
}

#[test]
fn every_response_keeps_other_sites_out() {
    let shop = shop();
    for path in [
        "/panel",
        "/panel/sign-in",
        "/panel/api/me",
        "/panel/nothing",
        "/panel/assets/x/y.js",
    ] {
        let reply = shop.client.call("GET", path).send();
        let policy = reply.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"),
            "{path}"
        );
        for part in [
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert_eq!(reply.header("x-frame-options"), "DENY");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
        assert_eq!(reply.header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(reply.header("cross-origin-resource-policy"), "same-origin");
        assert_eq!(reply.header("cache-control"), "no-store", "{path}");
        assert_eq!(reply.header("access-control-allow-origin"), "");
    }
    let api = shop.client.call("GET", "/api/v1/me").send();
    assert_eq!(
        api.header("x-frame-options"),
        "",
        "other paths are not concerned"
    );
}
