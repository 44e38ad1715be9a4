//! 1. The loader names the assets by their content; each is found under its name, for good, by pages of any origin.
//! 2. An asset with another hash is the present one, not for good; an unknown one is 404.
//! 3. A page that has a file is not sent it again, and files are compressed for those that can read that.
//! 4. The loader has the base address that the operator names.

use crate::harness::{Reply, Shop};

const LOADER: &str = "/widget/loader.js";

fn get(shop: &Shop, path: &str) -> Reply {
    shop.api("GET", path)
        .header("Origin", "https://shop.example")
        .send()
}

/// The names of the assets in the loader.
fn assets(loader: &str) -> Vec<String> {
    let texts = loader.split('"');
    let is_asset = |text: &&str| text.ends_with(".js") || text.ends_with(".css");
    let names: Vec<String> = texts.filter(is_asset).map(str::to_owned).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    names
}

fn assert_for_any_page(reply: &Reply, content_type: &str) {
    assert_eq!(reply.status, 200, "{reply:?}");
    for (name, value) in [
        ("content-type", content_type),
        ("access-control-allow-origin", "*"),
        ("cross-origin-resource-policy", "cross-origin"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(reply.header(name), value, "{name}");
    }
    let vary = reply.headers.get_all("vary").iter();
    let mut vary = vary.filter_map(|value| value.to_str().ok());
    assert!(vary.any(|value| value == "Accept-Encoding"));
    assert!(!reply.header("etag").is_empty());
    assert_eq!(reply.header("x-ratelimit-limit"), "");
}

#[test]
fn the_loader_names_the_assets_by_their_content() {
    let shop = Shop::open();
    let loader = get(&shop, LOADER);
    let script = "text/javascript; charset=utf-8";
    assert_for_any_page(&loader, script);
    assert_eq!(
        loader.header("cache-control"),
        "public, max-age=300, stale-while-revalidate=86400"
    );
    assert!(!loader.text.contains("__FINDWELL"), "{}", loader.text);
    for name in assets(&loader.text) {
        let asset = get(&shop, &format!("/widget/assets/{name}"));
        let is_script = name.ends_with(".js");
        let content_type = if is_script {
            script
        } else {
            "text/css; charset=utf-8"
        };
        assert_for_any_page(&asset, content_type);
        assert_eq!(
            asset.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
        // Another server may have another version.
        let (stem, extension) = name.rsplit_once('.').expect("an extension");
        let (stem, _) = stem.rsplit_once('-').expect("a hash");
        let other = format!("/widget/assets/{stem}-0123456789abcdef.{extension}");
        let other = get(&shop, &other);
        assert_for_any_page(&other, content_type);
        assert_eq!(other.header("cache-control"), "no-cache");
        assert_eq!(other.text, asset.text);
    }
}

#[test]
fn unknown_files_are_not_found() {
    let shop = Shop::open();
    for path in [
        "/widget/assets/box.js",
        "/widget/assets/box-0123456789abcdef.svg",
        "/widget/assets/box-0123456789abcde.js",
        "/widget/assets/boxes-0123456789abcdef.js",
        "/widget/assets/..%2Floader.js",
        "/widget/assets/",
        "/widget/loader.css",
    ] {
        let reply = get(&shop, path).error(404, "not_found");
        assert_eq!(reply.header("cache-control"), "no-store", "{path}");
    }
    let posted = shop.api("POST", LOADER).send();
    let rejected = posted.error(405, "method_not_allowed");
    assert!(rejected.header("allow").contains("GET"));
}

#[test]
fn a_file_is_sent_once() {
    let shop = Shop::open();
    let first = get(&shop, LOADER);
    let again = shop
        .api("GET", LOADER)
        .header("If-None-Match", first.header("etag"))
        .send();
    assert_eq!((again.status, again.text.as_str()), (304, ""));
    assert_eq!(again.header("etag"), first.header("etag"));
    assert_eq!(again.header("cache-control"), first.header("cache-control"));
    let head = shop.api("HEAD", LOADER).send();
    assert_eq!((head.status, head.text.as_str()), (200, ""));
}

#[test]
fn the_loader_has_the_address_that_the_operator_names() {
    let shop = Shop::open_with(|options| {
        options.public_url = Some("https://search.example".to_owned());
    });
    let loader = get(&shop, LOADER);
    assert!(loader.text.contains("\"https://search.example/api/v1\""));
}
