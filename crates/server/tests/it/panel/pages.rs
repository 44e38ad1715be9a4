//! 1. A page without a session leads to sign-in and back; those for signing in and links need none.
//! 2. A page names every file that it loads before it runs; each exists, is kept by browsers for good, and is gone under
//!    another digest.
//! 3. `--no-panel`, and a server that is reached from elsewhere without `--panel-url`, have no panel.
//! 4. At an https address the cookies have the prefix that browsers protect.
//! 5. `demo` prints a link that enters the panel of the demo store.

use super::{Person, shop};
use crate::harness::{Binary, Shop, command};
use domain::Role;
use serde_json::json;
use std::collections::BTreeSet;
use std::process::Stdio;
use tempfile::TempDir;

#[test]
fn a_page_leads_to_sign_in_and_back() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    for (path, next) in [
        ("/panel", "/panel"),
        ("/panel/me", "/panel/me"),
        (
            "/panel/stores/x/keys?a=b&c=%2F",
            "/panel/stores/x/keys%3Fa%3Db%26c%3D%252F",
        ),
    ] {
        let reply = shop.client.call("GET", path).send();
        assert_eq!(reply.status, 303, "{path}");
        assert_eq!(
            reply.header("location"),
            format!("/panel/sign-in?next={next}")
        );
        let page = shop
            .client
            .call("GET", path)
            .header("Cookie", &ana.session)
            .send();
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert!(!page.text.contains("ana"), "no page holds a name");
    }
    for path in ["/panel/sign-in", "/panel/link"] {
        assert_eq!(shop.client.call("GET", path).send().status, 200);
    }
    shop.client
        .call("GET", "/panel/nothing")
        .send()
        .error(404, "not_found");
    let post = shop.client.call("POST", "/panel/sign-in").send();
    post.error(405, "method_not_allowed");
}

#[test]
fn files_are_kept_for_good() {
    let shop = shop();
    let page = shop.client.call("GET", "/panel/sign-in").send().text;
    let mut open: Vec<String> = page
        .split('"')
        .filter(|text| text.starts_with("/panel/assets/"))
        .map(str::to_owned)
        .collect();
    assert!(open.len() > 3, "{page}");
    let named = open.clone();
    let mut seen = BTreeSet::new();
    while let Some(path) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        assert!(named.contains(&path), "the page names {path}");
        let file = shop.client.call("GET", path.as_str()).send();
        assert_eq!(file.status, 200, "{path}");
        assert!(
            file.header("cache-control").ends_with("immutable"),
            "{path}"
        );
        assert_eq!(file.header("x-content-type-options"), "nosniff");
        let (folder, _) = path.rsplit_once('/').expect("a folder");
        let imports = file.text.split("from \"./").skip(1);
        let names = imports.filter_map(|part| part.split('"').next());
        open.extend(names.map(|name| format!("{folder}/{name}")));
    }
    let other = shop
        .client
        .call("GET", "/panel/assets/0000000000000000/panel.css")
        .send();
    other.error(404, "not_found");
}

#[test]
fn a_server_may_have_no_panel() {
    let without = Shop::open_with(|options| options.panel.enabled = false);
    for path in ["/panel", "/panel/sign-in", "/panel/api/me"] {
        without
            .client
            .call("GET", path)
            .send()
            .error(404, "not_found");
    }
    let anywhere = Shop::open_with(|options| options.listen = ([0, 0, 0, 0], 0).into());
    anywhere
        .client
        .call("GET", "/panel/sign-in")
        .send()
        .error(404, "not_found");
}

#[test]
fn cookies_at_an_https_address_are_protected() {
    let shop = Shop::open_with(|options| {
        options.panel.urls = vec!["https://panel.example".parse().expect("an address")];
    });
    let token = shop.invitation(&shop.account, "ana@shop.example", Role::Owner);
    let call = shop
        .client
        .call("POST", "/panel/api/links/use")
        .header("Host", "panel.example");
    let body = json!({"token": token, "name": "Ana", "password": super::PASSWORD});
    let call = call.header("Origin", "https://panel.example").json(&body);
    let reply = call.send().ok();
    for cookie in reply.headers.get_all("set-cookie") {
        let cookie = cookie.to_str().expect("ASCII");
        assert!(cookie.starts_with("__Host-findwell"), "{cookie}");
        assert!(
            cookie.ends_with("; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure")
                || cookie.ends_with("; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure"),
            "{cookie}"
        );
    }
}

#[test]
fn the_demo_prints_a_link_that_enters() {
    let data = TempDir::new().expect("a directory");
    let mut child = command(data.path(), &["demo", "--listen", "127.0.0.1:0", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let stdout = child.stdout.take().expect("a pipe");
    let printed: serde_json::Value = serde_json::Deserializer::from_reader(stdout)
        .into_iter()
        .next()
        .expect("it prints")
        .expect("JSON");
    let server = Binary::at(child, printed["address"].as_str().expect("an address"));
    let link = printed["panel"].as_str().expect("a link");
    let (address, token) = link.split_once("/panel/link#").expect("a link");
    assert_eq!(address, server.client.base());
    let post = |path: &str| {
        let call = server.client.call("POST", format!("/panel/api{path}"));
        call.header("Origin", address)
            .json(&json!({ "token": token }))
            .send()
    };
    assert_eq!(post("/links/look").ok().data()["kind"], "demo");
    let owner = Person::of(&post("/links/use").ok());
    post("/links/use").error(410, "link_gone");
    let get = |path: &str| {
        let call = server.client.call("GET", format!("/panel/api{path}"));
        call.header("Cookie", &owner.session).send().ok()
    };
    let stores = get("/stores");
    assert_eq!(stores.data()[0]["id"], printed["storeId"]);
    assert_eq!(stores.data()[0]["role"], "owner");
    assert_eq!(
        get("/me").data()["confirmed"],
        true,
        "the demo's owner has no password"
    );
    let store = printed["storeId"].as_str().expect("an id");
    let ids = || {
        let call = server.client.call("POST", "/demo/search");
        let found = call.json(&json!({"q": "jacket", "lang": "en"})).send().ok();
        let hits = found.data()["products"]["hits"].as_array().cloned();
        let hits = hits.expect("a list");
        hits.iter().map(|hit| hit["id"].clone()).collect::<Vec<_>>()
    };
    let before = ids();
    let call = server
        .client
        .call("PUT", format!("/panel/api/stores/{store}/relevance"));
    let call = call
        .header("Cookie", &owner.session)
        .header("Origin", address);
    call.json(&json!({"boosts": {"name": 0, "description": 20}}))
        .send()
        .ok();
    assert_ne!(ids(), before, "the storefront has it");
}
