//! The demo shop, run from the built binary.
//!
//! 1. It prints its address, keys and three requests that work as printed; a second start prints the same keys.
//! 2. Its page is complete, under a strict policy, and contains no key.
//! 3. Its endpoints accept its own page only, explanations from this machine only; `serve` has none of them.
//! 4. It tunes nothing itself: it links to the workbench, where those who are not signed in learn where their link is.
//! 5. The bare shop uses and shows the line of the documentation, with its own address and key, and no other script; its
//!    policy admits that line alone.

mod of_a_file;

use crate::harness::{Binary, Shop, command};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use tempfile::TempDir;

struct Demo {
    server: Binary,
    printed: Value,
}

fn start(data: &TempDir) -> Demo {
    start_with(data, &[])
}

fn start_with(data: &TempDir, more: &[&str]) -> Demo {
    let listen: &[&str] = match more.contains(&"--listen") {
        true => &[],
        false => &["--listen", "127.0.0.1:0"],
    };
    let arguments = [&["demo", "--json"], listen, more].concat();
    let mut child = command(data.path(), &arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let stdout = child.stdout.take().expect("a pipe");
    let mut values = serde_json::Deserializer::from_reader(stdout).into_iter();
    let printed: Value = values.next().expect("a line").expect("JSON");
    let base = printed["address"].as_str().expect("an address").to_owned();
    Demo {
        server: Binary::at(child, &base),
        printed,
    }
}

#[test]
fn the_demo_works_and_finds_its_data_again() {
    let data = TempDir::new().expect("a directory");
    let demo = start(&data);
    let client = &demo.server.client;
    let key = demo.printed["keys"]["searchOnly"].as_str().expect("a key");
    let found = client
        .call("GET", "/api/v1/search?q=running+shoes")
        .key(key)
        .send()
        .ok();
    assert!(
        found.data()["products"]["total"].as_u64() > Some(0),
        "{found:?}"
    );
    let spanish = client
        .call("GET", "/api/v1/search?q=zapatillas&lang=es")
        .key(key)
        .send()
        .ok();
    assert!(
        spanish.data()["products"]["total"].as_u64() > Some(0),
        "{spanish:?}"
    );

    let file = data.path().join("demo-keys.json");
    let mode = std::fs::metadata(&file)
        .expect("it exists")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let keys = demo.printed["keys"].clone();
    assert_eq!(demo.server.terminate(), 0);
    let again = start(&data);
    assert_eq!(again.printed["keys"], keys);
    let tools = again.printed["tools"].as_str().expect("an address");
    assert_eq!(Some("/mcp"), tools.strip_prefix(again.server.client.base()));
    let found = again
        .server
        .client
        .call("GET", "/api/v1/search")
        .key(key)
        .send()
        .ok();
    let total = found.data()["products"]["total"]
        .as_u64()
        .expect("a number");
    assert!((150..=200).contains(&total), "fed once: {total}");
}

#[test]
fn the_page_is_complete_and_contains_no_key() {
    let data = TempDir::new().expect("a directory");
    let demo = start(&data);
    let client = &demo.server.client;
    let page = client.call("GET", "/").send();
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"));
    let policy = page.header("content-security-policy");
    assert!(
        policy.contains("default-src 'none'") && !policy.contains("unsafe"),
        "{policy}"
    );
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    let mut texts = vec![page.text.clone()];
    for piece in page.text.split("/demo/assets/").skip(1) {
        let name = piece.split(['"', '\'', '?']).next().expect("a name");
        let asset = client.call("GET", format!("/demo/assets/{name}")).send();
        assert_eq!(asset.status, 200, "{name}");
        texts.push(asset.text);
    }
    assert!(texts.len() > 2, "the page names its files");
    for key in ["configuration", "connector", "searchOnly"] {
        let key = demo.printed["keys"][key].as_str().expect("a key");
        assert!(texts.iter().all(|text| !text.contains(key)));
    }
    let found = client
        .call("POST", "/demo/search")
        .json(&json!({"q": ""}))
        .send()
        .ok();
    let image = found.data()["products"]["hits"][0]["image"]
        .as_str()
        .expect("a picture");
    let path = image
        .strip_prefix(client.base())
        .expect("an address of this server");
    let picture = client.call("GET", path).send();
    assert_eq!(picture.header("content-type"), "image/svg+xml");
    client
        .call("GET", "/demo/assets/../Cargo.toml")
        .send()
        .error(404, "not_found");
    client
        .call("GET", "/demo/pictures/x.svg")
        .send()
        .error(404, "not_found");
}

#[test]
fn the_ranking_is_explained_to_this_machine_only() {
    let data = TempDir::new().expect("a directory");
    let demo = start(&data);
    let client = &demo.server.client;
    let explain = |body: &Value| client.call("POST", "/demo/ranking").json(body).send();
    let shoes = json!({"q": "shoes", "lang": "en"});
    let ranked = explain(&shoes).ok();
    assert_eq!(ranked.data()["config"]["provisional"], false);
    let first = &ranked.data()["hits"][0];
    assert!(first["breakdown"]["text"]["score"].as_f64() > Some(0.0));
    let found = client.call("POST", "/demo/search").json(&shoes);
    let found = found.send().ok();
    assert_eq!(found.data()["products"]["hits"][0]["id"], first["id"]);
    explain(&json!({"q": "shoes", "lang": "en", "boosts": {"name": 0}}))
        .error(400, "invalid_request");

    let call = || client.call("POST", "/demo/ranking").json(&shoes);
    let for_others = call().header("X-Forwarded-For", "192.0.2.7");
    for_others.send().error(403, "reserved");
    let other_origin = call().header("Origin", "https://evil.example");
    other_origin.send().error(403, "reserved");
    let renamed = call().header("Host", "evil.example");
    renamed.send().error(403, "reserved");
    let form = client
        .call("POST", "/demo/search")
        .header("Content-Type", "text/plain");
    form.body("{}").send().error(415, "unsupported_media_type");
}

#[test]
fn relevance_is_tuned_in_the_workbench_only() {
    let data = TempDir::new().expect("a directory");
    let demo = start(&data);
    let client = &demo.server.client;
    for (method, path) in [("GET", "/demo/relevance"), ("PUT", "/demo/relevance")] {
        let call = client.call(method, path).json(&json!({}));
        call.send().error(404, "not_found");
    }
    let page = client.call("GET", "/").send().text;
    let store = demo.printed["storeId"].as_str().expect("an id");
    let path = format!("/panel/stores/{store}/workbench");
    let link = format!("href=\"{}{path}\"", client.base());
    assert!(page.contains(&link), "{page}");
    let token = demo.printed["panel"].as_str().expect("a link");
    let (_, token) = token.split_once('#').expect("a token");
    assert!(!page.contains(token), "only the terminal has it");
    // Who has not entered by the link is asked to sign in, is told where the link is, and comes back.
    let asked = client.call("GET", &path).send();
    assert_eq!(asked.status, 303);
    let to = asked.header("location").to_owned();
    assert_eq!(to, format!("/panel/sign-in?next={path}"));
    let sign_in = client.call("GET", &to).send();
    assert!(sign_in.text.contains(" data-demo>"), "{}", sign_in.text);
    assert!(!sign_in.text.contains(token));
}

#[test]
fn without_a_panel_the_page_has_no_link_to_it() {
    let data = TempDir::new().expect("a directory");
    let demo = start_with(&data, &["--no-panel"]);
    let page = demo.server.client.call("GET", "/").send();
    assert_eq!(page.status, 200);
    assert!(!page.text.contains("workbench") && !page.text.contains("__"));
    assert_eq!(demo.printed["panel"], Value::Null);
}

#[test]
fn the_bare_shop_uses_the_line_that_it_shows() {
    const SNIPPET: &str = include_str!("../../../src/assets/widget/snippet.js");
    let snippet = SNIPPET.trim_end();
    let data = TempDir::new().expect("a directory");
    let demo = start(&data);
    let client = &demo.server.client;
    let page = client.call("GET", "/demo/shop").send();
    assert_eq!(page.status, 200);
    let key = demo.printed["keys"]["searchOnly"].as_str().expect("a key");
    let loader = format!("{}/api/v1/widget/loader.js", client.base());
    let line = format!("<script data-loader=\"{loader}\" data-key=\"{key}\">{snippet}</script>");
    let shown = line
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    for part in [line.as_str(), shown.as_str(), "<script"] {
        assert_eq!(page.text.matches(part).count(), 1, "{part}: {}", page.text);
    }
    assert!(!page.text.contains("__"), "{}", page.text);
    let policy = page.header("content-security-policy");
    let hash = STANDARD.encode(Sha256::digest(snippet));
    let scripts = format!("script-src 'self' 'sha256-{hash}';");
    assert!(
        policy.contains(&scripts) && !policy.contains("unsafe"),
        "{policy}"
    );
}

#[test]
fn a_server_has_no_storefront() {
    let shop = Shop::open();
    for path in [
        "/",
        "/demo/shop",
        "/demo/assets/app.js",
        "/demo/pictures/shoe-red.svg",
    ] {
        shop.client.call("GET", path).send().error(404, "not_found");
    }
    for path in ["/demo/search", "/demo/ranking"] {
        let call = shop.client.call("POST", path).json(&json!({}));
        call.send().error(404, "not_found");
    }
    let sign_in = shop.client.call("GET", "/panel/sign-in").send();
    assert!(!sign_in.text.contains("data-demo"));
}
