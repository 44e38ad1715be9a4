//! 1. Before the first release, and for an unknown platform, there is nothing (404); afterwards the bare description of
//!    the highest version, whose archive is at its address and has its hash.
//! 2. Only versions whose files are both whole and valid count; a folder of broken files breaks nothing, and what is
//!    repaired or added counts at the next look.
//! 3. The address is that of the request and not kept, or the one that the operator names and kept for five minutes.
//! 4. Archives never change: who has one gets 304.
//! 5. A store's detail names the latest version for the platform of its module, and whether it is newer.
//! 6. No key is needed, and nothing is counted.

use crate::harness::module_releases::{about, archive, look_again, put, put_valid};
use crate::harness::{Reply, Shop};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn shop(dir: &Path) -> Shop {
    Shop::open_with(|options| options.releases = Some(dir.to_owned()))
}

fn get(shop: &Shop, path: &str) -> Reply {
    shop.api("GET", &format!("/downloads/{path}")).send()
}

fn latest(shop: &Shop) -> Value {
    let reply = get(shop, "prestashop/latest.json");
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.json["version"].clone()
}

#[test]
fn the_latest_release_is_described() {
    let dir = TempDir::new().expect("a directory");
    let shop = shop(dir.path());
    for path in [
        "prestashop/latest.json",
        "nothing/latest.json",
        "../latest.json",
        "Presta/latest.json",
    ] {
        get(&shop, path).error(404, "not_found");
    }
    put_valid(dir.path(), "1.9.0");
    put_valid(dir.path(), "1.10.0");
    look_again(&shop);
    let reply = get(&shop, "prestashop/latest.json");
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.header("cache-control"), "no-store");
    assert_eq!(reply.header("x-ratelimit-limit"), "");
    let url = format!(
        "{}/api/v1/downloads/prestashop/prestashop-1.10.0.zip",
        shop.client.base()
    );
    let mut expected = about("1.10.0");
    expected["url"] = json!(url);
    let hash = Sha256::digest(archive("1.10.0"));
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    expected["sha256"] = json!(hash);
    assert_eq!(reply.json, expected);
    let zip = get(&shop, "prestashop/prestashop-1.10.0.zip");
    assert_eq!(zip.text.as_bytes(), archive("1.10.0"));
    for (name, value) in [
        ("content-type", "application/zip"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("x-content-type-options", "nosniff"),
        ("etag", &format!("\"{hash}\"")),
    ] {
        assert_eq!(zip.header(name), value, "{name}");
    }
    let again = shop
        .api("GET", "/downloads/prestashop/prestashop-1.10.0.zip")
        .header("If-None-Match", zip.header("etag"))
        .send();
    assert_eq!((again.status, again.text.as_str()), (304, ""));
    assert_eq!(get(&shop, "prestashop/prestashop-1.9.0.zip").status, 200);
    for path in [
        "prestashop/prestashop-1.8.0.zip",
        "prestashop/prestashop-1.10.0.json",
        "prestashop/other-1.10.0.zip",
        "prestashop/prestashop-01.10.0.zip",
        "prestashop/..%2f..%2ffindwell.db",
        "prestashop/",
    ] {
        get(&shop, path).error(404, "not_found");
    }
    let posted = shop.api("POST", "/downloads/prestashop/latest.json").send();
    posted.error(405, "method_not_allowed");
    let host = shop.api("GET", "/downloads/prestashop/latest.json");
    let wrong = host.header("Host", "a b").send();
    assert_eq!(
        wrong.error(400, "invalid_request").fields(),
        ["header.Host"]
    );
}

#[test]
fn broken_files_break_nothing() {
    let dir = TempDir::new().expect("a directory");
    put_valid(dir.path(), "1.0.0");
    let valid = about("2.0.0").to_string();
    let whole = archive("2.0.0");
    put(
        dir.path(),
        "2.0.0",
        &whole[..whole.len() - 1],
        valid.as_bytes(),
    );
    put(dir.path(), "3.0.0", &archive("3.0.0"), valid.as_bytes());
    put(dir.path(), "4.0.0", &archive("4.0.0"), b"{");
    put(
        dir.path(),
        "5.0.0",
        b"",
        about("5.0.0").to_string().as_bytes(),
    );
    let mut own = about("6.0.0");
    own["url"] = json!("https://evil.example/x.zip");
    put(
        dir.path(),
        "6.0.0",
        &archive("6.0.0"),
        own.to_string().as_bytes(),
    );
    let prestashop = dir.path().join("prestashop");
    fs::write(prestashop.join("prestashop-7.0.0.zip"), archive("7")).expect("written");
    fs::create_dir(prestashop.join("prestashop-8.0.0.zip")).expect("created");
    fs::write(
        prestashop.join("prestashop-8.0.0.json"),
        about("8.0.0").to_string(),
    )
    .expect("written");
    fs::write(prestashop.join("prestashop-9.zip"), archive("9")).expect("written");
    fs::write(prestashop.join("other-9.0.0.zip"), archive("9")).expect("written");
    fs::write(prestashop.join("notes.txt"), "x").expect("written");
    fs::create_dir(dir.path().join("Odd name")).expect("created");
    fs::write(dir.path().join("file"), "x").expect("written");
    let shop = shop(dir.path());
    assert_eq!(latest(&shop), "1.0.0");
    get(&shop, "prestashop/prestashop-2.0.0.zip").error(404, "not_found");
    get(&shop, "file/latest.json").error(404, "not_found");
    put_valid(dir.path(), "2.0.0");
    look_again(&shop);
    assert_eq!(latest(&shop), "2.0.0");
    fs::write(
        prestashop.join("prestashop-7.0.0.json"),
        about("7.0.0").to_string(),
    )
    .expect("written");
    look_again(&shop);
    assert_eq!(latest(&shop), "7.0.0");
    fs::remove_dir_all(&prestashop).expect("removed");
    look_again(&shop);
    get(&shop, "prestashop/latest.json").error(404, "not_found");
}

#[test]
fn the_operator_names_the_address() {
    let dir = TempDir::new().expect("a directory");
    put_valid(dir.path(), "1.0.0");
    let shop = Shop::open_with(|options| {
        options.releases = Some(dir.path().to_owned());
        options.public_url = Some("https://search.example".to_owned());
    });
    let reply = get(&shop, "prestashop/latest.json");
    assert_eq!(reply.header("cache-control"), "public, max-age=300");
    assert_eq!(
        reply.json["url"],
        "https://search.example/api/v1/downloads/prestashop/prestashop-1.0.0.zip"
    );
}

#[test]
fn a_trusted_proxy_names_the_scheme() {
    let dir = TempDir::new().expect("a directory");
    put_valid(dir.path(), "1.0.0");
    for (trusted, scheme) in [(true, "https://"), (false, "http://")] {
        let shop = Shop::open_with(|options| {
            options.releases = Some(dir.path().to_owned());
            if trusted {
                let proxy = std::net::IpAddr::from([127, 0, 0, 1]);
                options.proxies.trusted = vec![proxy.into()];
            }
        });
        let call = shop.api("GET", "/downloads/prestashop/latest.json");
        let reply = call.header("X-Forwarded-Proto", "https").send();
        let url = reply.json["url"].as_str().expect("an address");
        assert!(url.starts_with(scheme), "{url}");
    }
}

#[test]
fn a_store_learns_of_a_newer_module() {
    let dir = TempDir::new().expect("a directory");
    put_valid(dir.path(), "1.4.0");
    let shop = shop(dir.path());
    for (client, latest, newer) in [
        ("prestashop/1.3.9; platform=9.0.0", json!("1.4.0"), true),
        ("prestashop/1.4.0", json!("1.4.0"), false),
        ("prestashop/1.10.0", json!("1.4.0"), false),
        ("prestashop/dev", json!("1.4.0"), false),
        ("magento/1.0.0", Value::Null, false),
        ("curl", Value::Null, false),
    ] {
        let call = shop.feed("GET", "/feed/connect");
        call.header("X-Svc-Client", client).send().ok();
        let detail = shop.own("GET", "").send().ok();
        let connector = &detail.data()["connector"];
        assert_eq!(connector["client"], client);
        assert_eq!(
            (&connector["latestVersion"], &connector["updateAvailable"]),
            (&latest, &json!(newer)),
            "{client}"
        );
    }
}
